// The reference model's feature access map: contract section 5. Everything is computed from the state anew each time it is
// asked.

import { type Allowance, allowanceOf, periodOf, sumOf } from './reference-access.ts'
import { max, plain, type Span, sum } from './reference-arithmetic.ts'
import { bonusesOf, drawnIn, isUnexpired, remainingOf, settledDraws } from './reference-draws.ts'
import type { Customer, Feature, State } from './reference-state.ts'

export type Standing = {
  allowance: Allowance
  period: Span
  used: bigint
  bonusUsed: bigint
  bonusRemaining: bigint
  /** Absent when unlimited. */
  remaining?: bigint
}

/** All the numbers of the current period; `used` and the rest of section 5. */
export function standingOf(state: State, customer: Customer, feature: Feature, now: number): Standing {
  const allowance = allowanceOf(state, customer, feature.featureKey)
  const period = periodOf(state, customer, feature, now)
  const draws = settledDraws(state, customer, feature, now)
  const bonuses = bonusesOf(state, customer, feature)
  const used = max(0n, sumOf(state, customer, feature, period))
  const bonusUsed = drawnIn(period, bonuses, draws)
  const unexpired = bonuses.filter((bonus) => isUnexpired(bonus, now))
  const bonusRemaining = sum(unexpired.map((bonus) => remainingOf(bonus, draws)))
  const standing = { allowance, period, used, bonusUsed, bonusRemaining }
  if (!allowance.hasAccess) return { ...standing, remaining: 0n }
  if (allowance.isUnlimited) return standing
  return { ...standing, remaining: max(0n, allowance.limit - (used - bonusUsed)) + bonusRemaining }
}

/** One value of the feature access map. */
export function entryOf(state: State, customer: Customer, feature: Feature, now: number) {
  const { hasAccess, isUnlimited, limit } = allowanceOf(state, customer, feature.featureKey)
  if (feature.type === 'boolean') return { hasAccess, type: feature.type }
  const shownLimit = isUnlimited ? {} : { limit: plain(limit) }
  const entry = { hasAccess, type: feature.type, ...shownLimit, isUnlimited }
  if (!feature.tracksUsage) return entry
  const { used, remaining, bonusUsed, bonusRemaining, period } = standingOf(state, customer, feature, now)
  const isNever = feature.interval === 'never'
  return {
    ...entry,
    usage: {
      used: plain(used),
      ...(remaining === undefined ? {} : { remaining: plain(remaining) }),
      bonusRemaining: plain(bonusRemaining),
      bonusUsed: plain(bonusUsed),
      hasReachedLimit: remaining === 0n,
      ...(isNever ? {} : { nextReset: period.end }),
      lastReset: isNever ? Math.min(customer.usageStartedAt, now) : period.start,
    },
  }
}

/** Every feature that is not archived, and the archived ones that the customer still holds. */
export function accessMapOf(state: State, customer: Customer, now: number) {
  const shown = state.features.filter(
    (feature) => feature.archivedAt === null || allowanceOf(state, customer, feature.featureKey).hasAccess,
  )
  return Object.fromEntries(
    shown.map((feature) => [feature.featureKey, entryOf(state, customer, feature, now)]),
  )
}

export function counterRemainingOf(state: State, customer: Customer, feature: Feature, now: number) {
  const { remaining } = standingOf(state, customer, feature, now)
  return remaining === undefined ? {} : { counterRemaining: plain(remaining) }
}
