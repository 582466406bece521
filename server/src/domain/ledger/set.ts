// Setting the current period's total: an adjustment that makes the sum what was asked for.
import type { Amount } from '../amount.ts'
import { getFeature } from '../catalogue/catalogue.ts'
import { type Account, checkTracking, totalAt, withPeriods } from './account.ts'
import { addEvent, type EventInput, findTaken, newEvent, repeat, type UsageOutcome } from './record.ts'
import type { Decision, LedgerTask, TaskOrigin } from './task.ts'
import { checkTotal, isInRange } from './usage-event.ts'

export type SetInput = EventInput & { used: Amount }

export const setTask = (origin: TaskOrigin, input: SetInput): LedgerTask<UsageOutcome> => ({
  ...origin,
  keyHash: input.keyHash,
  getFeature: (catalogue) => getFeature(catalogue, input.featureKey),
  decide: (account) => decideSet(input, account),
})

/** Nothing comes between reading the sum and writing the difference: the write confirms what this was decided on. */
function decideSet(input: SetInput, account: Account): Decision<UsageOutcome> {
  const taken = findTaken(account, input)
  if (taken) return repeat(account, taken, taken.sentUsed === input.used, input.eventKey)
  checkTracking(account)
  const { now } = account
  const ready = withPeriods(account, [now])
  const total = totalAt(ready, now)
  const amount = input.used - total
  // The difference is an amount, too: only one that brings a total back into the range may lie beyond it.
  if (isInRange(total)) checkTotal(0n, amount)
  const event = { ...newEvent(input, ready), occurredAt: now, amount, firstAmount: amount }
  return addEvent(ready, { ...event, sentUsed: input.used })
}
