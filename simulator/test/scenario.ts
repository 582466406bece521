// One long scenario that visits every endpoint of the simulator in many states, for whoever wants to look at its answers.
import assert from 'node:assert/strict'
import type Stripe from 'stripe'
import { type SimulatorFixture, seed, submit } from './simulator-fixture.ts'

const confirm = (subscription: Stripe.Subscription, price: string) => ({
  type: 'subscription_update_confirm' as const,
  subscription_update_confirm: {
    subscription: subscription.id,
    items: [{ id: subscription.items.data[0]?.id as string, price, quantity: 2 }],
  },
  after_completion: { type: 'redirect' as const, redirect: { return_url: 'https://shop.example/done' } },
})

async function visitCatalogue(stripe: Stripe) {
  const { product, priceId, customer } = await seed(stripe)
  const meter = await stripe.billing.meters.create({
    display_name: 'Calls',
    event_name: 'calls',
    default_aggregation: { formula: 'sum' },
  })
  await stripe.billing.meters.retrieve(meter.id)
  await stripe.billing.meters.list({ status: 'active' })
  const price = (fields: Partial<Stripe.PriceCreateParams>) =>
    stripe.prices.create({ product: product.id, currency: 'usd', unit_amount: 5000, ...fields })
  const yearly = await price({ recurring: { interval: 'year' }, nickname: 'Yearly', lookup_key: 'yearly' })
  const once = await price({})
  const metered = await price({ recurring: { interval: 'month', usage_type: 'metered', meter: meter.id } })
  await stripe.prices.update(once.id, { metadata: { a: 'b' }, nickname: 'Once' })
  await stripe.prices.retrieve(once.id, { expand: ['product'] })
  await stripe.prices.list({ active: true, limit: 100, product: product.id, type: 'recurring' })
  await stripe.products.update(product.id, {
    description: 'All of it',
    images: ['https://shop.example/p.png'],
  })
  await stripe.products.retrieve(product.id, { expand: ['default_price'] })
  await stripe.products.list({ active: true, ids: [product.id] })
  await stripe.products.search({ query: "active:'true' AND name:'Pro'" })
  await stripe.prices.search({ query: "lookup_key:'yearly'" })
  await stripe.products.del((await stripe.products.create({ name: 'Gone' })).id)
  return { product, priceId, customer, yearlyId: yearly.id, onceId: once.id, meteredId: metered.id }
}

async function visitCustomers(stripe: Stripe) {
  const customer = await stripe.customers.create({
    name: 'Grace',
    email: 'grace@example.com',
    metadata: { customerId: "o'brien" },
    payment_method: 'pm_card_mastercard',
  })
  await stripe.customers.update(customer.id, { phone: '+1 555', preferred_locales: ['en'] })
  await stripe.customers.list({ email: 'grace@example.com', created: { gte: 1 } })
  const found = await stripe.customers.search({ query: String.raw`metadata['customerId']:'o\'brien'` })
  assert.equal(found.data[0]?.id, customer.id)
  const method = await stripe.paymentMethods.create({
    type: 'card',
    card: { number: '4242424242424242' } as never,
  })
  await stripe.paymentMethods.retrieve(method.id)
  await stripe.paymentMethods.attach(method.id, { customer: customer.id })
  await stripe.paymentMethods.list({ customer: customer.id, type: 'card' })
  await stripe.customers.listPaymentMethods(customer.id, { limit: 1 })
  await stripe.paymentMethods.detach(method.id)
  await stripe.customers.del(customer.id)
  assert.equal((await stripe.customers.retrieve(customer.id)).deleted, true)
}

type Catalogue = Awaited<ReturnType<typeof visitCatalogue>>

async function visitSubscriptions(
  fixture: SimulatorFixture,
  { customer, priceId, yearlyId, meteredId }: Catalogue,
) {
  const stripe = fixture.stripe.test
  const create = (params: Partial<Stripe.SubscriptionCreateParams> = {}) =>
    stripe.subscriptions.create({
      customer: customer.id,
      items: [{ price: priceId, quantity: 2 }],
      ...params,
    })
  const held = await create({ metadata: { plan: 'pro' } })
  const itemId = held.items.data[0]?.id as string
  await stripe.subscriptions.update(held.id, {
    items: [{ id: itemId, price: yearlyId, quantity: 3 }],
    proration_behavior: 'always_invoice',
  })
  await stripe.subscriptions.update(held.id, { cancel_at_period_end: true })
  await stripe.subscriptions.update(held.id, { cancel_at_period_end: false, description: 'Kept' })
  await stripe.subscriptions.update(held.id, { pause_collection: { behavior: 'void' } })
  await stripe.subscriptions.retrieve(held.id, {
    expand: ['customer', 'latest_invoice', 'default_payment_method'],
  })
  const added = await stripe.subscriptionItems.create({ subscription: held.id, price: meteredId })
  assert.equal(added.quantity, undefined)
  await stripe.subscriptionItems.retrieve(added.id)
  await stripe.subscriptionItems.list({ subscription: held.id })
  await stripe.subscriptionItems.update(itemId, { quantity: 4 })
  await stripe.subscriptionItems.del(added.id)
  await stripe.subscriptions.search({ query: "status:'active' AND metadata['plan']:'pro'" })
  const poor = await stripe.customers.create({})
  const trial = await stripe.subscriptions.create({
    customer: poor.id,
    items: [{ price: priceId }],
    trial_period_days: 7,
    billing_mode: { type: 'classic' },
    trial_settings: { end_behavior: { missing_payment_method: 'pause' } },
  })
  const failing = await stripe.paymentMethods.attach('pm_card_chargeCustomerFail', { customer: customer.id })
  await create({ trial_period_days: 3, default_payment_method: failing.id })
  await create({ default_payment_method: failing.id })
  await fixture.clock.moveTo('2026-03-25T00:00:00Z')
  assert.equal((await stripe.subscriptions.retrieve(trial.id)).status, 'paused')
  const method = await stripe.paymentMethods.attach('pm_card_visa', { customer: poor.id })
  await stripe.subscriptions.update(trial.id, { default_payment_method: method.id })
  await stripe.subscriptions.resume(trial.id, { billing_cycle_anchor: { type: 'now' } })
  await stripe.subscriptions.cancel(trial.id, { cancellation_details: { feedback: 'unused' } })
  await stripe.subscriptions.list({ customer: customer.id, status: 'all', limit: 100 })
  const invoices = await stripe.invoices.list({ customer: customer.id, limit: 100 })
  await stripe.invoices.retrieve(invoices.data[0]?.id as string)
}

