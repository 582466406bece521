// Usage on the wire: events, and the answers to recording them, which are written by hand.
import { z } from 'zod'
import { amountToNumber } from '../../domain/amount.ts'
import type { CustomerEvent } from '../../operations/usage/get-usage-event.ts'
import type { Recorded } from '../../operations/usage/record-usage.ts'
import { amount, catalogueKey, customerId, eventKey, metadata, timestamp } from '../fields.ts'

export const recordBody = z
  .strictObject({
    customerId,
    featureKey: catalogueKey,
    eventKey,
    amount: amount.optional(),
    occurredAt: timestamp.optional(),
    metadata: metadata.optional(),
    enforceLimit: z.boolean().optional(),
  })
  .meta({ id: 'UsageRecord', description: 'Usage to record' })

const resultShape = {
  applied: z.boolean(),
  used: z.number(),
  eventId: z.string().optional(),
  reason: z.enum(['duplicate_event', 'limit_reached', 'no_access', 'below_zero']).optional(),
}

export const recordedSchema = z.strictObject(resultShape).meta({
  id: 'UsageResult',
  description: 'used is the total of the event’s period right after this event, in the order of commits',
})

export const setSchema = z.strictObject({ ...resultShape, adjustment: z.number().optional() }).meta({
  id: 'UsageSetResult',
  description: 'adjustment is the amount applied to reach the requested value',
})

/** Ids and reasons need no escaping in JSON. */
export const writeRecorded = (recorded: Recorded): string => `{${writeMembers(recorded)}}`

export function writeSet(recorded: Recorded): string {
  const { event } = recorded.outcome
  const adjustment = event ? `,"adjustment":${amountToNumber(event.firstAmount)}` : ''
  return `{${writeMembers(recorded)}${adjustment}}`
}

function writeMembers({ outcome, eventId }: Recorded): string {
  const id = eventId === undefined ? '' : `,"eventId":"${eventId}"`
  const reason = outcome.reason === undefined ? '' : `,"reason":"${outcome.reason}"`
  return `"applied":${outcome.applied},"used":${amountToNumber(outcome.used)}${id}${reason}`
}

export const eventSchema = z
  .strictObject({
    id: z.string(),
    customerId: z.string(),
    featureKey: z.string(),
    amount: z.number(),
    occurredAt: z.int(),
    source: z.enum(['usage', 'usage_set_adjustment']),
    eventKey: z.string().optional(),
    metadata: z.record(z.string(), z.string()),
  })
  .meta({ id: 'UsageEvent', description: 'One fact in the ledger' })

export const toApiEvent = ({
  eventId,
  customerId,
  feature,
  event,
}: CustomerEvent): z.input<typeof eventSchema> => ({
  id: eventId,
  customerId,
  featureKey: feature.featureKey,
  amount: amountToNumber(event.amount),
  occurredAt: event.occurredAt,
  source: event.sentUsed === undefined ? 'usage' : 'usage_set_adjustment',
  ...(event.eventKey === undefined ? {} : { eventKey: event.eventKey }),
  metadata: event.metadata,
})
