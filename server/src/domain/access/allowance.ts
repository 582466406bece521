// What a customer may use of one feature, over all products held, and how its usage is divided into periods.
import { type Amount, maxAmount, smaller } from '../amount.ts'
import type { Feature } from '../catalogue/catalogue.ts'
import type { HeldProduct } from './held-products.ts'
import type { PeriodRule } from './period.ts'

export type Allowance = { hasAccess: boolean; isUnlimited: boolean; limit: Amount }

export const noAllowance: Allowance = { hasAccess: false, isUnlimited: false, limit: 0n }

/** What one held product gives of a feature. */
export type Grant = { held: HeldProduct; isUnlimited: boolean; limit: Amount }

/** Access is OR, limits add up to the largest amount at most, one unlimited makes all unlimited. */
export function computeAllowance(held: readonly HeldProduct[], featureKey: string): Allowance {
  let allowance = noAllowance
  for (const { isUnlimited, limit } of findGrants(held, featureKey)) {
    allowance = {
      hasAccess: true,
      isUnlimited: allowance.isUnlimited || isUnlimited,
      limit: smaller(allowance.limit + limit, maxAmount),
    }
  }
  return allowance
}

/** What each held product that gives access grants of the feature; units multiply a limit up to the largest amount. */
export function findGrants(held: readonly HeldProduct[], featureKey: string): Grant[] {
  const grants: Grant[] = []
  for (const each of held) {
    if (!each.givesAccess) continue
    const entry = each.entries.find((one) => one.featureKey === featureKey && one.hasAccess)
    if (!entry) continue
    const limit = smaller((entry.limit ?? 0n) * BigInt(each.units), maxAmount)
    grants.push({ held: each, isUnlimited: entry.isUnlimited, limit })
  }
  return grants
}

/**
 * A feature's billing cycle is that of the oldest subscription granting it, else counted from `usageStartedAt`. Falling back cuts
 * the periods of what the default product grants, while it is held as a fall-back.
 */
export function computePeriodRule(
  feature: Feature,
  held: readonly HeldProduct[],
  usageStartedAt: number,
): PeriodRule {
  const grants = findGrants(held, feature.featureKey)
  const fellBackAt = grants.find((grant) => grant.held.fellBackAt !== undefined)?.held.fellBackAt
  const rule = { interval: feature.usageResetInterval, resetAnchor: feature.usageResetAnchor, fellBackAt }
  const oldest = findOldestSubscription(grants)
  if (oldest?.billingAnchorAt === undefined) return { ...rule, billingAnchorAt: usageStartedAt }
  return { ...rule, billingAnchorAt: oldest.billingAnchorAt, cutAt: oldest.startedAt }
}

/** The one whose billing cycle the feature follows. */
export function findOldestSubscription(grants: readonly Grant[]): HeldProduct | undefined {
  let oldest: HeldProduct | undefined
  for (const { held } of grants) {
    if (held.billingAnchorAt === undefined) continue
    if (!oldest || held.startedAt < oldest.startedAt) oldest = held
  }
  return oldest
}
