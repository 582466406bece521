// What Stripe refuses is refused, and what it accepts is accepted.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type Stripe from 'stripe'
import { type SimulatorFixture, secrets, seed, startSimulator, submit } from './simulator-fixture.ts'

let running: SimulatorFixture
let stripe: Stripe
let account: Awaited<ReturnType<typeof seed>>
const day = 86_400
before(async () => {
  running = await startSimulator()
  stripe = running.stripe.test
  account = await seed(stripe)
})
after(() => running.close())

const now = () => running.clock.nowMs / 1000

function checkout(params: object) {
  return stripe.checkout.sessions.create({
    mode: 'subscription',
    customer: account.customer.id,
    line_items: [{ price: account.priceId, quantity: 1 }],
    success_url: 'https://shop.example/ok',
    ...params,
  })
}

async function assertRefused(
  call: Promise<unknown>,
  expected: { message?: RegExp; param?: string; code?: string },
) {
  const error = await call.then(
    () => assert.fail('It was accepted.'),
    (thrown) => thrown as { statusCode: number; message: string; param?: string; code?: string },
  )
  assert.equal(error.statusCode, 400, error.message)
  if (expected.message) assert.match(error.message, expected.message)
  if (expected.param) assert.equal(error.param, expected.param)
  if (expected.code) assert.equal(error.code, expected.code)
}

describe('a checkout session', () => {
  const refusals: [name: string, params: () => object, expected: Parameters<typeof assertRefused>[1]][] = [
    ['payment_method_types', () => ({ payment_method_types: ['card'] }), { code: 'parameter_unknown' }],
    ['a relative address', () => ({ success_url: '/ok' }), { code: 'url_invalid', param: 'success_url' }],
    ['an address without scheme', () => ({ cancel_url: 'shop.example' }), { code: 'url_invalid' }],
    ['an end within 30 minutes', () => ({ expires_at: now() + 1_799 }), { param: 'expires_at' }],
    ['an end after 24 hours', () => ({ expires_at: now() + day + 1 }), { param: 'expires_at' }],
    [
      'a trial that ends within 48 hours',
      () => ({ subscription_data: { trial_end: now() + 2 * day - 1 } }),
      { param: 'subscription_data[trial_end]' },
    ],
    [
      'customer_update without customer',
      () => ({ customer: undefined, customer_update: { name: 'auto' } }),
      { param: 'customer_update' },
    ],
    [
      'promotion codes beside discounts',
      () => ({ allow_promotion_codes: true, discounts: [{ coupon: 'x' }] }),
      { message: /only specify one of these parameters: allow_promotion_codes, discounts/ },
    ],
    ['an unknown coupon', () => ({ discounts: [{ coupon: 'x' }] }), { message: /No such coupon/ }],
    ['an unknown locale', () => ({ locale: 'klingon' }), { param: 'locale' }],
    ['an unknown payment method', () => ({ allowed_payment_method_types: ['shells'] }), {}],
    ['an unknown mode', () => ({ mode: 'lease' }), { param: 'mode' }],
    [
      'customer beside customer_email',
      () => ({ customer_email: 'a@example.com' }),
      { message: /only specify one/ },
    ],
    ['a bad email', () => ({ customer: undefined, customer_email: 'a@b' }), { code: 'email_invalid' }],
    [
      'no quantity',
      () => ({ line_items: [{ price: account.priceId }] }),
      { message: /Quantity is required/ },
    ],
    ['quantity 0', () => ({ line_items: [{ price: account.priceId, quantity: 0 }] }), {}],
  ]
  for (const [name, params, expected] of refusals) {
    it(`refuses ${name}`, () => assertRefused(checkout(params()), expected))
  }

  it('refuses only one-time prices, and takes one beside a recurring one', async () => {
    const once = await stripe.prices.create({
      product: account.product.id,
      currency: 'usd',
      unit_amount: 700,
    })
    const line = { price: once.id, quantity: 1 }
    await assertRefused(checkout({ line_items: [line] }), { message: /at least one recurring price/ })
    const session = await checkout({ line_items: [{ price: account.priceId, quantity: 2 }, line] })
    assert.equal(session.amount_total, 4_700)
    await submit(session.url as string, { card_number: '4242424242424242' })
    const { subscription } = await stripe.checkout.sessions.retrieve(session.id, { expand: ['subscription'] })
    const { items } = subscription as Stripe.Subscription
    assert.deepEqual(
      items.data.map((item) => [item.price.id, item.quantity]),
      [[account.priceId, 2]],
    )
  })

  it('accepts the bounds, allowed methods, billing mode and if_required', async () => {
    await checkout({ expires_at: now() + 1_800 })
    await checkout({ expires_at: now() + day })
    const session = await checkout({
      allowed_payment_method_types: ['card'],
      payment_method_collection: 'if_required',
      subscription_data: { billing_mode: { type: 'classic' }, trial_end: now() + 2 * day },
    })
    assert.deepEqual(session.allowed_payment_method_types, ['card'])
    assert.equal(session.payment_method_collection, 'if_required')
    assert.equal((await submit(session.url as string, {})).status, 303)
    const { subscription } = await stripe.checkout.sessions.retrieve(session.id, { expand: ['subscription'] })
    const held = subscription as Stripe.Subscription
    assert.equal(held.billing_mode.type, 'classic')
    assert.equal(held.default_payment_method, null)
    assert.equal(held.status, 'trialing')
  })

  it('demands a card for a trial unless told otherwise', async () => {
    const session = await checkout({ subscription_data: { trial_period_days: 3 } })
    assert.equal((await submit(session.url as string, {})).status, 402)
  })

  it('puts the card on the subscription and leaves the customer as it was', async () => {
    const customer = await stripe.customers.create({ email: 'card@example.com' })
    const session = await checkout({ customer: customer.id })
    await submit(session.url as string, { card_number: '4242424242424242' })
    const [held] = (await stripe.subscriptions.list({ customer: customer.id })).data
    const [method] = (await stripe.customers.listPaymentMethods(customer.id)).data
    assert(held && method)
    assert.equal(held.default_payment_method, method.id)
    const after = (await stripe.customers.retrieve(customer.id)) as Stripe.Customer
    assert.equal(after.invoice_settings.default_payment_method, null)
    assert.equal(held.billing_mode.type, 'flexible')
  })
})

