// What a customer can do on the hosted portal page: another card, cancelling at the period's end, resuming, another price.

import { ApiError } from '../api/errors.ts'
import { type Context, findObject, getObject, listOwned } from '../context.ts'
import { findCard } from '../customers/cards.ts'
import { attachPaymentMethod, createPaymentMethod } from '../customers/payment-methods.ts'
import { saveAndEmit } from '../events/record.ts'
import type { StoredCustomer, StoredPaymentMethod, StoredPrice, StoredSubscription } from '../objects.ts'
import { cancelAtPeriodEnd, changeItems, keepRunning } from '../subscriptions/change.ts'

export type PortalView = {
  customer: StoredCustomer
  card: StoredPaymentMethod | undefined
  subscriptions: {
    subscription: StoredSubscription
    price: StoredPrice
    productName: string
    offers: StoredPrice[]
  }[]
}

export async function readPortal(context: Context, customerId: string): Promise<PortalView> {
  const customer = await getObject<StoredCustomer>(context, 'customer', customerId, 'customer')
  const cardId = customer.invoice_settings.default_payment_method
  const card =
    cardId === null ? undefined : await findObject<StoredPaymentMethod>(context, 'payment_method', cardId)
  const subscriptions = []
  for (const subscription of await listOwned<StoredSubscription>(context, 'subscription', customerId)) {
    const item = subscription.items.data[0]
    if (subscription.ended_at !== null || item === undefined) continue
    const price = await getObject<StoredPrice>(context, 'price', item.price)
    const product = await getObject<{ id: string; object: 'product'; created: number; name: string }>(
      context,
      'product',
      price.product,
    )
    const offers = (await listOwned<StoredPrice>(context, 'price', price.product)).filter(
      (offer) => offer.active && offer.recurring !== null && offer.id !== price.id,
    )
    subscriptions.push({ subscription, price, productName: product.name, offers })
  }
  return { customer, card, subscriptions }
}

/** A new default card; it settles at once what an old one left unpaid. */
export async function changeCard(
  context: Context,
  customerId: string,
  number: string,
): Promise<string | undefined> {
  const card = findCard(number)
  if (card === undefined) return 'This is not one of the test cards listed below.'
  if (card.kind === 'declined') return 'Your card was declined. Please try another card.'
  const customer = await getObject<StoredCustomer>(context, 'customer', customerId, 'customer')
  const method = await attachPaymentMethod(context, await createPaymentMethod(context, card), customerId)
  const changed = { ...customer, invoice_settings: { default_payment_method: method.id } }
  await saveAndEmit(context, 'customer.updated', changed, customer)
  for (const before of await listOwned<StoredSubscription>(context, 'subscription', customerId)) {
    if (before.ended_at !== null) continue
    const owes = ['past_due', 'unpaid', 'incomplete'].includes(before.status) && !method.internal.fails
    const next: StoredSubscription = {
      ...before,
      default_payment_method: method.id,
      ...(owes && { status: 'active', internal: { ...before.internal, dunningEndsAt: null } }),
    }
    await saveAndEmit(context, 'customer.subscription.updated', next, before)
  }
  return undefined
}

async function getOwn(context: Context, customerId: string, id: string): Promise<StoredSubscription> {
  const subscription = await getObject<StoredSubscription>(context, 'subscription', id)
  if (subscription.customer === customerId && subscription.ended_at === null) return subscription
  throw new ApiError('This subscription has ended.', { status: 404 })
}

export type PortalAction = 'cancel' | 'resume' | 'switch'

export async function changeSubscription(
  context: Context,
  customerId: string,
  action: PortalAction,
  { subscriptionId, priceId }: { subscriptionId: string; priceId: string },
): Promise<void> {
  const before = await getOwn(context, customerId, subscriptionId)
  let next = before
  if (action === 'cancel') next = cancelAtPeriodEnd(before, context.now)
  if (action === 'resume') next = keepRunning(before)
  if (action === 'switch') {
    const item = before.items.data[0]
    const current = await getObject<StoredPrice>(context, 'price', item?.price ?? '')
    const wanted = await getObject<StoredPrice>(context, 'price', priceId, 'price')
    if (wanted.product !== current.product) throw new ApiError('This price is of another product.')
    next = await changeItems(context, before, [{ id: item?.id, price: priceId }])
    if (next.cancel_at_period_end) next = cancelAtPeriodEnd(next, context.now)
  }
  await saveAndEmit(context, 'customer.subscription.updated', next, before)
}
