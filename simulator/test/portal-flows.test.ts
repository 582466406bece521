// Portal configurations, and the links on which a customer confirms a change that the seller prepared.
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import type Stripe from 'stripe'
import { open, type SimulatorFixture, startSimulator, submit } from './simulator-fixture.ts'

const start = '2026-02-01T00:00:00Z'
let running: SimulatorFixture
let stripe: Stripe
before(async () => {
  running = await startSimulator({ startsAt: start })
  stripe = running.stripe.test
})
after(() => running.close())
afterEach(() => {
  running.clock.nowMs = Date.parse(start)
})

async function makePlan(name: string, monthly: number) {
  const product = await stripe.products.create({ name })
  const price = (interval: 'month' | 'year', unit_amount: number, currency = 'usd') =>
    stripe.prices.create({ product: product.id, currency, unit_amount, recurring: { interval } })
  const [month, year] = [await price('month', monthly), await price('year', monthly * 10)]
  return { product: product.id, month: month.id, year: year.id, price }
}

type Update = NonNullable<Stripe.BillingPortal.ConfigurationCreateParams['features']['subscription_update']>

/** Basic and Pro, a subscriber of Basic at 10.00 a month, and a configuration that allows the change. */
async function setUp(update: Partial<Update> = {}, params: Partial<Stripe.SubscriptionCreateParams> = {}) {
  const [basic, pro] = [await makePlan('Basic', 1_000), await makePlan('Pro', 3_000)]
  const configuration = await stripe.billingPortal.configurations.create({
    features: {
      subscription_update: {
        enabled: true,
        default_allowed_updates: ['price', 'quantity'],
        products: [basic, pro].map(({ product, month, year }) => ({ product, prices: [month, year] })),
        proration_behavior: 'always_invoice',
        trial_update_behavior: 'continue_trial',
        ...update,
      },
    },
  })
  const customer = await stripe.customers.create({ email: 'ada@example.com' })
  const method = await stripe.paymentMethods.attach('pm_card_visa', { customer: customer.id })
  const subscription = await stripe.subscriptions.create({
    customer: customer.id,
    items: [{ price: basic.month, quantity: 1 }],
    default_payment_method: method.id,
    ...params,
  })
  const itemId = subscription.items.data[0]?.id as string
  const link = (
    item: { id?: string; price?: string; quantity?: number },
    more: Partial<Stripe.BillingPortal.SessionCreateParams> = {},
  ) =>
    stripe.billingPortal.sessions.create({
      customer: customer.id,
      configuration: configuration.id,
      return_url: 'https://shop.example/back',
      flow_data: {
        type: 'subscription_update_confirm',
        after_completion: { type: 'redirect', redirect: { return_url: 'https://shop.example/done' } },
        subscription_update_confirm: { subscription: subscription.id, items: [{ id: itemId, ...item }] },
      },
      ...more,
    })
  const read = () => stripe.subscriptions.retrieve(subscription.id, { expand: ['latest_invoice'] })
  return { basic, pro, configuration, customer, subscription, itemId, link, read }
}

const refused = (call: Promise<unknown>, message: RegExp) =>
  assert.rejects(call, (error: { statusCode: number; message: string }) => {
    assert.equal(error.statusCode, 400)
    assert.match(error.message, message)
    return true
  })

