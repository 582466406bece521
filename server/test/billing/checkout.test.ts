// POST /v1/customers/{customerId}/checkout: every input and every error.
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { eventually, linkNew, openShop, type Shop, stockShop, submit } from './shop.ts'

let shop: Shop
let pro: Awaited<ReturnType<typeof stockShop>>
before(async () => {
  shop = await openShop()
  pro = await stockShop(shop)
})
after(() => shop.close())
beforeEach(() => shop.simulator.faults.reset())

let count = 0
const newId = () => `customer-${++count}`
const path = (customerId: string) => `/v1/customers/${encodeURIComponent(customerId)}/checkout`
const checkout = (customerId: string, body: object = {}) =>
  shop.post(path(customerId), { productKey: 'pro', ...body })

async function addCustomer(fields: object = {}): Promise<{ customerId: string; providerCustomerId: string }> {
  const { status, body } = await shop.post('/v1/customers', { customerId: newId(), ...fields })
  assert.equal(status, 201)
  return body
}

/** The session behind a checkout's address. */
const readSession = (url: string) => shop.stripe.checkout.sessions.retrieve(url.split('/').at(-1) ?? '')

async function startSession(customerId: string, body: object = {}) {
  const answer = await checkout(customerId, body)
  assert.equal(answer.status, 200, answer.text)
  return readSession(answer.body.url)
}

async function assertRefused(customerId: string, body: object, message: RegExp): Promise<void> {
  const answer = await checkout(customerId, body)
  assert.equal(answer.status, 400, answer.text)
  assert.match(answer.body.error, message)
}

