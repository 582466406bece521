// The answer to "may this customer use this feature, and how much is left?": the map of feature access and its usage.
import type { Amount } from '../amount.ts'
import type { Catalogue, Feature } from '../catalogue/catalogue.ts'
import { getCounter } from '../ledger/counters.ts'
import { settle } from '../ledger/settle.ts'
import type { Counter, CustomerState } from '../ledger/state.ts'
import { checkTotal } from '../ledger/usage-event.ts'
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

export type Entitlements = {
  held: HeldProduct[]
  allowances: Map<Feature, Allowance>
  tracked: TrackedFeature[]
}

/**
 * What a customer holds and which periods are current: enough to know which counters the map needs. An archived feature that
 * is not held is not in the map, unless it is the one that was asked for.
 */
export function computeEntitlements(
  catalogue: Catalogue,
  state: CustomerState,
  now: number,
  askedKey?: string,
): Entitlements {
  const held = computeHeldProducts(catalogue, state, now)
  const allowances = new Map<Feature, Allowance>()
  const tracked: TrackedFeature[] = []
  for (const feature of catalogue.features.values()) {
    const allowance = computeAllowance(held, feature.featureKey)
    const isShown = feature.archivedAt === null || allowance.hasAccess || feature.featureKey === askedKey
    if (!isShown) continue
    allowances.set(feature, allowance)
    if (!feature.tracksUsage) continue
    const rule = computePeriodRule(feature, held, state.customer.usageStartedAt)
    tracked.push({ feature, allowance, period: computeUsagePeriod(rule, now) })
  }
  return { held, allowances, tracked }
}

/** The map, feature by feature; every tracked feature's counter must be in the state. */
export function computeFeatureAccess(
  entitlements: Entitlements,
  state: CustomerState,
  now: number,
): FeatureAccess[] {
  const usages = new Map(
    entitlements.tracked.map((tracked) => {
      const counter = getCounter(state, tracked.feature.featureNo, tracked.period)
      return [tracked.feature, computeUsage(tracked, counter, state, now)]
    }),
  )
  return [...entitlements.allowances].map(([feature, allowance]) => ({
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
  const used = toUsed(counter.total)
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

/** A sum as answers show it: re-sorting can leave one below zero. */
export const toUsed = (total: Amount): Amount => (total > 0n ? total : 0n)

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

/**
 * Whether an amount may be used: what a check says, and what an enforced write meets. `remaining` is what is left of the
 * limit, undefined where nothing is counted against one. Giving back always may.
 */
export function findMisfit(
  allowance: Allowance,
  remaining: Amount | undefined,
  amount: Amount,
): 'no_access' | 'limit_reached' | undefined {
  if (amount < 0n) return undefined
  if (!allowance.hasAccess) return 'no_access'
  return remaining === undefined || amount <= remaining ? undefined : 'limit_reached'
}

/** What stands against using an amount of a feature now; where nothing is counted, each use has the whole limit. */
export function findRefusal(
  { feature, allowance, usage }: FeatureAccess,
  amount: Amount,
): 'no_access' | 'limit_reached' | undefined {
  const isUncounted = feature.type === 'boolean' || allowance.isUnlimited
  return findMisfit(allowance, isUncounted ? undefined : usage ? usage.remaining : allowance.limit, amount)
}

/** What a check says of an amount. Throws where the total would leave the range of amounts, as an enforced write would. */
export function decideCheck(entry: FeatureAccess, amount: Amount): ReturnType<typeof findRefusal> {
  const refusal = findRefusal(entry, amount)
  if (!refusal && entry.usage) checkTotal(entry.usage.used, entry.usage.used + amount)
  return refusal
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
