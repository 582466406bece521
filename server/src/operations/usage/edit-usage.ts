// Amends or deletes a usage event; every period it touches follows at once.
import { amountFromNumber } from '../../domain/amount.ts'
import type { Caller } from '../../domain/caller.ts'
import { missing } from '../../domain/errors.ts'
import type { EventOutcome } from '../../domain/ledger/task.ts'
import { hashToUuid } from '../../storage/customers/customer-uid.ts'
import type { Services } from '../services.ts'
import type { CustomerEvent } from './find-usage-event.ts'
import { getEventSubject } from './find-usage-event.ts'

export type AmendInput = {
  amount?: number | undefined
  occurredAt?: number | undefined
  eventKey?: string | null | undefined
  metadata?: Record<string, string> | null | undefined
}

export async function amendUsage(
  services: Services,
  caller: Caller,
  eventId: string,
  input: AmendInput,
): Promise<CustomerEvent> {
  const subject = await getEventSubject(services, caller, eventId)
  const { eventKey } = input
  const patch = {
    amount: input.amount === undefined ? undefined : amountFromNumber(input.amount),
    occurredAt: input.occurredAt,
    eventKey: typeof eventKey === 'string' ? { eventKey, keyHash: hashToUuid(eventKey) } : eventKey,
    metadata: input.metadata === null ? {} : input.metadata,
  }
  const { after } = (await services.writeLedger({
    ...subject,
    kind: 'amend',
    caller,
    eventId,
    patch,
  })) as EventOutcome
  return { eventId, customerId: subject.customerId, feature: subject.feature, event: after }
}

export async function deleteUsage(services: Services, caller: Caller, eventId: string): Promise<void> {
  const subject = await getEventSubject(services, caller, eventId)
  const outcome = (await services.writeLedger({
    ...subject,
    kind: 'delete',
    caller,
    eventId,
  })) as EventOutcome
  if (outcome.after.deletedAt === undefined) throw missing('usage event', eventId)
}
