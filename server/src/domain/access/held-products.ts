// What a customer holds now: subscriptions, assigned custom products and, without a main product that gives access, the
// default product.

import { givesAccess } from '../billing/subscription.ts'
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
  /** What its limits are multiplied by. */
  units: number
  /** Of the default product held as a fall-back: the instant that cuts its periods; undefined if there was none. */
  fellBackAt?: number | undefined
  items: readonly SubscriptionItem[]
}

export function computeHeldProducts(catalogue: Catalogue, state: CustomerState, now: number): HeldProduct[] {
  const held = [
    ...state.subscriptions.flatMap((subscription) => heldBySubscription(catalogue, subscription)),
    ...heldByAssignment(catalogue, state, now),
  ]
  const { defaultProduct } = catalogue
  if (!defaultProduct || held.some(isMain)) return held
  const { usageStartedAt, mainEndedAt = usageStartedAt, fellBackAt } = state.customer
  const startedAt = Math.max(usageStartedAt, mainEndedAt)
  return [...held, { ...customHeld(defaultProduct, undefined, state, startedAt, now), fellBackAt }]
}

/** Whether it is a main product that gives access: while one is held, the default product is not. */
const isMain = ({ product, givesAccess }: Pick<HeldProduct, 'product' | 'givesAccess'>): boolean =>
  givesAccess && !product.isAddOn

/** The plan that a customer is on: of several main products, the first. */
export const findMainProduct = (held: readonly HeldProduct[]): Product | undefined =>
  held.find(isMain)?.product

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
      givesAccess: givesAccess(subscription),
      canceledAt: subscription.canceledAt,
      startedAt: subscription.startedAt,
      billingAnchorAt: subscription.billingAnchorAt,
      currentPeriod: { start: first.currentPeriodStart, end: first.currentPeriodEnd },
      units: product.limitsPerUnit ? countUnits(items) : 1,
      items,
    }
  })
}

/** The quantity over licensed items; metered ones count nothing, and where all are metered it is one. */
export function countUnits(items: readonly SubscriptionItem[]): number {
  const licensed = items.filter((item) => !item.isMetered)
  if (licensed.length === 0) return 1
  return licensed.reduce((sum, item) => sum + item.quantity, 0)
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
    units: 1,
    items: [],
  }
}
