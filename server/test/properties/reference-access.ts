// The reference model's reading of what a customer holds: contract section 4, and the allowance and periods of section 5.
import { exact, periodFromAnchor, periodOfCalendar, type Span, sum } from './reference-arithmetic.ts'
import type { Customer, Entry, Feature, State } from './reference-state.ts'
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

export const contains = (period: Span, at: number) => period.start <= at && at < period.end

/** The sum of a period's live events; below zero only after a re-sort. */
export function sumOf(state: State, customer: Customer, feature: Feature, period: Span): bigint {
  return sum(
    state.events
      .filter((event) => event.customerId === customer.customerId && event.featureKey === feature.featureKey)
      .filter((event) => !event.isDeleted && contains(period, event.occurredAt))
      .map((event) => event.amount),
  )
}
