// What a customer may use of one feature, over all products held, and how its usage is divided into periods.
import type { Amount } from '../amount.ts'
import type { Feature } from '../catalogue/catalogue.ts'
import type { HeldProduct } from './held-products.ts'
import type { PeriodRule } from './period.ts'

export type Allowance = { hasAccess: boolean; isUnlimited: boolean; limit: Amount }

export const noAllowance: Allowance = { hasAccess: false, isUnlimited: false, limit: 0n }

/** Access is OR, limits add up, one unlimited makes all unlimited. */
export function computeAllowance(held: readonly HeldProduct[], featureKey: string): Allowance {
  let allowance = noAllowance
  for (const { entries } of granting(held, featureKey)) {
    const entry = entries.find((each) => each.featureKey === featureKey && each.hasAccess)
    if (!entry) continue
    allowance = {
      hasAccess: true,
      isUnlimited: allowance.isUnlimited || entry.isUnlimited,
      limit: allowance.limit + (entry.limit ?? 0n),
    }
  }
  return allowance
}

/** A feature's billing cycle is that of the oldest subscription granting it, else counted from `usageStartedAt`. */
export function computePeriodRule(
  feature: Feature,
  held: readonly HeldProduct[],
  usageStartedAt: number,
): PeriodRule {
  const rule = { interval: feature.usageResetInterval, resetAnchor: feature.usageResetAnchor }
  let oldest: HeldProduct | undefined
  for (const each of granting(held, feature.featureKey)) {
    if (each.billingAnchorAt === undefined) continue
    if (!oldest || each.startedAt < oldest.startedAt) oldest = each
  }
  if (oldest?.billingAnchorAt === undefined) return { ...rule, billingAnchorAt: usageStartedAt }
  return { ...rule, billingAnchorAt: oldest.billingAnchorAt, cutAt: oldest.startedAt }
}

const granting = (held: readonly HeldProduct[], featureKey: string) =>
  held.filter(
    (each) =>
      each.givesAccess && each.entries.some((entry) => entry.featureKey === featureKey && entry.hasAccess),
  )
