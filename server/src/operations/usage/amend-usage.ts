// Amends a usage event; every period it touches follows at once.
import { amountFromNumber } from '../../domain/amount.ts'
import { amendTask } from '../../domain/ledger/amend.ts'
import { hashToUuid } from '../../storage/customers/customer-uid.ts'
import type { Context } from '../context.ts'
import type { Services } from '../services.ts'
import { type CustomerEvent, getEventOwner } from './get-usage-event.ts'

export type AmendInput = {
  amount?: number | undefined
  occurredAt?: number | undefined
  eventKey?: string | null | undefined
  metadata?: Record<string, string> | null | undefined
}

export async function amendUsage(
  services: Services,
  context: Context,
  eventId: string,
  input: AmendInput,
): Promise<CustomerEvent> {
  const { customerHash, customerId, name } = await getEventOwner(services, context, eventId)
  const { principal, now } = context
  const { eventKey } = input
  const task = amendTask({ principal, now, customerHash, customerId }, name, {
    amount: input.amount === undefined ? undefined : amountFromNumber(input.amount),
    occurredAt: input.occurredAt,
    eventKey: typeof eventKey === 'string' ? { eventKey, keyHash: hashToUuid(eventKey) } : eventKey,
    metadata: input.metadata === null ? {} : input.metadata,
  })
  const { after, feature } = await services.writeLedger(task)
  return { eventId, customerId, feature, event: after }
}
