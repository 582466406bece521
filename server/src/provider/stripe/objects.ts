// Maps Stripe's objects to ours: seconds become milliseconds, references become ids.
import type Stripe from 'stripe'
import type { SubscriptionPhase } from '../../domain/billing/subscription-phase.ts'
import type {
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
  const periodEnd = Math.max(...items.map((item) => item.current_period_end))
  const { cancel_at, cancel_at_period_end, pause_collection } = subscription
  return {
    providerSubscriptionId: subscription.id,
    providerCustomerId: toId(subscription.customer),
    status: subscription.status,
    phase: toPhase(subscription.status),
    createdAt: toMs(subscription.created),
    startedAt: toMs(subscription.start_date),
    billingCycleAnchor: toMs(subscription.billing_cycle_anchor),
    // Flexible billing mode sets a date where the classic mode sets the flag.
    cancelAtPeriodEnd: cancel_at_period_end || (cancel_at !== null && cancel_at <= periodEnd),
    cancelAt: toMsOrNull(cancel_at),
    canceledAt: toMsOrNull(subscription.canceled_at),
    endedAt: toMsOrNull(subscription.ended_at),
    trialEnd: toMsOrNull(subscription.trial_end),
    pause: pause_collection === null ? null : { resumesAt: toMsOrNull(pause_collection.resumes_at) },
    metadata: subscription.metadata,
    items: items.map(toItem),
  }
}

export function toProduct(product: Stripe.Product, prices: Stripe.Price[]): ProviderProduct {
  return {
    providerProductId: product.id,
    name: product.name,
    isActive: product.active,
    metadata: product.metadata,
    defaultProviderPriceId: toIdOrNull(product.default_price),
    prices: prices.map(toPrice),
  }
}

export function toCheckoutSession(session: Stripe.Checkout.Session): ProviderCheckoutSession {
  return {
    checkoutSessionId: session.id,
    status: session.status as ProviderCheckoutSession['status'],
    url: session.url,
    expiresAt: toMs(session.expires_at),
    providerCustomerId: toIdOrNull(session.customer),
    providerSubscriptionId: toIdOrNull(session.subscription),
    metadata: session.metadata ?? {},
  }
}