describe('the catalogue', () => {
  it('keeps the default price of a product from being archived', async () => {
    const { product, priceId } = await seed(stripe)
    await assertRefused(stripe.prices.update(priceId, { active: false }), { message: /default price/ })
    const other = await stripe.prices.create({
      product: product.id,
      currency: 'usd',
      unit_amount: 1,
      recurring: { interval: 'month' },
    })
    await stripe.products.update(product.id, { default_price: other.id })
    assert.equal((await stripe.prices.update(priceId, { active: false })).active, false)
    await assertRefused(stripe.products.update(product.id, { default_price: priceId }), {
      param: 'default_price',
    })
  })

  it('backs metered prices by meters, and sells them without a quantity', async () => {
    const recurring = { interval: 'month', usage_type: 'metered' } as const
    const make = (more: object) =>
      stripe.prices.create({
        product: account.product.id,
        currency: 'usd',
        unit_amount: 3,
        recurring: { ...recurring, ...more },
      })
    await assertRefused(make({}), { param: 'recurring[meter]' })
    const meter = await stripe.billing.meters.create({
      display_name: 'Calls',
      event_name: 'calls',
      default_aggregation: { formula: 'sum' },
    })
    const price = await make({ meter: meter.id })
    await assertRefused(checkout({ line_items: [{ price: price.id, quantity: 1 }] }), {
      param: 'line_items[0][quantity]',
    })
    await assertRefused(
      stripe.subscriptions.create({
        customer: account.customer.id,
        items: [{ price: price.id, quantity: 1 }],
      }),
      { param: 'items[0][quantity]' },
    )
    const session = await checkout({ line_items: [{ price: price.id }] })
    assert.equal(session.amount_total, 0)
    await submit(session.url as string, { card_number: '4242424242424242' })
    const { subscription } = await stripe.checkout.sessions.retrieve(session.id, { expand: ['subscription'] })
    const [item] = (subscription as Stripe.Subscription).items.data
    assert(item)
    assert.equal('quantity' in item, false)
    assert.equal(item.price.recurring?.usage_type, 'metered')
  })

  it('is listed in pages of up to a hundred, active ones or all', async () => {
    for (let count = 0; count < 103; count++)
      await running.stripe.live.products.create({ name: `P${count}`, active: count % 2 === 0 })
    const { products } = running.stripe.live
    const first = await products.list({ limit: 100 })
    assert.deepEqual([first.data.length, first.has_more], [100, true])
    const rest = await products.list({ limit: 100, starting_after: first.data.at(-1)?.id as string })
    assert.deepEqual([rest.data.length, rest.has_more], [3, false])
    const active = await products.list({ active: true, limit: 100 })
    assert.deepEqual([active.data.length, active.has_more], [52, false])
  })
})