async function visitCheckout(stripe: Stripe, { customer, priceId, onceId, meteredId }: Catalogue) {
  const create = (params: Partial<Stripe.Checkout.SessionCreateParams> = {}) =>
    stripe.checkout.sessions.create({
      mode: 'subscription',
      line_items: [{ price: priceId, quantity: 5 }, { price: onceId, quantity: 1 }, { price: meteredId }],
      success_url: 'https://shop.example/ok?id={CHECKOUT_SESSION_ID}',
      ...params,
    })
  const paid = await create({
    customer: customer.id,
    cancel_url: 'https://shop.example/no',
    locale: 'de',
    allow_promotion_codes: true,
    allowed_payment_method_types: ['card'],
    billing_address_collection: 'auto',
    customer_update: { name: 'auto' },
    metadata: { order: '1' },
    expand: ['line_items'],
  })
  await submit(paid.url as string, { card_number: '4242424242424242' })
  await stripe.checkout.sessions.retrieve(paid.id, { expand: ['subscription', 'customer', 'line_items'] })
  const trial = await create({
    customer_email: 'new@example.com',
    payment_method_collection: 'if_required',
    line_items: [{ price: priceId, quantity: 1 }],
    subscription_data: {
      trial_period_days: 5,
      billing_mode: { type: 'flexible' },
      trial_settings: { end_behavior: { missing_payment_method: 'cancel' } },
    },
  })
  assert.equal((await submit(trial.url as string, {})).status, 303)
  await stripe.checkout.sessions.expire((await create()).id)
  await stripe.checkout.sessions.list({ customer: customer.id, limit: 100 })
}

async function visitPortal(stripe: Stripe, { product, priceId, yearlyId }: Catalogue) {
  const customer = await stripe.customers.create({ payment_method: 'pm_card_visa', name: 'Portal' })
  const [method] = (await stripe.customers.listPaymentMethods(customer.id)).data
  const subscription = await stripe.subscriptions.create({
    customer: customer.id,
    items: [{ price: priceId }],
    default_payment_method: method?.id as string,
  })
  const configuration = await stripe.billingPortal.configurations.create({
    name: 'Changes',
    features: {
      subscription_update: {
        enabled: true,
        default_allowed_updates: ['price', 'quantity'],
        products: [{ product: product.id, prices: [priceId, yearlyId] }],
        proration_behavior: 'always_invoice',
        trial_update_behavior: 'continue_trial',
      },
    },
  })
  await stripe.billingPortal.configurations.retrieve(configuration.id)
  await stripe.billingPortal.configurations.update(configuration.id, { metadata: { own: 'yes' } })
  const link = (params: Partial<Stripe.BillingPortal.SessionCreateParams> = {}) =>
    stripe.billingPortal.sessions.create({
      customer: customer.id,
      return_url: 'https://shop.example/',
      ...params,
    })
  const change = await link({ configuration: configuration.id, flow_data: confirm(subscription, yearlyId) })
  assert.equal((await submit(`${change.url}/confirm`, {})).location, 'https://shop.example/done')
  await link({ flow_data: { type: 'payment_method_update' } })
  await link({
    flow_data: { type: 'subscription_cancel', subscription_cancel: { subscription: subscription.id } },
  })
  const home = await link({ locale: 'auto' })
  await submit(`${home.url}/cancel`, { subscription: subscription.id })
  await stripe.subscriptions.retrieve(subscription.id)
  await stripe.billingPortal.configurations.list({ active: true })
}

export async function visitEveryEndpoint(fixture: SimulatorFixture): Promise<void> {
  const stripe = fixture.stripe.test
  const catalogue = await visitCatalogue(stripe)
  await visitCustomers(stripe)
  await visitCheckout(stripe, catalogue)
  await visitPortal(stripe, catalogue)
  await visitSubscriptions(fixture, catalogue)
  const events: Stripe.Event[] = []
  for await (const event of stripe.events.list({ limit: 100 })) events.push(event)
  await stripe.events.retrieve(events[0]?.id as string)
  await stripe.events.list({ types: ['customer.subscription.paused', 'checkout.session.completed'] })
}
