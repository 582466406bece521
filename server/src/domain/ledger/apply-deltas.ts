// What adding to a ledger does to its periods: counters follow, then draws follow the need.
import type { Amount } from '../amount.ts'
import { conflict } from '../errors.ts'
import { type Account, type Moved, periodAt, settleDraws, totalAt } from './account.ts'
import { addToCounters } from './counters.ts'
import { checkTotal } from './usage-event.ts'

export type Delta = { at: number; delta: Amount }

/** Any applied write first makes the draws that answers showed before it, then those that it needs itself. */
export function applyDeltas(account: Account, deltas: readonly Delta[]): Moved {
  const shown = settleDraws(account)
  let { state } = shown
  for (const { at, delta } of deltas) state = addToCounters(state, account.feature.featureNo, at, delta)
  const settled = settleDraws({ ...account, state })
  if (shown.moves.length === 0) return settled
  return { state: settled.state, moves: [...shown.moves, ...settled.moves] }
}

/** An edit may not leave a period below zero that it lowers. */
export function applyEdit(account: Account, deltas: readonly Delta[]): Moved {
  const netByPeriod = new Map<number, Delta>()
  for (const { at, delta } of deltas) {
    const { start } = periodAt(account, at)
    const before = netByPeriod.get(start)?.delta ?? 0n
    netByPeriod.set(start, { at, delta: before + delta })
  }
  for (const { at, delta } of netByPeriod.values()) {
    const before = totalAt(account, at)
    if (delta < 0n && before + delta < 0n) {
      throw conflict('below_zero', 'This would take the usage of its period below zero.')
    }
    checkTotal(before, before + delta)
  }
  return applyDeltas(account, deltas)
}