describe('200', () => {
  it('gives the address of an open session for the customer, the default price, and a return through us', async () => {
    const { customerId, providerCustomerId } = await addCustomer()
    const session = await startSession(customerId, { cancelUrl: 'https://shop.example/back' })
    assert.equal(session.status, 'open')
    assert.equal(session.customer, providerCustomerId)
    assert.equal(session.amount_total, 2900)
    assert.equal(session.cancel_url, 'https://shop.example/back')
    assert.match(
      session.success_url ?? '',
      /^http:\/\/localhost:\d+\/checkout\/return\/[0-9a-f-]{36}\?session=/,
    )
    assert.deepEqual(
      { ...session.metadata },
      { tollkeeper_customer_id: customerId, tollkeeper_product_key: 'pro' },
    )
  })

  it('creates an unknown customer from customerInfo, here and at the provider', async () => {
    const customerId = newId()
    const customerInfo = { name: 'Ada', email: 'ada@example.com', metadata: { plan: 'early' } }
    const session = await startSession(customerId, { customerInfo })
    const { body } = await shop.get(`/v1/customers/${customerId}`)
    assert.deepEqual([body.name, body.email], ['Ada', 'ada@example.com'])
    assert.equal(body.providerCustomerId, session.customer)
    const there = await shop.stripe.customers.retrieve(String(session.customer))
    assert.ok(!there.deleted)
    assert.deepEqual([there.name, there.email], ['Ada', 'ada@example.com'])
    assert.deepEqual({ ...there.metadata }, { tollkeeper_customer_id: customerId, plan: 'early' })
  })

  it('creates one from an empty customerInfo', async () => {
    const customerId = newId()
    await startSession(customerId, { customerInfo: {} })
    const { body } = await shop.get(`/v1/customers/${customerId}`)
    assert.ok(body.providerCustomerId)
    assert.ok(!('name' in body))
  })

  it('updates the name and email of a known customer, here and at the provider', async () => {
    const { customerId, providerCustomerId } = await addCustomer({ name: 'Old', email: 'old@example.com' })
    await startSession(customerId, { customerInfo: { name: 'New' } })
    const { body } = await shop.get(`/v1/customers/${customerId}`)
    assert.deepEqual([body.name, body.email], ['New', 'old@example.com'])
    const there = await shop.stripe.customers.retrieve(providerCustomerId)
    assert.ok(!there.deleted)
    assert.deepEqual([there.name, there.email], ['New', 'old@example.com'])
  })

  it('sells another active price of the product when asked to', async () => {
    const session = await startSession((await addCustomer()).customerId, {
      providerPriceId: pro.yearlyPriceId,
    })
    assert.equal(session.amount_total, 29_000)
  })

  it('sells the only active price of a product without a default', async () => {
    const { productId, priceId } = await linkNew(shop, 'no-default', 700)
    await shop.stripe.products.update(productId, { default_price: '' })
    await eventually(
      () => shop.get('/v1/products/no-default'),
      ({ body }) => assert.equal(body.prices[0].isDefault, false),
    )
    const session = await startSession((await addCustomer()).customerId, { productKey: 'no-default' })
    assert.equal(session.amount_total, 700)
    assert.ok(priceId)
  })

  it('puts metadata, the pricing-table release and further parameters into the session', async () => {
    const { customerId } = await addCustomer()
    const session = await startSession(customerId, {
      metadata: { campaign: 'spring' },
      pricingTableReleaseId: 'release-7',
      checkoutSessionParams: {
        client_reference_id: 'ref-1',
        metadata: { order: '9', campaign: 'theirs' },
        subscription_data: { trial_period_days: 14, metadata: { team: 'x' } },
      },
    })
    assert.equal(session.client_reference_id, 'ref-1')
    assert.deepEqual(
      { ...session.metadata },
      {
        order: '9',
        campaign: 'spring',
        tollkeeper_customer_id: customerId,
        tollkeeper_product_key: 'pro',
        tollkeeper_pricing_table_release_id: 'release-7',
      },
    )
    const [kept] = await shop.query(
      'select pricing_table_release_id from checkout where checkout_session_id = $1',
      [session.id],
    )
    assert.equal(kept?.pricing_table_release_id, 'release-7')
  })

  for (const url of [
    'https://shop.example/a?b=c#d',
    'http://localhost:3000/x',
    'http://127.0.0.1/',
    'http://[::1]:8080/',
  ]) {
    it(`takes ${url}`, async () => {
      const session = await startSession((await addCustomer()).customerId, {
        successUrl: url,
        cancelUrl: url,
      })
      assert.equal(session.cancel_url, url)
      const paid = await submit(session.url ?? '', { card_number: '4242424242424242' })
      const back = await fetch(paid.location ?? '', { redirect: 'manual' })
      assert.equal(back.headers.get('location'), url)
    })
  }

  it('takes an address of 2048 characters', async () => {
    const successUrl = `https://shop.example/${'x'.repeat(2048 - 21)}`
    await startSession((await addCustomer()).customerId, { successUrl })
  })

  it('is shared while it is open, replaced once it is paid', async () => {
    const { customerId } = await addCustomer()
    const first = await startSession(customerId)
    assert.equal((await startSession(customerId)).id, first.id)
    await submit(first.url ?? '', { card_number: '4242424242424242' })
    const next = await startSession(customerId)
    assert.notEqual(next.id, first.id)
    assert.equal(next.status, 'open')
    assert.equal((await startSession(customerId)).id, next.id)
  })

  it('replaces a session that asks for something else, and expires the old one', async () => {
    const { customerId } = await addCustomer()
    const first = await startSession(customerId)
    for (const body of [
      { providerPriceId: pro.yearlyPriceId },
      { successUrl: 'https://shop.example/other' },
      { cancelUrl: 'https://shop.example/other' },
      { metadata: { a: 'b' } },
      { pricingTableReleaseId: 'r' },
      { checkoutSessionParams: { locale: 'de' } },
    ]) {
      await startSession(customerId, body)
    }
    const { data } = await shop.stripe.checkout.sessions.list({
      customer: String(first.customer),
      limit: 100,
    })
    assert.deepEqual(
      data.map((session) => session.status),
      ['open', 'expired', 'expired', 'expired', 'expired', 'expired', 'expired'],
    )
  })

  it('expires the old session also when the calls in between failed', async () => {
    const { customerId, providerCustomerId } = await addCustomer()
    const old = await startSession(customerId)
    await assertRefused(customerId, { checkoutSessionParams: { expires_at: 1 } }, /expires_at/)
    await startSession(customerId, { metadata: { again: '1' } })
    assert.equal((await shop.stripe.checkout.sessions.retrieve(old.id)).status, 'expired')
    const { data } = await shop.stripe.checkout.sessions.list({
      customer: providerCustomerId,
      status: 'open',
    })
    assert.equal(data.length, 1)
  })

  it('makes a provider customer anew when it was deleted there and nobody told us', async () => {
    const { customerId, providerCustomerId } = await addCustomer()
    shop.simulator.faults.onEvent = () => []
    await shop.stripe.customers.del(providerCustomerId)
    const session = await startSession(customerId)
    assert.notEqual(session.customer, providerCustomerId)
    assert.equal((await shop.get(`/v1/customers/${customerId}`)).body.providerCustomerId, session.customer)
  })
})

