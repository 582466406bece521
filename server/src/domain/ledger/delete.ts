// Deleting a usage event: it counts no more, and its key stays taken.
import { type Account, checkTracking, withPeriods } from './account.ts'
import { type EventName, type EventOutcome, getEventFeature, getLiveEvent } from './amend.ts'
import { applyEdit } from './apply-deltas.ts'
import type { Decision, LedgerTask, TaskOrigin } from './task.ts'

export const deleteTask = (origin: TaskOrigin, name: EventName): LedgerTask<EventOutcome> => ({
  ...origin,
  getFeature: (catalogue) => getEventFeature(catalogue, name),
  decide: (account) => decideDelete(name, account),
})

function decideDelete(name: EventName, account: Account): Decision<EventOutcome> {
  const { feature, now } = account
  const before = getLiveEvent(name, account)
  checkTracking(account)
  const after = { ...before, deletedAt: now }
  const ready = withPeriods(account, [now, before.occurredAt])
  return {
    ...applyEdit(ready, [{ at: before.occurredAt, delta: -before.amount }]),
    updated: after,
    outcome: { before, after, feature },
    entry: { action: 'usage.delete', subject: name.eventId, before, after },
  }
}
