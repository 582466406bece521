// The reference model's draws: contract section 7, how far bonuses are drawn and which are returned first. Reads show
// it, writes store it.

import { allowanceOf, contains, periodOf, sumOf } from './reference-access.ts'
import { max, min, type Span, sum } from './reference-arithmetic.ts'
import {
  type Bonus,
  type Customer,
  compareIds,
  type Draw,
  type Feature,
  type State,
} from './reference-state.ts'

export function bonusesOf(state: State, customer: Customer, feature: Feature): Bonus[] {
  return state.bonuses.filter(
    (bonus) => bonus.customerId === customer.customerId && bonus.featureKey === feature.featureKey,
  )
}

export const isUnexpired = (bonus: Bonus, now: number) =>
  bonus.expiresAt === undefined || now < bonus.expiresAt

export function remainingOf(bonus: Bonus, draws: Draw[]): bigint {
  return bonus.amount - sum(draws.filter((draw) => draw.bonusId === bonus.id).map((draw) => draw.amount))
}

export function drawnIn(period: Span, bonuses: Bonus[], draws: Draw[]): bigint {
  const ids = bonuses.map((bonus) => bonus.id)
  const inPeriod = draws.filter((draw) => ids.includes(draw.bonusId) && contains(period, draw.at))
  return sum(inPeriod.map((draw) => draw.amount))
}

/**
 * The environment's draws after those of one customer and feature followed the current need: reads show them,
 * writes store them.
 */
export function settledDraws(state: State, customer: Customer, feature: Feature, now: number): Draw[] {
  const allowance = allowanceOf(state, customer, feature.featureKey)
  if (!allowance.hasAccess) return state.draws
  const period = periodOf(state, customer, feature, now)
  const overage = max(0n, sumOf(state, customer, feature, period) - allowance.limit)
  const need = allowance.isUnlimited ? 0n : overage
  const bonuses = bonusesOf(state, customer, feature)
  const kept = returnDraws(state.draws, bonuses, period, need)
  return drawFurther(kept, bonuses, period, need, now)
}

/** Last drawn first, of this period's draws only. */
function returnDraws(draws: Draw[], bonuses: Bonus[], period: Span, need: bigint): Draw[] {
  const ids = bonuses.map((bonus) => bonus.id)
  let excess = max(0n, drawnIn(period, bonuses, draws) - need)
  const kept: Draw[] = []
  for (const draw of draws.toReversed()) {
    const mayReturn = ids.includes(draw.bonusId) && contains(period, draw.at)
    const returned = mayReturn ? min(excess, draw.amount) : 0n
    excess -= returned
    if (draw.amount > returned) kept.unshift({ ...draw, amount: draw.amount - returned })
  }
  return kept
}

/** Soonest expiry first, never-expiring last, then oldest, then id. */
function drawFurther(draws: Draw[], bonuses: Bonus[], period: Span, need: bigint, now: number): Draw[] {
  const inOrder = bonuses
    .filter((bonus) => isUnexpired(bonus, now))
    .sort((a, b) => {
      const [aEnd, bEnd] = [a.expiresAt ?? Number.MAX_SAFE_INTEGER, b.expiresAt ?? Number.MAX_SAFE_INTEGER]
      return aEnd - bEnd || a.createdAt - b.createdAt || compareIds(a.id, b.id)
    })
  const drawn = [...draws]
  let missing = need - drawnIn(period, bonuses, draws)
  for (const bonus of inOrder) {
    const amount = min(missing, remainingOf(bonus, drawn))
    if (amount <= 0n) continue
    drawn.push({ bonusId: bonus.id, amount, at: now })
    missing -= amount
  }
  return drawn
}
