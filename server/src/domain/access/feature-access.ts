// The answer to "may this customer use this feature, and how much is left?": the map of feature access and its usage.

import type { Amount } from '../amount.ts'
import type { Catalogue, Feature } from '../catalogue/catalogue.ts'
import { settle } from '../ledger/settle.ts'
import type { Counter, CustomerState } from '../ledger/state.ts'
import { type Allowance, computeAllowance, computePeriodRule } from './allowance.ts'
import { computeHeldProducts, type HeldProduct } from './held-products.ts'
import { computeUsagePeriod, type Period } from './period.ts'

export type Usage = {
  used: Amount
  /** Undefined when unlimited. */
  remaining: Amount | undefined
  bonusRemaining: Amount
  bonusUsed: Amount
  hasReachedLimit: boolean
  /** Undefined when the feature never resets. */
  nextReset: number | undefined
  lastReset: number
}

export type FeatureAccess = { feature: Feature; allowance: Allowance; usage: Usage | undefined }

/** A feature whose usage the customer's map shows, and the period it is in now. */
export type TrackedFeature = { feature: Feature; allowance: Allowance; period: Period }

export type Standing = {
  held: HeldProduct[]
  allowances: Map<Feature, Allowance>
  tracked: TrackedFeature[]
}

/** What a customer holds and which periods are current: enough to know which counters the map needs. */
export function computeStanding(catalogue: Catalogue, state: CustomerState, now: number): Standing {
  const held = computeHeldProducts(catalogue, state, now)
  const allowances = new Map<Feature, Allowance>()
  const tracked: TrackedFeature[] = []
  for (const feature of catalogue.features.values()) {
    const allowance = computeAllowance(held, feature.featureKey)
    if (feature.archivedAt !== null && !allowance.hasAccess) continue
    allowances.set(feature, allowance)
    if (feature.tracksUsage) {
      tracked.push({ feature, allowance, period: currentPeriod(feature, held, state, now) })
    }
  }
  return { held, allowances, tracked }
}

export function currentPeriod(
  feature: Feature,
  held: HeldProduct[],
  state: CustomerState,
  at: number,
): Period {
  return computeUsagePeriod(computePeriodRule(feature, held, state.customer.usageStartedAt), at)
}

export function findCounter(state: CustomerState, featureNo: number, period: Period): Counter | undefined {
  for (const counter of state.counters) {
    if (counter.featureNo !== featureNo) continue
    if (counter.period.start === period.start && counter.period.end === period.end) return counter
  }
  return undefined
}

/** The map, feature by feature; every tracked feature's counter must be in the state. */
export function computeFeatureAccess(standing: Standing, state: CustomerState, now: number): FeatureAccess[] {
  const usages = new Map(
    standing.tracked.map((tracked) => {
      const counter = findCounter(state, tracked.feature.featureNo, tracked.period)
      if (!counter) throw new Error(`the counter of feature ${tracked.feature.featureNo} was not loaded`)
      return [tracked.feature, computeUsage(tracked, counter, state, now)]
    }),
  )
  return [...standing.allowances].map(([feature, allowance]) => ({
    feature,
    allowance,
    usage: usages.get(feature),
  }))
}

export function computeUsage(
  { feature, allowance, period }: TrackedFeature,
  counter: Pick<Counter, 'total' | 'draws'>,
  state: CustomerState,
  now: number,
): Usage {
  const bonuses = state.bonuses.filter((bonus) => bonus.featureNo === feature.featureNo)
  const { bonusUsed, bonusRemaining } = settle({ bonuses, ...counter, allowance, now })
  const used = counter.total > 0n ? counter.total : 0n
  const never = feature.usageResetInterval === 'never'
  const remaining = computeRemaining(allowance, used, bonusUsed, bonusRemaining)
  return {
    used,
    remaining,
    bonusRemaining,
    bonusUsed,
    hasReachedLimit: remaining === 0n,
    nextReset: never ? undefined : period.end,
    lastReset: never ? Math.min(state.customer.usageStartedAt, now) : period.start,
  }
}

/** All that can still be spent, bonuses included; undefined when unlimited. */
export function computeRemaining(
  allowance: Allowance,
  used: Amount,
  bonusUsed: Amount,
  bonusRemaining: Amount,
): Amount | undefined {
  if (!allowance.hasAccess) return 0n
  if (allowance.isUnlimited) return undefined
  const ofPlan = allowance.limit - (used - bonusUsed)
  return (ofPlan > 0n ? ofPlan : 0n) + bonusRemaining
}

/** The first instant at which the map may be another without anything having been written: a reset or an expiry. */
export function computeValidUntil(
  access: readonly FeatureAccess[],
  state: CustomerState,
  now: number,
): number {
  let until = state.customer.usageStartedAt > now ? now + 1 : Infinity
  for (const { usage } of access) if (usage?.nextReset !== undefined) until = Math.min(until, usage.nextReset)
  for (const { expiresAt } of state.bonuses) {
    if (expiresAt !== undefined && expiresAt > now) until = Math.min(until, expiresAt)
  }
  return until
}
