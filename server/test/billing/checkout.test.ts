// POST /v1/customers/{customerId}/checkout: every input that is taken, and what becomes of a failing provider.
import assert from 'node:assert/strict'
import { after, beforeEach, describe, it } from 'node:test'
import { openTill } from './checkout-fixture.ts'
import { eventually, linkNew, submit } from './shop-fixture.ts'

const { shop, pro, newId, checkout, addCustomer, startSession } = await openTill()
after(() => shop.close())
beforeEach(() => shop.simulator.faults.reset())

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
    assert.deepEqual((await shop.get(`/v1/customers/${customerId}`)).body.metadata, { plan: 'early' })
    const { body } = await shop.get(`/v1/customers/${customerId}`)
    assert.deepEqual([body.name, body.email], ['Ada', 'ada@example.com'])
    assert.equal(body.providerCustomerId, session.customer)
    const there = await shop.stripe.customers.retrieve(String(session.customer))
    assert.ok(!there.deleted)
    assert.deepEqual([there.name, there.email], ['Ada', 'ada@example.com'])
    const { tollkeeper_customer_uid: uid, ...metadata } = there.metadata
    assert.deepEqual(metadata, { tollkeeper_customer_id: customerId, plan: 'early' })
    assert.match(String(uid), /^[0-9a-f-]{36}$/)
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
    const next = await startSession(customerId, { additional: true })
    assert.notEqual(next.id, first.id)
    assert.equal(next.status, 'open')
    assert.equal((await startSession(customerId, { additional: true })).id, next.id)
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
    assert.equal((await checkout(customerId, { checkoutSessionParams: { expires_at: 1 } })).status, 400)
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
    // As often as the adapter tries.
    shop.simulator.faults.failNext(Array(4).fill('lost_answer'), isCreation)
    assert.equal((await checkout(customerId)).status, 502)
    const session = await startSession(customerId)
    const { data } = await shop.stripe.checkout.sessions.list({ customer: providerCustomerId })
    assert.deepEqual(
      data.map(({ id }) => id),
      [session.id],
    )
  })
})
