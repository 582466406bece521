// Counters of a customer's state: finding them, adding to them, and knowing when there is nothing to count.
import type { Period } from '../access/period.ts'
import type { Amount } from '../amount.ts'
import type { Bonus, Counter, Customer, CustomerState } from './state.ts'

export const contains = (period: Period, at: number): boolean => period.start <= at && at < period.end

const isSame = (a: Period, b: Period): boolean => a.start === b.start && a.end === b.end

export function findCounter(state: CustomerState, featureNo: number, period: Period): Counter | undefined {
  for (const counter of state.counters) {
    if (counter.featureNo === featureNo && isSame(counter.period, period)) return counter
  }
  return undefined
}

/** What a decision or an answer needs is there, or it throws. */
export function getCounter(state: CustomerState, featureNo: number, period: Period): Counter {
  const counter = findCounter(state, featureNo, period)
  if (!counter) throw new Error(`the counter of feature ${featureNo} from ${period.start} is not at hand`)
  return counter
}

/** Whether nothing was counted or drawn in the period, as far as the customer alone can tell. */
const isKnownEmpty = (
  { lastEventAt, usedFeatures }: Pick<Customer, 'lastEventAt' | 'usedFeatures'>,
  featureNo: number,
  period: Period,
): boolean => lastEventAt === undefined || lastEventAt < period.start || !usedFeatures.includes(featureNo)

/** The counter of a period, zero without a look at the ledger where nothing can be in it; undefined when it must be computed. */
export function findOrStartCounter(
  state: CustomerState,
  featureNo: number,
  period: Period,
): Counter | undefined {
  const counter = findCounter(state, featureNo, period)
  if (counter || !isKnownEmpty(state.customer, featureNo, period)) return counter
  return { featureNo, period, total: 0n, draws: [] }
}

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
  !isSame(counter.period, period)

/** A state that also has these counters, and the bonuses that their draws are on. */
export function withCounters(
  state: CustomerState,
  counters: readonly Counter[],
  bonuses: readonly Bonus[],
): CustomerState {
  if (counters.length === 0) return state
  const known = new Set(state.bonuses.map((bonus) => bonus.bonusId))
  const further = bonuses.filter((bonus) => !known.has(bonus.bonusId) && known.add(bonus.bonusId))
  return {
    ...state,
    counters: [...state.counters, ...counters],
    bonuses: further.length > 0 ? [...state.bonuses, ...further] : state.bonuses,
  }
}