describe('the return', () => {
  it('without a success address ends on a page of ours, with the purchase known', async () => {
    const { customerId } = await addCustomer()
    const session = await startSession(customerId)
    shop.simulator.faults.onEvent = () => []
    const paid = await submit(session.url ?? '', { card_number: '4242424242424242' })
    const page = await fetch(paid.location ?? '')
    assert.equal(page.status, 200)
    assert.match(await page.text(), /Thank you/)
    assert.match(page.headers.get('content-security-policy') ?? '', /default-src 'none'/)
    assert.equal((await shop.get(`/v1/customers/${customerId}`)).body.products[0].key, 'pro')
  })

  it('waits on a page that comes back by itself while the provider fails', async () => {
    const { customerId } = await addCustomer()
    const session = await startSession(customerId, { successUrl: 'https://shop.example/ok' })
    const paid = await submit(session.url ?? '', { card_number: '4242424242424242' })
    shop.simulator.faults.onRequest = () => 'server_error'
    const waiting = await fetch(paid.location ?? '', { redirect: 'manual' })
    assert.equal(waiting.status, 503)
    assert.equal(waiting.headers.get('refresh'), '3')
    shop.simulator.faults.reset()
    const back = await fetch(paid.location ?? '', { redirect: 'manual' })
    assert.deepEqual([back.status, back.headers.get('location')], [303, 'https://shop.example/ok'])
  })

  for (const key of ['nothing', '-'.repeat(36), '00000000-0000-4000-8000-000000000000', '%00']) {
    it(`is not found for ${key}`, async () => {
      assert.equal((await fetch(`${shop.urls[0]}/checkout/return/${key}`)).status, 404)
    })
  }
})

describe('400', () => {
  it('a custom product', () => assertRefused('nobody', { productKey: 'free' }, /custom product/))

  it('an archived product', async () => {
    await linkNew(shop, 'old', 500)
    await shop.post('/v1/products/old/archive', { archived: true })
    await assertRefused('nobody', { productKey: 'old', customerInfo: {} }, /archived/)
  })

  it('a price that is inactive, of another product, or one-time', async () => {
    const other = await linkNew(shop, 'other', 500)
    const common = { product: pro.productId, currency: 'usd', unit_amount: 1 }
    const oneTime = await shop.stripe.prices.create(common)
    const inactive = await shop.stripe.prices.create({
      ...common,
      recurring: { interval: 'month' },
      active: false,
    })
    await shop.post('/v1/products/sync')
    await assertRefused('nobody', { providerPriceId: inactive.id }, /not active/)
    await assertRefused('nobody', { providerPriceId: other.priceId }, /not a price of the product "pro"/)
    await assertRefused('nobody', { providerPriceId: oneTime.id }, /one-time/)
    await assertRefused('nobody', { providerPriceId: 'price_nowhere' }, /not a price of the product "pro"/)
  })

  it('several prices without a default, and none at all', async () => {
    const { productId, priceId } = await linkNew(shop, 'several', 500)
    await shop.stripe.prices.create({
      product: productId,
      currency: 'eur',
      unit_amount: 5,
      recurring: { interval: 'week' },
    })
    await shop.stripe.products.update(productId, { default_price: '' })
    await shop.post('/v1/products/sync')
    await assertRefused('nobody', { productKey: 'several' }, /providerPriceId is required/)
    await shop.stripe.prices
      .list({ product: productId })
      .then(({ data }) =>
        Promise.all(data.map((price) => shop.stripe.prices.update(price.id, { active: false }))),
      )
    await shop.post('/v1/products/sync')
    await assertRefused('nobody', { productKey: 'several' }, /no active price/)
    await assertRefused('nobody', { productKey: 'several', providerPriceId: priceId }, /not active/)
  })

  const guarded: object[] = [
    { customer: 'cus_x' },
    { customer_email: 'x@y.z' },
    { customer_creation: 'always' },
    { mode: 'payment' },
    { line_items: [] },
    { optional_items: [] },
    { success_url: 'https://x.y' },
    { cancel_url: 'https://x.y' },
    { return_url: 'https://x.y' },
    { redirect_on_completion: 'never' },
    { ui_mode: 'embedded' },
    { payment_intent_data: {} },
    { subscription_data: { transfer_data: { destination: 'acct_1' } } },
    { subscription_data: { application_fee_percent: 10 } },
    { subscription_data: { on_behalf_of: 'acct_1' } },
    { metadata: { tollkeeper_customer_id: 'other' } },
    { metadata: 'text' },
    { subscription_data: { metadata: { tollkeeper_x: '1' } } },
    { 'line_items[0][price]': 'price_x' },
    { 'metadata[tollkeeper_customer_id]': 'other' },
    { subscription_data: { 'transfer_data[destination]': 'acct_1' } },
  ]
  for (const checkoutSessionParams of guarded) {
    it(`checkoutSessionParams ${JSON.stringify(checkoutSessionParams)}`, async () => {
      const customerId = newId()
      await assertRefused(customerId, { checkoutSessionParams, customerInfo: {} }, /checkoutSessionParams/)
      assert.equal((await shop.get(`/v1/customers/${customerId}`)).body, null)
    })
  }

  it('our metadata keys', async () => {
    await assertRefused('nobody', { metadata: { tollkeeper_product_key: 'x' } }, /tollkeeper_/)
    await assertRefused(
      'nobody',
      { customerInfo: { metadata: { tollkeeper_customer_id: 'x' } } },
      /tollkeeper_/,
    )
  })

  const badUrls = [
    'http://shop.example/',
    'javascript:alert(1)',
    'ftp://x.y/',
    '/relative',
    '',
    'https://',
    'data:text/html,x',
    'http://localhost.evil.example/',
    `https://shop.example/${'x'.repeat(2048 - 20)}`,
  ]
  for (const url of badUrls) {
    it(`the address ${url.slice(0, 40)}`, async () => {
      await assertRefused('nobody', { successUrl: url }, /^successUrl/)
      await assertRefused('nobody', { cancelUrl: url }, /^cancelUrl/)
    })
  }

  it('unknown fields, nulls and wrong types', async () => {
    await assertRefused('nobody', { success_url: 'https://x.y' }, /success_url/)
    await assertRefused('nobody', { successUrl: null }, /successUrl/)
    await assertRefused('nobody', { customerInfo: { phone: '1' } }, /phone/)
    await assertRefused('nobody', { checkoutSessionParams: [] }, /checkoutSessionParams/)
    await assertRefused('nobody', { metadata: { a: 1 } }, /metadata/)
    assert.equal((await shop.post(path('nobody'), {})).status, 400)
  })

  it('what the provider refuses of the further parameters, in its words', async () => {
    const { customerId } = await addCustomer()
    await assertRefused(
      customerId,
      { checkoutSessionParams: { nonsense: 'x' } },
      /payment provider refused.*nonsense/,
    )
  })
})

