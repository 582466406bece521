// What an account's owner does by hand, for the account that is simulated: products and prices, subscribers, and their fates.
import Stripe from 'stripe'
import type { AccountOwner, NewProviderProduct, NewSubscriber } from '../provider.ts'
import { openStripe, type StripeAddress } from './client.ts'
import { type Deadline, withinDeadline } from './deadline.ts'
import { toMs } from './objects.ts'

const requestTimeoutMs = 3_500
const goodCard = { number: '4242424242424242', exp_month: 12, exp_year: 2040 }
const failingCard = 'pm_card_chargeCustomerFail'
const running = new Set(['trialing', 'active', 'past_due', 'unpaid', 'paused'])

const toSeconds = (ms: number): number => Math.floor(ms / 1000)

async function createProduct(
  stripe: Stripe,
  deadline: Deadline,
  { name, metadata = {}, prices }: NewProviderProduct,
  key: string,
) {
  const { id: product } = await stripe.products.create({ name, metadata }, deadline.request(`${key}-product`))
  const providerPriceIds: string[] = []
  for (const [index, { unitAmount, currency, interval, intervalCount, trialDays }] of prices.entries()) {
    const recurring = {
      interval,
      ...(intervalCount === undefined ? {} : { interval_count: intervalCount }),
      ...(trialDays === undefined ? {} : { trial_period_days: trialDays }),
    }
    const price = await stripe.prices.create(
      { product, currency, unit_amount: unitAmount, recurring },
      deadline.request(`${key}-price-${index}`),
    )
    providerPriceIds.push(price.id)
  }
  const [first] = providerPriceIds
  if (first) await stripe.products.update(product, { default_price: first }, deadline.request())
  return { providerProductId: product, providerPriceIds }
}

async function createSubscriber(stripe: Stripe, deadline: Deadline, subscriber: NewSubscriber, key: string) {
  const { name, email, metadata, items, startedAt, trialEndsAt, isSetToCancel } = subscriber
  const method = await stripe.paymentMethods.create(
    { type: 'card', card: goodCard },
    deadline.request(`${key}-card`),
  )
  const { id: customer } = await stripe.customers.create(
    {
      name,
      email,
      metadata,
      payment_method: method.id,
      invoice_settings: { default_payment_method: method.id },
    },
    deadline.request(`${key}-customer`),
  )
  const { id } = await stripe.subscriptions.create(
    {
      customer,
      items: items.map(({ providerPriceId, quantity }) => ({ price: providerPriceId, quantity })),
      backdate_start_date: toSeconds(startedAt),
      proration_behavior: 'none',
      ...(trialEndsAt === undefined ? {} : { trial_end: toSeconds(trialEndsAt) }),
      ...(isSetToCancel ? { cancel_at_period_end: true } : {}),
    },
    deadline.request(`${key}-subscription`),
  )
  return { providerCustomerId: customer, providerSubscriptionId: id }
}

async function advanceSubscription(stripe: Stripe, deadline: Deadline, id: string, key: string) {
  const before = await stripe.subscriptions.retrieve(id, {}, deadline.request())
  if (before.ended_at !== null) return { currentPeriodEnd: null }
  if (before.cancel_at_period_end || before.cancel_at !== null) {
    await stripe.subscriptions.cancel(id, {}, deadline.request(key))
    return { currentPeriodEnd: null }
  }
  const change: Stripe.SubscriptionUpdateParams =
    before.status === 'trialing' ? { trial_end: 'now' } : { billing_cycle_anchor: { type: 'now' } }
  const after = await stripe.subscriptions.update(
    id,
    { ...change, proration_behavior: 'none' },
    deadline.request(key),
  )
  const ends = after.items.data.map((item) => item.current_period_end)
  return { currentPeriodEnd: toMs(Math.min(...ends)) }
}

async function failPayments(stripe: Stripe, deadline: Deadline, customer: string, key: string) {
  const { id } = await stripe.paymentMethods.attach(
    failingCard,
    { customer },
    deadline.request(`${key}-card`),
  )
  const settings = { invoice_settings: { default_payment_method: id } }
  await stripe.customers.update(customer, settings, deadline.request())
  // A subscription bought on the hosted page is paid by a card of its own.
  const owned = await stripe.subscriptions.list({ customer, status: 'all', limit: 100 }, deadline.request())
  for (const { id: subscription, status, default_payment_method: own } of owned.data) {
    if (own === null || !running.has(status)) continue
    await stripe.subscriptions.update(subscription, { default_payment_method: id }, deadline.request())
  }
}

async function deleteCustomer(stripe: Stripe, deadline: Deadline, id: string): Promise<void> {
  await stripe.customers.del(id, {}, deadline.request()).catch((error) => {
    if (error instanceof Stripe.errors.StripeInvalidRequestError && error.statusCode === 404) return
    throw error
  })
}

export function createAccountOwner(secretKey: string, address: StripeAddress): AccountOwner {
  const stripe = openStripe(secretKey, address, requestTimeoutMs)
  const call = <T>(work: (deadline: Deadline) => Promise<T>): Promise<T> =>
    withinDeadline(requestTimeoutMs, work)
  return {
    createProduct: (product, key) => call((deadline) => createProduct(stripe, deadline, product, key)),
    archiveProduct: (id) =>
      call(async (deadline) => {
        await stripe.products.update(id, { active: false }, deadline.request())
      }),
    createSubscriber: (subscriber, key) =>
      call((deadline) => createSubscriber(stripe, deadline, subscriber, key)),
    deleteCustomer: (id) => call((deadline) => deleteCustomer(stripe, deadline, id)),
    advanceSubscription: (id, key) => call((deadline) => advanceSubscription(stripe, deadline, id, key)),
    cancelSubscription: (id, key) =>
      call(async (deadline) => {
        await stripe.subscriptions.cancel(id, {}, deadline.request(key))
      }),
    failPayments: (id, key) => call((deadline) => failPayments(stripe, deadline, id, key)),
  }
}
