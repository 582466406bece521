// What a write does to a customer's state: counters follow the ledger, draws on bonuses follow the need.

import { findCounter, type TrackedFeature } from '../access/feature-access.ts'
import type { Period } from '../access/period.ts'
import type { Amount } from '../amount.ts'
import { isExpired, settle } from './settle.ts'
import type { Bonus, Counter, Customer, CustomerState, Draw } from './state.ts'

export const contains = (period: Period, at: number): boolean => period.start <= at && at < period.end

/** Whether nothing was counted or drawn in the period, as far as the customer alone can tell. */
export const isKnownEmpty = (
  { lastEventAt, usedFeatures }: Pick<Customer, 'lastEventAt' | 'usedFeatures'>,
  featureNo: number,
  period: Period,
): boolean => lastEventAt === undefined || lastEventAt < period.start || !usedFeatures.includes(featureNo)

/** Every counter that contains the instant follows, whether or not its span is a period by today's rules. */
export function addToCounters(
  state: CustomerState,
  featureNo: number,
  at: number,
  delta: Amount,
): CustomerState {
  if (delta === 0n) return state
  const counters = state.counters.map((counter) =>
    counter.featureNo === featureNo && contains(counter.period, at)
      ? { ...counter, total: counter.total + delta }
      : counter,
  )
  return { ...state, counters }
}

/** Whether a counter of the feature has a span that overlaps the period and is not it. */
export const overlapsOther = (counter: Counter, featureNo: number, period: Period): boolean =>
  counter.featureNo === featureNo &&
  counter.period.start < period.end &&
  period.start < counter.period.end &&
  (counter.period.start !== period.start || counter.period.end !== period.end)

/** Draws in the order they were made; a negative amount is one returned. */
export type Moved = { state: CustomerState; moves: Draw[] }

/**
 * Makes the draws of the current period those that its need asks for. A counter of another span that overlaps it leaves
 * the state: which of the moved draws lay in that span is not known here, and a missing counter is computed.
 */
export function settleDraws(state: CustomerState, tracked: TrackedFeature, now: number): Moved {
  const { featureNo } = tracked.feature
  const bonuses = state.bonuses.filter((bonus) => bonus.featureNo === featureNo)
  if (bonuses.length === 0) return { state, moves: [] }
  const counter = getCounter(state, featureNo, tracked.period)
  const { draws, drawn, returned } = settle({ bonuses, ...counter, allowance: tracked.allowance, now })
  const moves = [...returned.map(({ bonusId, amount }) => ({ bonusId, amount: -amount })), ...drawn]
  if (moves.length === 0) return { state, moves }
  const moved = new Map<string, Amount>()
  for (const { bonusId, amount } of moves) moved.set(bonusId, (moved.get(bonusId) ?? 0n) + amount)
  return {
    state: {
      ...state,
      counters: state.counters
        .filter((each) => !overlapsOther(each, featureNo, tracked.period))
        .map((each) => (each === counter ? { ...counter, draws } : each)),
      bonuses: state.bonuses.map((bonus) => {
        const amount = moved.get(bonus.bonusId)
        return amount ? { ...bonus, drawn: bonus.drawn + amount } : bonus
      }),
    },
    moves,
  }
}

export function getCounter(state: CustomerState, featureNo: number, period: Period): Counter {
  const counter = findCounter(state, featureNo, period)
  if (!counter) throw new Error(`the counter of feature ${featureNo} was not loaded`)
  return counter
}

/** A state that also has this counter, and the bonuses its draws are on. */
export function withCounter(
  state: CustomerState,
  counter: Counter,
  bonuses: readonly Bonus[],
): CustomerState {
  const known = new Set(state.bonuses.map((bonus) => bonus.bonusId))
  const further = bonuses.filter((bonus) => !known.has(bonus.bonusId))
  return {
    ...state,
    counters: [...state.counters, counter],
    bonuses: further.length > 0 ? [...state.bonuses, ...further] : state.bonuses,
  }
}

/** A state without what is over by now, so that it does not grow while it is held; nothing in it is needed from now on. */
export function pruneState(state: CustomerState, now: number): CustomerState {
  if (state.counters.every((counter) => counter.period.end > now)) return state
  const counters = state.counters.filter((counter) => counter.period.end > now)
  const drawnOn = new Set(counters.flatMap((counter) => counter.draws.map((draw) => draw.bonusId)))
  const isNeeded = (bonus: Bonus) =>
    drawnOn.has(bonus.bonusId) || (bonus.drawn < bonus.amount && !isExpired(bonus, now))
  return { ...state, asOf: now, counters, bonuses: state.bonuses.filter(isNeeded) }
}