describe('404', () => {
  it('an unknown customer without customerInfo, and nothing is made', async () => {
    const answer = await checkout('nobody')
    assert.equal(answer.status, 404)
    assert.equal(answer.headers['x-error-code'], 'customer_not_found')
    assert.equal((await shop.get('/v1/customers/nobody')).body, null)
  })

  it('an unknown product', async () => {
    const answer = await checkout('nobody', { productKey: 'nothing', customerInfo: {} })
    assert.equal(answer.headers['x-error-code'], 'product_not_found')
    assert.equal(answer.status, 404)
  })
})

describe('502', () => {
  it('keeps the customer, and a retry goes on with one provider customer', async () => {
    const customerId = newId()
    shop.simulator.faults.onRequest = () => 'server_error'
    const failed = await checkout(customerId, { customerInfo: { email: 'late@example.com' } })
    assert.equal(failed.status, 502)
    assert.equal(failed.headers['x-error-code'], 'provider_unavailable')
    const kept = (await shop.get(`/v1/customers/${customerId}`)).body
    assert.equal(kept.email, 'late@example.com')
    assert.ok(!('providerCustomerId' in kept))
    shop.simulator.faults.reset()
    const session = await startSession(customerId)
    const { data } = await shop.stripe.customers.list({ email: 'late@example.com' })
    assert.deepEqual(
      data.map((customer) => customer.id),
      [session.customer],
    )
  })

  it('after the session was made but its answer lost: the retry gets that session', async () => {
    const { customerId, providerCustomerId } = await addCustomer()
    const isCreation = ({ method, path }: { method: string; path: string }) =>
      method === 'POST' && path === '/v1/checkout/sessions'
    shop.simulator.faults.failNext(['lost_answer', 'lost_answer'], isCreation)
    assert.equal((await checkout(customerId)).status, 502)
    const session = await startSession(customerId)
    const { data } = await shop.stripe.checkout.sessions.list({ customer: providerCustomerId })
    assert.deepEqual(
      data.map(({ id }) => id),
      [session.id],
    )
  })
})
