// The reference model's reading of what a customer holds: contract section 4, and the allowance and periods of section 5.
import {
  exact,
  type Interval,
  largestTotal,
  min,
  periodFromAnchor,
  periodOfCalendar,
  type Span,
  sum,
} from './reference-arithmetic.ts'
import type { Customer, Entry, Feature, State } from './reference-state.ts'
import { givesAccess, type Held, heldBySubscription } from './reference-subscriptions.ts'

export type Allowance = { hasAccess: boolean; isUnlimited: boolean; limit: bigint }

/** The entries with which a held product, whose subscription gives access, grants the feature. */
function grantsOf(state: State, held: Held, featureKey: string): Entry[] {
  if (!givesAccess(held)) return []
  const product = state.products.find((one) => one.productKey === held.productKey)
  return (product?.versions[held.version - 1] ?? []).filter(
    (entry) => entry.featureKey === featureKey && entry.hasAccess,
  )
}

const isAddOn = (state: State, { productKey }: Held) =>
  state.products.some((product) => product.productKey === productKey && product.isAddOn)

/** What a limit is multiplied by: the quantity bought, where the product's limits are per unit. */
function unitsOf(state: State, { productKey, items }: Held): bigint {
  const product = state.products.find((one) => one.productKey === productKey)
  if (!product?.limitsPerUnit || items.length === 0) return 1n
  return BigInt(items.reduce((total, item) => total + item.quantity, 0))
}

/** Subscriptions and assigned products and, when no main one of them gives access, the default at its latest version. */
export function heldProducts(state: State, customer: Customer): Held[] {
  const assigned = customer.assigned.map((each) => ({
    ...each,
    status: 'active',
    canceledAt: null,
    items: [],
  }))
  const held: Held[] = [...heldBySubscription(state, customer), ...assigned]
  if (held.some((each) => givesAccess(each) && !isAddOn(state, each))) return held
  const ofDefault = state.products
    .filter((product) => product.isDefault)
    .map(({ productKey, versions }) => ({
      productKey,
      version: versions.length,
      startedAt: Math.max(customer.usageStartedAt, customer.mainEndedAt ?? 0),
      fellBackAt: customer.fellBackAt,
      status: 'active',
      canceledAt: null,
      items: [],
    }))
  return [...held, ...ofDefault]
}

export function allowanceOf(state: State, customer: Customer, featureKey: string): Allowance {
  const entries = heldProducts(state, customer).flatMap((held) =>
    grantsOf(state, held, featureKey).map((entry) => ({ ...entry, units: unitsOf(state, held) })),
  )
  return {
    hasAccess: entries.length > 0,
    isUnlimited: entries.some((entry) => entry.isUnlimited === true),
    limit: min(sum(entries.map((entry) => exact(entry.limit ?? 0) * entry.units)), largestTotal),
  }
}

/**
 * Counted from the billing cycle of the oldest subscription that grants the feature, and cut where that began; and where the
 * customer fell back to a default product that grants it.
 */
export function periodOf(state: State, customer: Customer, feature: Feature, at: number): Span {
  const { interval, anchor, featureKey } = feature
  const granting = heldProducts(state, customer).filter(
    (held) => grantsOf(state, held, featureKey).length > 0,
  )
  const fellBackAt = granting.find((held) => held.fellBackAt !== undefined)?.fellBackAt
  if (anchor === 'calendar') return cut(interval, periodOfCalendar(interval, at), [fellBackAt], at)
  const [oldest] = granting
    .filter((held) => held.billingAnchorAt !== undefined)
    .sort((a, b) => a.startedAt - b.startedAt)
  const period = periodFromAnchor(interval, oldest?.billingAnchorAt ?? customer.usageStartedAt, at)
  return cut(interval, period, [oldest?.startedAt, fellBackAt], at)
}

/** From the last cut up to the instant to the first after it. */
function cut(interval: Interval, period: Span, cuts: (number | undefined)[], at: number): Span {
  if (interval === 'never') return period
  const within = cuts.filter((each) => each !== undefined).filter((each) => contains(period, each))
  return {
    start: Math.max(period.start, ...within.filter((each) => each <= at)),
    end: Math.min(period.end, ...within.filter((each) => each > at)),
  }
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
