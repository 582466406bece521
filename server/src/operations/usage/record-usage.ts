// Records usage, or sets it to an absolute value; exactly once per event key.
import { amountFromNumber } from '../../domain/amount.ts'
import type { Caller } from '../../domain/caller.ts'
import { getFeature } from '../../domain/catalogue/catalogue.ts'
import type { UsageOutcome } from '../../domain/ledger/task.ts'
import { customerUid, hashToUuid } from '../../storage/customers/customer-uid.ts'
import { writeEventId } from '../../storage/ledger/event-id.ts'
import type { Services } from '../services.ts'

type Key = {
  customerId: string
  featureKey: string
  eventKey: string
  metadata?: Record<string, string> | undefined
}

export type RecordInput = Key & {
  amount?: number | undefined
  occurredAt?: number | undefined
  enforceLimit?: boolean | undefined
}

export type SetInput = Key & { used: number }

export type Recorded = { outcome: UsageOutcome; eventId: string | undefined }

export async function recordUsage(services: Services, caller: Caller, input: RecordInput): Promise<Recorded> {
  const task = {
    ...(await toTask(services, caller, input)),
    kind: 'record' as const,
    amount: amountFromNumber(input.amount ?? 1),
    sentOccurredAt: input.occurredAt,
    enforceLimit: input.enforceLimit ?? false,
  }
  return toRecorded(task.customerUid, (await services.writeLedger(task)) as UsageOutcome)
}

export async function setUsage(services: Services, caller: Caller, input: SetInput): Promise<Recorded> {
  const task = {
    ...(await toTask(services, caller, input)),
    kind: 'set' as const,
    used: amountFromNumber(input.used),
  }
  return toRecorded(task.customerUid, (await services.writeLedger(task)) as UsageOutcome)
}

async function toTask(
  { catalogues }: Services,
  caller: Caller,
  { customerId, featureKey, eventKey, metadata }: Key,
) {
  const catalogue = await catalogues.get(caller.environment, caller.catalogueRevision)
  return {
    customerUid: customerUid(caller.environment, customerId),
    customerId,
    catalogue,
    feature: getFeature(catalogue, featureKey),
    now: caller.now,
    keyHash: hashToUuid(eventKey),
    eventKey,
    metadata: metadata ?? {},
  }
}

const toRecorded = (uid: string, outcome: UsageOutcome): Recorded => ({
  outcome,
  eventId: outcome.event && writeEventId(outcome.event.eventNo, { customerUid: uid, ...outcome.event }),
})