describe('a customer', () => {
  it('has a proper address or none', async () => {
    for (const email of ['ada', 'ada@', 'a b@example.com', 'ada@example']) {
      await assertRefused(stripe.customers.create({ email }), { code: 'email_invalid', param: 'email' })
    }
    const customer = await stripe.customers.create({ email: 'ada@example.com' })
    assert.equal((await stripe.customers.update(customer.id, { email: '' })).email, null)
  })

  it('that is deleted is nothing but that', async () => {
    const customer = await stripe.customers.create({ name: 'Gone' })
    const told = { id: customer.id, object: 'customer', deleted: true }
    const { lastResponse: _, ...deleted } = await stripe.customers.del(customer.id)
    assert.deepEqual({ ...deleted }, told)
    const { lastResponse: __, ...found } = await stripe.customers.retrieve(customer.id)
    assert.deepEqual({ ...found }, told)
  })

  it('is found by metadata, where every clause must hold', async () => {
    const make = (metadata: Record<string, string>) => stripe.customers.create({ metadata })
    const [one] = [await make({ ours: "a'b", kind: 'x' }), await make({ ours: "a'b", kind: 'y' })]
    const search = async (query: string) =>
      (await stripe.customers.search({ query })).data.map(({ id }) => id)
    assert.deepEqual(await search(String.raw`metadata['ours']:'a\'b' AND metadata['kind']:'x'`), [one.id])
    assert.equal((await search(`metadata["ours"]:"a'b"`)).length, 2)
    assert.deepEqual(await search("metadata['ours']:'nobody'"), [])
    for (const query of [
      '',
      'nonsense',
      "metadata['a']:'b' AND",
      "metadata['a']:'b' OR metadata['c']:'d'",
      "age:'3'",
    ]) {
      await assertRefused(stripe.customers.search({ query }), { param: 'query' })
    }
    const paged: string[] = []
    for await (const { id } of stripe.customers.search({
      query: `metadata["ours"]:"a'b"`,
      limit: 1,
    }))
      paged.push(id)
    assert.equal(paged.length, 2)
  })
})

describe('authentication', () => {
  it('takes the key as a user name, too, as command lines send it', async () => {
    const ask = async (user: string) => {
      const authorization = `Basic ${Buffer.from(user).toString('base64')}`
      const url = `http://127.0.0.1:${running.apiPort}/v1/customers?limit=1`
      return (await fetch(url, { headers: { authorization } })).status
    }
    assert.equal(await ask(`${secrets.test.secretKey}:`), 200)
    assert.equal(await ask(`${secrets.test.secretKey}`), 200)
    assert.equal(await ask(`${secrets.test.secretKey}x:`), 401)
    assert.equal(await ask(`:${secrets.test.secretKey}`), 401)
  })
})

describe('events', () => {
  it('are listed by up to twenty types and by time', async () => {
    const { customer } = await seed(stripe)
    await stripe.customers.update(customer.id, { name: 'Renamed' })
    const types = ['customer.updated', 'product.created']
    const found = await stripe.events.list({ types, limit: 100 })
    assert.deepEqual(new Set(found.data.map(({ type }) => type)), new Set(types))
    await assertRefused(stripe.events.list({ types: Array(21).fill('x') }), { param: 'types' })
    await assertRefused(stripe.events.list({ types, type: 'x' }), { message: /only specify one/ })
    const nowS = Math.floor(Date.now() / 1000)
    assert.equal((await stripe.events.list({ created: { gt: nowS + 60 } })).data.length, 0)
    assert.notEqual((await stripe.events.list({ created: { lte: nowS } })).data.length, 0)
  })
})
