// What a customer can do on the hosted portal page: another card, cancelling, resuming, another price.
import { ApiError } from '../api/errors.ts'
import { type Context, findObject, getObject, listOwned } from '../context.ts'
import { findCard } from '../customers/cards.ts'
import { attachPaymentMethod, createPaymentMethod } from '../customers/payment-methods.ts'
import { saveAndEmit } from '../events/record.ts'
import type { PortalFeatures, StoredPortalConfiguration, StoredPortalSession } from '../hosted-objects.ts'
import type {
  StoredCustomer,
  StoredPaymentMethod,
  StoredPrice,
  StoredProduct,
  StoredSubscription,
} from '../objects.ts'
import { computeProration, selectDueNow } from '../subscriptions/amounts.ts'
import { cancelInPortal, changeItems, computePeriodEnd, keepRunning } from '../subscriptions/change.ts'
import { loadPrices } from '../subscriptions/invoices.ts'
import { endSubscription } from '../subscriptions/lifecycle.ts'
import { saveChange } from '../subscriptions/update.ts'

export type PortalSubscription = {
  subscription: StoredSubscription
  price: StoredPrice
  productName: string
  offers: StoredPrice[]
}

export type PortalView = {
  customer: StoredCustomer
  features: PortalFeatures
  card: StoredPaymentMethod | undefined
  subscriptions: PortalSubscription[]
}

async function readFeatures(context: Context, session: StoredPortalSession): Promise<PortalFeatures> {
  const name = 'billing_portal.configuration'
  return (await getObject<StoredPortalConfiguration>(context, name, session.configuration)).features
}

/** The prices a subscription can be changed to: those its configuration lists, else the others of its product. */
async function findOffers(
  context: Context,
  current: StoredPrice,
  { subscription_update: update }: PortalFeatures,
): Promise<StoredPrice[]> {
  if (!update.enabled || !update.default_allowed_updates.includes('price')) return []
  const listed = update.products.flatMap((product) => product.prices)
  const found =
    listed.length === 0
      ? await listOwned<StoredPrice>(context, 'price', current.product)
      : ((await context.store.findObjects(listed)) as unknown as StoredPrice[])
  return found.filter(
    (offer) =>
      offer.active &&
      offer.recurring?.usage_type === 'licensed' &&
      offer.currency === current.currency &&
      offer.id !== current.id,
  )
}

/** The card that is charged: the customer's default, else a subscription's own, else the newest. */
async function findCurrentCard(
  context: Context,
  customer: StoredCustomer,
  subscriptions: StoredSubscription[],
): Promise<StoredPaymentMethod | undefined> {
  const id =
    customer.invoice_settings.default_payment_method ??
    subscriptions.find((one) => one.default_payment_method !== null)?.default_payment_method
  if (id) return findObject<StoredPaymentMethod>(context, 'payment_method', id)
  return (await listOwned<StoredPaymentMethod>(context, 'payment_method', customer.id))[0]
}

export async function readPortal(context: Context, session: StoredPortalSession): Promise<PortalView> {
  const customer = await getObject<StoredCustomer>(context, 'customer', session.customer, 'customer')
  const features = await readFeatures(context, session)
  const held = (await listOwned<StoredSubscription>(context, 'subscription', session.customer)).filter(
    (subscription) => subscription.ended_at === null,
  )
  const only = session.flow?.subscription_cancel ?? session.flow?.subscription_update
  const subscriptions = []
  for (const subscription of held) {
    const item = subscription.items.data[0]
    if (item === undefined || (only && only.subscription !== subscription.id)) continue
    const price = await getObject<StoredPrice>(context, 'price', item.price)
    const product = await getObject<StoredProduct>(context, 'product', price.product)
    const offers = subscription.items.data.length > 1 ? [] : await findOffers(context, price, features)
    subscriptions.push({ subscription, price, productName: product.name, offers })
  }
  return { customer, features, card: await findCurrentCard(context, customer, held), subscriptions }
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

export type PortalAction = 'cancel' | 'resume' | 'switch'

async function switchPrice(
  context: Context,
  before: StoredSubscription,
  features: PortalFeatures,
  priceId: string,
): Promise<void> {
  const item = before.items.data[0]
  const current = await getObject<StoredPrice>(context, 'price', item?.price ?? '')
  const offers = await findOffers(context, current, features)
  if (!offers.some((offer) => offer.id === priceId)) throw new ApiError('This price is not offered here.')
  let next = await changeItems(context, before, [{ id: item?.id, price: priceId }])
  if (next.cancel_at_period_end) next = { ...next, cancel_at: computePeriodEnd(next) }
  const prorated = computeProration(before, next, await loadPrices(context, before, next), context.now)
  const lines = selectDueNow(prorated, features.subscription_update.proration_behavior)
  await saveChange(context, before, next, { lines, mayFail: false })
}

export async function changeSubscription(
  context: Context,
  session: StoredPortalSession,
  action: PortalAction,
  { subscriptionId, priceId }: { subscriptionId: string; priceId: string },
): Promise<void> {
  const before = await findObject<StoredSubscription>(context, 'subscription', subscriptionId)
  if (before?.customer !== session.customer || before.ended_at !== null) {
    throw new ApiError('This subscription has ended.', { status: 404 })
  }
  const features = await readFeatures(context, session)
  if (action === 'switch') return switchPrice(context, before, features, priceId)
  const { enabled, mode } = features.subscription_cancel
  if (action === 'cancel' && !enabled) throw new ApiError('Subscriptions cannot be cancelled here.')
  if (action === 'cancel' && mode === 'immediately') {
    const ended = endSubscription(cancelInPortal(before, context.now), context.now)
    return saveAndEmit(context, 'customer.subscription.deleted', ended, before)
  }
  const next = action === 'cancel' ? cancelInPortal(before, context.now) : keepRunning(before)
  await saveAndEmit(context, 'customer.subscription.updated', next, before)
}
