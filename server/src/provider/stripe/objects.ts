// Maps Stripe's objects to ours: seconds become milliseconds, references become ids.
import type Stripe from 'stripe'
import type { SubscriptionPhase } from '../../domain/billing/subscription-phase.ts'
import type {
  ListedProduct,
  ProviderCheckoutSession,
  ProviderPrice,
  ProviderProduct,
  ProviderSubscription,
  ProviderSubscriptionItem,
} from '../provider.ts'

export const toMs = (seconds: number): number => seconds * 1000
const toMsOrNull = (seconds: number | null | undefined): number | null =>
  seconds === null || seconds === undefined ? null : toMs(seconds)

export function toId(reference: string | { id: string }): string {
  return typeof reference === 'string' ? reference : reference.id
}
const toIdOrNull = (reference: string | { id: string } | null | undefined): string | null =>
  reference === null || reference === undefined ? null : toId(reference)

export function toPrice(price: Stripe.Price): ProviderPrice {
  // Prices in fractions of a cent have only the decimal form; tiered ones have neither.
  const unitAmount =
    price.unit_amount ??
    (price.unit_amount_decimal == null ? null : Number(String(price.unit_amount_decimal)))
  return {
    providerPriceId: price.id,
    providerProductId: toId(price.product),
    currency: price.currency,
    unitAmount,
    recurringInterval: price.recurring?.interval ?? null,
    recurringIntervalCount: price.recurring?.interval_count ?? null,
    isMetered: price.recurring?.usage_type === 'metered',
    isActive: price.active,
  }
}

function toItem(item: Stripe.SubscriptionItem): ProviderSubscriptionItem {
  return {
    ...toPrice(item.price),
    itemId: item.id,
    // Metered items have no quantity.
    quantity: item.quantity ?? 1,
    currentPeriodStart: toMs(item.current_period_start),
    currentPeriodEnd: toMs(item.current_period_end),
  }
}

const granting = new Set(['trialing', 'active', 'past_due'])
const ended = new Set(['canceled', 'incomplete_expired'])

/** A status of a later version that is not known here gives nothing and takes nothing away for good. */
function toPhase(status: string): SubscriptionPhase {
  if (granting.has(status)) return 'granting'
  return ended.has(status) ? 'ended' : 'suspended'
}

/** `items` is given apart: the embedded list may be only its first page. */
export function toSubscription(
  subscription: Stripe.Subscription,
  items: Stripe.SubscriptionItem[],
): ProviderSubscription {
  return {
    providerSubscriptionId: subscription.id,
    status: subscription.status,
    phase: toPhase(subscription.status),
    isAwaitingFirstPayment: subscription.status === 'incomplete',
    startedAt: toMs(subscription.start_date),
    billingCycleAnchor: toMs(subscription.billing_cycle_anchor),
    // Flexible billing mode sets a date where the classic mode sets the flag.
    isSetToCancel: subscription.cancel_at_period_end || subscription.cancel_at !== null,
    canceledAt: toMsOrNull(subscription.canceled_at),
    endedAt: toMsOrNull(subscription.ended_at),
    items: items.map(toItem),
  }
}

export const toListedProduct = (product: Stripe.Product): ListedProduct => ({
  providerProductId: product.id,
  name: product.name,
  isActive: product.active,
  metadata: product.metadata,
  defaultProviderPriceId: toIdOrNull(product.default_price),
})

export const toProduct = (product: Stripe.Product, prices: Stripe.Price[]): ProviderProduct => ({
  ...toListedProduct(product),
  prices: prices.map(toPrice),
})

export function toCheckoutSession(session: Stripe.Checkout.Session): ProviderCheckoutSession {
  return {
    checkoutSessionId: session.id,
    status: session.status as ProviderCheckoutSession['status'],
    url: session.url,
  }
}