describe('the page that confirms a change', () => {
  it('shows what is due for the rest of the period, then changes, charges and leads back', async () => {
    const { pro, link, read, subscription } = await setUp()
    // Half of February's 28 days.
    running.clock.nowMs = Date.parse('2026-02-15T00:00:00Z')
    const { url } = await link({ price: pro.month, quantity: 2 })
    const { text, status } = await open(url)
    assert.equal(status, 200)
    for (const shown of [
      'Basic: $10.00 per month',
      'Pro × 2: $60.00 per month',
      '-$5.00',
      '$30.00',
      '$25.00',
    ]) {
      assert(text.includes(shown), shown)
    }
    assert.equal((await read()).items.data[0]?.price.id, subscription.items.data[0]?.price.id)
    const answer = await submit(`${url}/confirm`, {})
    assert.deepEqual([answer.status, answer.location], [303, 'https://shop.example/done'])
    const changed = await read()
    const [item] = changed.items.data
    assert.deepEqual([changed.id, item?.id], [subscription.id, subscription.items.data[0]?.id])
    assert.deepEqual([item?.price.id, item?.quantity], [pro.month, 2])
    assert.equal(item?.current_period_end, subscription.items.data[0]?.current_period_end)
    const invoice = changed.latest_invoice as Stripe.Invoice
    assert.deepEqual([invoice.amount_paid, invoice.billing_reason], [2_500, 'subscription_update'])
    const [event] = (await stripe.events.list({ type: 'customer.subscription.updated' })).data
    assert.equal((event as Stripe.CustomerSubscriptionUpdatedEvent).data.object.id, subscription.id)
  })

  it('starts the cycle anew for another interval, less what was paid for the old one', async () => {
    const { basic, link, read } = await setUp()
    running.clock.nowMs = Date.parse('2026-02-15T00:00:00Z')
    const { url } = await link({ price: basic.year })
    assert((await open(url)).text.includes('$95.00'))
    await submit(`${url}/confirm`, {})
    const changed = await read()
    assert.equal(changed.billing_cycle_anchor, running.clock.nowMs / 1000)
    assert.equal(changed.items.data[0]?.current_period_end, Date.parse('2027-02-15T00:00:00Z') / 1000)
    assert.equal((changed.latest_invoice as Stripe.Invoice).amount_paid, 9_500)
  })

  it('holds what is left over of a smaller plan in favour, and takes it from the next invoice', async () => {
    const { basic, pro, link, read, customer } = await setUp({}, {})
    const up = await link({ price: pro.month })
    await submit(`${up.url}/confirm`, {})
    const down = await link({ price: basic.month })
    assert((await open(down.url)).text.includes('<dd>$0.00</dd>'))
    await submit(`${down.url}/confirm`, {})
    assert.equal(((await stripe.customers.retrieve(customer.id)) as Stripe.Customer).balance, -2_000)
    await running.clock.moveTo('2026-03-01T00:00:00Z')
    const invoice = (await read()).latest_invoice as Stripe.Invoice
    assert.deepEqual([invoice.total, invoice.amount_due, invoice.ending_balance], [1_000, 0, -1_000])
  })

  it('lets a trial go on, or ends it, as the configuration says', async () => {
    const trial = { trial_period_days: 10 }
    const going = await setUp({}, trial)
    const first = await going.link({ price: going.pro.month })
    assert((await open(first.url)).text.includes('Trial until February 11, 2026'))
    await submit(`${first.url}/confirm`, {})
    const still = await going.read()
    assert.deepEqual([still.status, still.items.data[0]?.price.id], ['trialing', going.pro.month])
    assert.equal(still.trial_end, going.subscription.trial_end)

    const ending = await setUp({ trial_update_behavior: 'end_trial' }, trial)
    const second = await ending.link({ price: ending.pro.month })
    assert((await open(second.url)).text.includes('$30.00'))
    await submit(`${second.url}/confirm`, {})
    const ended = await ending.read()
    assert.equal(ended.status, 'active')
    assert.equal((ended.latest_invoice as Stripe.Invoice).amount_paid, 3_000)
  })

  it('asks for a card when what is saved cannot be charged, and changes nothing until one pays', async () => {
    const { pro, link, read, customer } = await setUp()
    const failing = await stripe.paymentMethods.attach('pm_card_chargeCustomerFail', {
      customer: customer.id,
    })
    await stripe.subscriptions.update((await read()).id, { default_payment_method: failing.id })
    const { url } = await link({ price: pro.month })
    assert((await open(url)).text.includes('name="card_number"'))
    for (const card_number of ['', '4000000000000002', '4000000000000341']) {
      assert.equal((await submit(`${url}/confirm`, { card_number })).status, 402)
    }
    assert.notEqual((await read()).items.data[0]?.price.id, pro.month)
    assert.equal((await submit(`${url}/confirm`, { card_number: '4242424242424242' })).status, 303)
    assert.equal((await read()).items.data[0]?.price.id, pro.month)
  })

  it('charges nothing by default, as Stripe does, and is over when the subscription is', async () => {
    const { pro, link, read, subscription } = await setUp({ proration_behavior: 'none' })
    const { url } = await link({ price: pro.month })
    assert((await open(url)).text.includes('$0.00'))
    const late = await link({ price: pro.month, quantity: 2 })
    await submit(`${url}/confirm`, {})
    assert.equal((await read()).items.data[0]?.price.id, pro.month)
    await stripe.subscriptions.cancel(subscription.id)
    assert.equal((await open(late.url)).status, 404)
    assert.notEqual((await submit(`${late.url}/confirm`, {})).status, 303)
  })

  it('escapes names and loads nothing', async () => {
    const { pro, link } = await setUp()
    await stripe.products.update(pro.product, { name: '<script>alert(1)</script>' })
    const { text, headers } = await open((await link({ price: pro.month })).url)
    assert(!text.includes('<script'))
    assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'/)
  })
})

