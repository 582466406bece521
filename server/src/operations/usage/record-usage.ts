// Records usage, exactly once per event key.
import { amountFromNumber } from '../../domain/amount.ts'
import { recordTask, type UsageOutcome } from '../../domain/ledger/record.ts'
import type { TaskOrigin } from '../../domain/ledger/task.ts'
import { hashToUuid } from '../../storage/customers/customer-uid.ts'
import { writeEventId } from '../../storage/ledger/event-id.ts'
import { type Context, toCustomerHash } from '../context.ts'
import type { Services } from '../services.ts'

export type KeyedInput = {
  customerId: string
  featureKey: string
  eventKey: string
  metadata?: Record<string, string> | undefined
}

export type RecordInput = KeyedInput & {
  amount?: number | undefined
  occurredAt?: number | undefined
  enforceLimit?: boolean | undefined
}

export type Recorded = { outcome: UsageOutcome; eventId: string | undefined }

export async function recordUsage(
  { writeLedger, tally }: Services,
  context: Context,
  input: RecordInput,
): Promise<Recorded> {
  const task = recordTask(toOrigin(context, input.customerId), {
    ...toEventInput(input),
    amount: amountFromNumber(input.amount ?? 1),
    sentOccurredAt: input.occurredAt,
    enforceLimit: input.enforceLimit ?? false,
  })
  const outcome = await writeLedger(task)
  const { reason } = outcome
  if (reason === 'limit_reached' || reason === 'no_access') {
    const feature = context.catalogue.features.get(input.featureKey)
    if (feature) tally.noteRefusal(feature.featureNo, reason, context.now)
  }
  return toRecorded(outcome)
}

/** Whose ledger is written, on whose behalf. */
export const toOrigin = (context: Context, customerId: string): TaskOrigin => ({
  principal: context.principal,
  customerHash: toCustomerHash(context, customerId),
  customerId,
  now: context.now,
})

export const toEventInput = ({ featureKey, eventKey, metadata }: KeyedInput) => ({
  featureKey,
  keyHash: hashToUuid(eventKey),
  eventKey,
  metadata: metadata ?? {},
})

export const toRecorded = (outcome: UsageOutcome): Recorded => ({
  outcome,
  eventId:
    outcome.event &&
    writeEventId(outcome.event.eventNo, { customerUid: outcome.customerUid, ...outcome.event }),
})
