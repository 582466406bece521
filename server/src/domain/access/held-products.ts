// What a customer holds now: subscriptions, assigned custom products, else the default product.

import type { Catalogue, FeatureAccessEntry, Product } from '../catalogue/catalogue.ts'
import { heldVersion, latestVersion } from '../catalogue/catalogue.ts'
import type { CustomerState, Subscription, SubscriptionItem } from '../ledger/state.ts'
import { computePeriod, type Period } from './period.ts'

export type HeldProduct = {
  product: Product
  version: number
  entries: readonly FeatureAccessEntry[]
  status: string
  givesAccess: boolean
  canceledAt: number | null
  startedAt: number
  /** Of a subscription: where its billing cycles are counted from. */
  billingAnchorAt: number | undefined
  currentPeriod: Period
  items: readonly SubscriptionItem[]
}

export function computeHeldProducts(catalogue: Catalogue, state: CustomerState, now: number): HeldProduct[] {
  const held = [
    ...state.subscriptions.flatMap((subscription) => heldBySubscription(catalogue, subscription)),
    ...heldByAssignment(catalogue, state, now),
  ]
  if (catalogue.defaultProduct && !held.some((each) => each.givesAccess)) {
    held.push(customHeld(catalogue.defaultProduct, undefined, state, state.customer.usageStartedAt, now))
  }
  return held
}

function heldBySubscription(catalogue: Catalogue, subscription: Subscription): HeldProduct[] {
  if (subscription.phase === 'ended') return []
  const itemsByProduct = Map.groupBy(subscription.items, (item) => item.providerProductId)
  return [...itemsByProduct].flatMap(([providerProductId, items]) => {
    const product = catalogue.productsByProviderId.get(providerProductId)
    const first = items[0]
    if (!product || !first) return []
    // An item seen before its product was linked holds the version that linking made, the first.
    const version = Math.min(...items.map((item) => item.version ?? 1))
    return {
      product,
      version,
      entries: heldVersion(product, version).entries,
      status: subscription.status,
      givesAccess: subscription.phase === 'granting',
      canceledAt: subscription.canceledAt,
      startedAt: subscription.startedAt,
      billingAnchorAt: subscription.billingAnchorAt,
      currentPeriod: { start: first.currentPeriodStart, end: first.currentPeriodEnd },
      items,
    }
  })
}

function heldByAssignment(catalogue: Catalogue, state: CustomerState, now: number): HeldProduct[] {
  return state.assignments.flatMap(({ productId, version, startedAt }) => {
    const product = catalogue.productsById.get(productId)
    return product ? customHeld(product, version, state, startedAt, now) : []
  })
}

function customHeld(
  product: Product,
  version: number | undefined,
  state: CustomerState,
  startedAt: number,
  now: number,
): HeldProduct {
  const held = version === undefined ? latestVersion(product) : heldVersion(product, version)
  return {
    product,
    version: held.version,
    entries: held.entries,
    status: 'active',
    givesAccess: true,
    canceledAt: null,
    startedAt,
    billingAnchorAt: undefined,
    currentPeriod: computePeriod('month', state.customer.usageStartedAt, now),
    items: [],
  }
}
