// Why a customer has what it has of a feature: the products that gave it, the period and its anchor, the bonuses, and the
// numbers that `remaining` is made of.
import { type Amount, smaller } from '../amount.ts'
import type { Feature } from '../catalogue/catalogue.ts'
import { getCounter } from '../ledger/counters.ts'
import { applyToBonuses, compareDrawOrder, settle } from '../ledger/settle.ts'
import { type Bonus, type CustomerState, isOpen } from '../ledger/state.ts'
import {
  computePeriodRule,
  findGrants,
  findOldestSubscription,
  type Grant,
  noAllowance,
} from './allowance.ts'
import { computeUsage, type Entitlements, type FeatureAccess, type Usage } from './feature-access.ts'
import { calendarAnchorAt, computePeriod, type PeriodRule } from './period.ts'

export type AnchorSource = 'subscription' | 'usage_started_at' | 'calendar' | 'none'

export type ExplainedPeriod = {
  interval: PeriodRule['interval']
  lastReset: number
  nextReset: number | undefined
  /** Where its beginning is counted from; `productKey` is of the subscription. */
  anchor: { source: AnchorSource; at: number | undefined; productKey: string | undefined }
  /** Where it begins later than counted: with the subscription, or where the customer fell back. */
  cutBy: 'subscription_start' | 'fall_back' | undefined
}

export type ExplainedBonus = { bonus: Bonus; drawnInPeriod: Amount }

/** `used` is the first three together, `remaining` what is left of the plan and of bonuses. */
export type Arithmetic = {
  limit: Amount
  used: Amount
  planUsed: Amount
  bonusUsed: Amount
  overage: Amount
  planRemaining: Amount
  bonusRemaining: Amount
  remaining: Amount
}

export type Explanation = {
  access: FeatureAccess
  grants: Grant[]
  /** These three only of a feature that tracks usage. */
  period: ExplainedPeriod | undefined
  bonuses: ExplainedBonus[]
  /** Absent without access and where nothing is limited. */
  arithmetic: Arithmetic | undefined
}

/** The feature must be one that the entitlements were computed for, and every tracked feature's counter be in the state. */
export function explainAccess(
  feature: Feature,
  entitlements: Entitlements,
  state: CustomerState,
  now: number,
): Explanation {
  const grants = findGrants(entitlements.held, feature.featureKey)
  const tracked = entitlements.tracked.find((each) => each.feature === feature)
  const allowance = entitlements.allowances.get(feature) ?? noAllowance
  if (!tracked) {
    const access = { feature, allowance, usage: undefined }
    return { access, grants, period: undefined, bonuses: [], arithmetic: undefined }
  }
  const counter = getCounter(state, feature.featureNo, tracked.period)
  const usage = computeUsage(tracked, counter, state, now)
  const rule = computePeriodRule(feature, entitlements.held, state.customer.usageStartedAt)
  const ofFeature = state.bonuses.filter((bonus) => bonus.featureNo === feature.featureNo)
  const { draws, moves } = settle({ bonuses: ofFeature, ...counter, allowance, now })
  const drawnFrom = (bonusId: string) =>
    draws.reduce((sum, draw) => (draw.bonusId === bonusId ? sum + draw.amount : sum), 0n)
  return {
    access: { feature, allowance, usage },
    grants,
    period: explainPeriod(rule, grants, usage),
    bonuses: applyToBonuses(ofFeature, moves)
      .toSorted(compareDrawOrder)
      .map((bonus) => ({ bonus, drawnInPeriod: drawnFrom(bonus.bonusId) }))
      .filter(({ bonus, drawnInPeriod }) => drawnInPeriod > 0n || isOpen(bonus, now)),
    arithmetic: allowance.hasAccess ? explainRemaining(allowance.limit, usage) : undefined,
  }
}

function explainPeriod(rule: PeriodRule, grants: Grant[], usage: Usage): ExplainedPeriod {
  const { interval, fellBackAt } = rule
  const { lastReset, nextReset } = usage
  const anchor = explainAnchor(rule, grants)
  const isCut = anchor.at !== undefined && computePeriod(interval, anchor.at, lastReset).start < lastReset
  const cutBy = !isCut ? undefined : lastReset === fellBackAt ? 'fall_back' : 'subscription_start'
  return { interval, lastReset, nextReset, anchor, cutBy }
}

function explainAnchor(rule: PeriodRule, grants: Grant[]): ExplainedPeriod['anchor'] {
  if (rule.interval === 'never') return { source: 'none', at: undefined, productKey: undefined }
  if (rule.resetAnchor === 'calendar') {
    return { source: 'calendar', at: calendarAnchorAt(rule.interval), productKey: undefined }
  }
  const productKey = findOldestSubscription(grants)?.product.productKey
  const source = productKey === undefined ? 'usage_started_at' : 'subscription'
  return { source, at: rule.billingAnchorAt, productKey }
}

/** Draws never exceed the need, so no part is below zero. */
function explainRemaining(limit: Amount, usage: Usage): Arithmetic | undefined {
  const { used, bonusUsed, bonusRemaining, remaining } = usage
  if (remaining === undefined) return undefined
  const planUsed = smaller(limit, used - bonusUsed)
  return {
    limit,
    used,
    planUsed,
    bonusUsed,
    overage: used - bonusUsed - planUsed,
    planRemaining: limit - planUsed,
    bonusRemaining,
    remaining,
  }
}
