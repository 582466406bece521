// The reference model's reading of what a customer holds and has left: contract sections 4, 5 and the draws of
// section 7. Everything is computed from the state anew each time it is asked.
import {
  exact,
  max,
  min,
  periodFromAnchor,
  periodOfCalendar,
  plain,
  type Span,
  sum,
} from './reference-arithmetic.ts'
import {
  type Bonus,
  type Customer,
  compareIds,
  type Draw,
  type Entry,
  type Feature,
  type State,
} from './reference-state.ts'
import { type Held, heldBySubscription } from './reference-subscriptions.ts'

export type Allowance = { hasAccess: boolean; isUnlimited: boolean; limit: bigint }

const givesAccess = ({ status }: Held) => ['trialing', 'active', 'past_due'].includes(status)

/** The entries with which a held product, whose subscription gives access, grants the feature. */
function grantsOf(state: State, held: Held, featureKey: string): Entry[] {
  if (!givesAccess(held)) return []
  const product = state.products.find((one) => one.productKey === held.productKey)
  return (product?.versions[held.version - 1] ?? []).filter(
    (entry) => entry.featureKey === featureKey && entry.hasAccess,
  )
}

/** Subscriptions and assigned products and, when none of them gives access, the default one at its latest version. */
export function heldProducts(state: State, customer: Customer): Held[] {
  const assigned = customer.assigned.map((each) => ({
    ...each,
    status: 'active',
    canceledAt: null,
    items: [],
  }))
  const held: Held[] = [...heldBySubscription(state, customer), ...assigned]
  if (held.some(givesAccess)) return held
  const ofDefault = state.products
    .filter((product) => product.isDefault)
    .map(({ productKey, versions }) => ({
      productKey,
      version: versions.length,
      startedAt: customer.usageStartedAt,
      status: 'active',
      canceledAt: null,
      items: [],
    }))
  return [...held, ...ofDefault]
}

export function allowanceOf(state: State, customer: Customer, featureKey: string): Allowance {
  const entries = heldProducts(state, customer).flatMap((held) => grantsOf(state, held, featureKey))
  return {
    hasAccess: entries.length > 0,
    isUnlimited: entries.some((entry) => entry.isUnlimited === true),
    limit: sum(entries.map((entry) => exact(entry.limit ?? 0))),
  }
}

/** Counted from the billing cycle of the oldest subscription that grants the feature, and cut where that began. */
export function periodOf(state: State, customer: Customer, feature: Feature, at: number): Span {
  const { interval, anchor, featureKey } = feature
  if (anchor === 'calendar') return periodOfCalendar(interval, at)
  const [oldest] = heldProducts(state, customer)
    .filter((held) => held.billingAnchorAt !== undefined && grantsOf(state, held, featureKey).length > 0)
    .sort((a, b) => a.startedAt - b.startedAt)
  const period = periodFromAnchor(interval, oldest?.billingAnchorAt ?? customer.usageStartedAt, at)
  if (oldest === undefined || interval === 'never' || !contains(period, oldest.startedAt)) return period
  const cutAt = oldest.startedAt
  return at < cutAt ? { ...period, end: cutAt } : { ...period, start: cutAt }
}

const contains = (period: Span, at: number) => period.start <= at && at < period.end

/** The sum of a period's live events; below zero only after a re-sort. */
export function sumOf(state: State, customer: Customer, feature: Feature, period: Span): bigint {
  return sum(
    state.events
      .filter((event) => event.customerId === customer.customerId && event.featureKey === feature.featureKey)
      .filter((event) => !event.isDeleted && contains(period, event.occurredAt))
      .map((event) => event.amount),
  )
}

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
