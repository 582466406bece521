// Amending a usage event: every period it touches follows at once.
import type { Amount } from '../amount.ts'
import type { Catalogue, Feature } from '../catalogue/catalogue.ts'
import { conflict, missing, quote } from '../errors.ts'
import { type Account, checkTracking, getTaken, withPeriods } from './account.ts'
import { applyEdit } from './apply-deltas.ts'
import type { Decision, LedgerTask, TaskOrigin } from './task.ts'
import { decideOccurredAt, type UsageEvent } from './usage-event.ts'

/** Which event: its id, and what the id says of it. */
export type EventName = { eventId: string; featureNo: number; keyHash: string; eventNo: number }

/** Absent is left alone; a null key is cleared. */
export type EventPatch = {
  amount: Amount | undefined
  occurredAt: number | undefined
  eventKey: { eventKey: string; keyHash: string } | null | undefined
  metadata: Record<string, string> | undefined
}

/** What an amendment or deletion made of an event. */
export type EventOutcome = { before: UsageEvent; after: UsageEvent; feature: Feature }

export const amendTask = (
  origin: TaskOrigin,
  name: EventName,
  patch: EventPatch,
): LedgerTask<EventOutcome> => ({
  ...origin,
  getFeature: (catalogue) => getEventFeature(catalogue, name),
  decide: (account) => decideAmend(name, patch, account),
})

export function getEventFeature(catalogue: Catalogue, { eventId, featureNo }: EventName): Feature {
  const feature = catalogue.featuresByNo.get(featureNo)
  if (!feature) throw missing('usage event', eventId)
  return feature
}

function decideAmend(name: EventName, patch: EventPatch, account: Account): Decision<EventOutcome> {
  const { feature, now } = account
  const before = getLiveEvent(name, account)
  const newKey = patch.eventKey ?? undefined
  const taken = newKey && getTaken(account, newKey.keyHash)
  checkTracking(account)
  const after = {
    ...before,
    amount: patch.amount ?? before.amount,
    occurredAt: patch.occurredAt === undefined ? before.occurredAt : decideOccurredAt(patch.occurredAt, now),
    eventKey: patch.eventKey === undefined ? before.eventKey : newKey?.eventKey,
    metadata: patch.metadata ?? before.metadata,
  }
  if (taken && taken.keyHash !== before.keyHash) {
    throw conflict('event_key_reused', `eventKey ${quote(after.eventKey ?? '')} is taken by another event.`)
  }
  const ready = withPeriods(account, [now, before.occurredAt, after.occurredAt])
  const moved = applyEdit(ready, [
    { at: before.occurredAt, delta: -before.amount },
    { at: after.occurredAt, delta: after.amount },
  ])
  return {
    ...moved,
    updated: after,
    ...(newKey && !taken ? { aliasHash: newKey.keyHash } : {}),
    outcome: { before, after, feature },
    entry: { action: 'usage.amend', subject: name.eventId, before, after },
  }
}

/** Under another event's key lies an event of another number. */
export function getLiveEvent({ eventId, keyHash, eventNo }: EventName, account: Account): UsageEvent {
  const event = getTaken(account, keyHash)
  if (!event || event.deletedAt !== undefined || event.eventNo !== eventNo)
    throw missing('usage event', eventId)
  return event
}