describe('a link to confirm a change', () => {
  it('is refused where the configuration does not allow the change', async () => {
    const { pro, link, configuration, customer, subscription, itemId } = await setUp()
    const flow_data = {
      type: 'subscription_update_confirm' as const,
      subscription_update_confirm: {
        subscription: subscription.id,
        items: [{ id: itemId, price: pro.month }],
      },
    }
    // The default configuration lists no products.
    await refused(
      stripe.billingPortal.sessions.create({ customer: customer.id, flow_data }),
      /not in the configuration/,
    )
    const other = await makePlan('Other', 1)
    await refused(
      link({ price: other.month }),
      /not in the configuration's features.subscription_update.products/,
    )
    const update = (fields: object) =>
      stripe.billingPortal.configurations.update(configuration.id, {
        features: { subscription_update: fields },
      })
    await update({ default_allowed_updates: ['price'] })
    await refused(link({ price: pro.month, quantity: 2 }), /updates of the quantity/)
    await update({ default_allowed_updates: ['quantity'] })
    await refused(link({ price: pro.month }), /updates of the price/)
    await update({ enabled: false })
    await refused(link({ price: pro.month }), /update feature in the portal configuration is disabled/)
    await stripe.billingPortal.configurations.update(configuration.id, { active: false })
    await refused(link({ price: pro.month }), /not active/)
  })

  it('is refused for several items, foreign ones, and subscriptions that cannot change', async () => {
    const { basic, pro, link, subscription, itemId, customer, configuration } = await setUp()
    const other = await setUp()
    await refused(link({ id: other.itemId, price: pro.month }), /No such subscription item/)
    const confirm = { subscription: subscription.id, items: [{ id: itemId }, { id: itemId }] }
    const create = (subscription_update_confirm: typeof confirm) =>
      stripe.billingPortal.sessions.create({
        customer: customer.id,
        configuration: configuration.id,
        flow_data: { type: 'subscription_update_confirm', subscription_update_confirm },
      })
    await refused(create(confirm), /Exactly one subscription item/)
    await refused(create({ ...confirm, subscription: other.subscription.id }), /No such subscription/)
    const more = await stripe.subscriptionItems.create({ subscription: subscription.id, price: basic.year })
    await refused(link({ price: pro.month }), /multiple subscription items/)
    await stripe.subscriptionItems.del(more.id)
    await stripe.subscriptions.cancel(subscription.id)
    await refused(link({ price: pro.month }), /it is `canceled`/)
  })
})

describe('a portal configuration', () => {
  it('is the default one where none is named', async () => {
    const customer = await stripe.customers.create({})
    const make = () => stripe.billingPortal.sessions.create({ customer: customer.id })
    const [one, two] = [await make(), await make()]
    assert.equal(one.configuration, two.configuration)
    const { data } = await stripe.billingPortal.configurations.list({ is_default: true })
    assert.deepEqual(
      data.map(({ id }) => id),
      [one.configuration],
    )
  })

  it('needs products to update between, at most ten, each with one price an interval', async () => {
    const plan = await makePlan('Twin', 500)
    const twin = await plan.price('month', 600)
    const create = (products?: Update['products']) =>
      stripe.billingPortal.configurations.create({
        features: {
          subscription_update: {
            enabled: true,
            default_allowed_updates: ['price'],
            ...(products === undefined ? {} : { products }),
          },
        },
      })
    await refused(create(), /products/)
    await refused(
      create([{ product: plan.product, prices: [plan.month, twin.id] }]),
      /unique billing intervals/,
    )
    const foreign = await makePlan('Foreign', 1)
    await refused(create([{ product: plan.product, prices: [foreign.month] }]), /is not of/)
    await refused(create(Array(11).fill({ product: plan.product, prices: [plan.month] })), /products/)
    const made = await create([{ product: plan.product, prices: [plan.month, plan.year] }])
    assert.deepEqual(made.features.subscription_update.products?.[0]?.prices, [plan.month, plan.year])
    assert.equal(made.features.subscription_cancel.enabled, false)
  })

  it('decides what the portal page offers', async () => {
    const { customer, configuration, subscription, pro } = await setUp()
    const make = (id: string) =>
      stripe.billingPortal.sessions.create({ customer: customer.id, configuration: id })
    const page = await make(configuration.id)
    const { text } = await open(page.url)
    assert(text.includes(`<option value="${pro.month}">`))
    assert(!text.includes('Save card') && !text.includes('Cancel at period end'))
    assert.equal((await submit(`${page.url}/cancel`, { subscription: subscription.id })).status, 402)
    assert.equal((await stripe.subscriptions.retrieve(subscription.id)).cancel_at, null)
    const switched = await submit(`${page.url}/switch`, { subscription: subscription.id, price: pro.month })
    assert.equal(switched.status, 303)
    const closing = await stripe.billingPortal.configurations.create({
      features: { subscription_cancel: { enabled: true, mode: 'immediately' } },
    })
    await submit(`${(await make(closing.id)).url}/cancel`, { subscription: subscription.id })
    assert.equal((await stripe.subscriptions.retrieve(subscription.id)).status, 'canceled')
  })
})
