// The payment provider as its account's owner uses it, through the provider's own library at the simulator: products, and the
// subscriptions of customers.
import Stripe from 'stripe'
import type { TestService } from '../service.ts'
import type { Chance } from './chance.ts'
import type { ProviderSubscription } from './reference-subscriptions.ts'

const toMs = (seconds: number) => seconds * 1000

export type ProviderProduct = { productKey: string; providerProductId: string; priceIds: string[] }

export function openAccount({ instances }: TestService): Stripe {
  const [first] = instances
  if (first === undefined) throw new Error('there is no instance')
  const { url, secrets } = first.simulatorAccess
  const { hostname, port } = new URL(url)
  return new Stripe(secrets.test.secretKey, { host: hostname, port: Number(port), protocol: 'http' })
}

/** With a monthly and a yearly price. */
export async function createProduct(account: Stripe, productKey: string): Promise<ProviderProduct> {
  const recurring = (interval: 'month' | 'year') => ({
    currency: 'usd',
    unit_amount: 900,
    recurring: { interval },
  })
  const made = await account.products.create({ name: productKey, default_price_data: recurring('month') })
  const yearly = await account.prices.create({ product: made.id, ...recurring('year') })
  return { productKey, providerProductId: made.id, priceIds: [String(made.default_price), yearly.id] }
}

/** All there ever were, as the provider has them now. */
export async function readSubscriptions(account: Stripe, customer: string): Promise<ProviderSubscription[]> {
  const { data } = await account.subscriptions.list({ customer, status: 'all', limit: 100 })
  return data.map((subscription) => ({
    subscriptionId: subscription.id,
    status: subscription.status,
    startedAt: toMs(subscription.start_date),
    billingAnchorAt: toMs(subscription.billing_cycle_anchor),
    endedAt: subscription.ended_at === null ? null : toMs(subscription.ended_at),
    canceledAt: subscription.canceled_at === null ? null : toMs(subscription.canceled_at),
    items: subscription.items.data.map((item) => ({
      providerProductId: String(item.price.product),
      providerPriceId: item.price.id,
      quantity: item.quantity ?? 1,
      currentPeriodStart: toMs(item.current_period_start),
      currentPeriodEnd: toMs(item.current_period_end),
    })),
  }))
}

/** One change of a customer's subscriptions, told in a few words; a refusal by the provider changes nothing. */
export async function changeSubscriptions(
  account: Stripe,
  chance: Chance,
  customer: string,
  priceIds: string[],
  now: number,
): Promise<string> {
  const { data } = await account.subscriptions.list({ customer, limit: 100 })
  const running = chance.pick(data)
  const price = chance.pick(priceIds)
  try {
    // Of two that began at once neither is the older, and which of them gives the periods is not said.
    const mayHaveTwo = data.length === 1 && toMs(running?.start_date ?? 0) < now - 1000
    if (running === undefined || (mayHaveTwo && chance.is(0.2)))
      return await subscribe(account, chance, customer, price)
    return await change(account, chance, running, price)
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeError)) throw error
    return `was refused: ${error.message}`
  }
}

const cards = ['pm_card_visa', 'pm_card_chargeCustomerFail']

async function subscribe(account: Stripe, chance: Chance, customer: string, price: string): Promise<string> {
  const card = chance.pick([...cards, undefined])
  if (card !== undefined) {
    const { id } = await account.paymentMethods.attach(card, { customer })
    await account.customers.update(customer, { invoice_settings: { default_payment_method: id } })
  }
  const isTrial = card !== 'pm_card_visa' || chance.is(0.4)
  await account.subscriptions.create({
    customer,
    items: [{ price, quantity: 1 + chance.upTo(3) }],
    // A payment that fails at the trial's end is tried for another day.
    metadata: { simulator_dunning_days: '1', simulator_dunning_outcome: chance.pick(['unpaid', 'canceled']) },
    ...(isTrial
      ? { trial_period_days: 1, trial_settings: { end_behavior: { missing_payment_method: 'pause' } } }
      : {}),
  })
  return `subscribes to ${price}${isTrial ? ' on trial' : ''}`
}

async function change(
  account: Stripe,
  chance: Chance,
  { id, status, items }: Stripe.Subscription,
  price: string,
): Promise<string> {
  const item = items.data[0]?.id ?? ''
  if (status === 'paused') {
    const { customer } = await account.subscriptions.retrieve(id)
    const method = await account.paymentMethods.attach('pm_card_visa', { customer: String(customer) })
    await account.subscriptions.update(id, { default_payment_method: method.id })
    await account.subscriptions.resume(id)
    return 'resumes'
  }
  const doing = chance.weigh([
    [4, 'switches'],
    [2, 'changes the quantity'],
    [2, 'cancels at the period end'],
    [1, 'goes on'],
    [2, 'cancels'],
    [status === 'trialing' ? 3 : 0, 'ends the trial'],
  ] as const)
  if (doing === 'cancels') await account.subscriptions.cancel(id)
  else {
    const params: Record<typeof doing, Stripe.SubscriptionUpdateParams> = {
      switches: { items: [{ id: item, price }] },
      'changes the quantity': { items: [{ id: item, quantity: 1 + chance.upTo(4) }] },
      'cancels at the period end': { cancel_at_period_end: true },
      'goes on': { cancel_at_period_end: false },
      'ends the trial': { trial_end: 'now' },
    }
    await account.subscriptions.update(id, params[doing])
  }
  return `${doing} (${price})`
}
