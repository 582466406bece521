// The adapter against the simulator, over HTTP: the catalogue, reconciliation, checkout and portal sessions.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { seed } from '../../../simulator/test/simulator-fixture.ts'
import { eachItem } from '../../src/provider/provider.ts'
import { type ProviderFixture, startTestProvider } from './provider-fixture.ts'

let running: ProviderFixture
before(async () => {
  running = await startTestProvider()
})
after(() => running.close())

describe('products', () => {
  it('come with all prices, the default one, activity and metadata', async () => {
    const { provider, stripe } = running
    const { product, priceId } = await seed(stripe.test)
    const yearly = await stripe.test.prices.create({
      product: product.id,
      currency: 'eur',
      unit_amount_decimal: '0.5' as never,
      recurring: { interval: 'year' },
    })
    const once = await stripe.test.prices.create({ product: product.id, currency: 'usd', unit_amount: 5 })
    await stripe.test.prices.update(once.id, { active: false })
    const found = await provider.test.getProduct(product.id)
    assert.equal(found.defaultProviderPriceId, priceId)
    assert.deepEqual(found.metadata, { product_key: 'pro' })
    assert.equal(found.isActive, true)
    assert.deepEqual(
      found.prices.map((price) => [
        price.providerPriceId,
        price.unitAmount,
        price.recurringInterval,
        price.isActive,
      ]),
      [
        [once.id, 5, null, false],
        [yearly.id, 0.5, 'year', true],
        [priceId, 2000, 'month', true],
      ],
    )
    await assert.rejects(provider.test.getProduct('prod_unknown'), { kind: 'not_found' })
  })

  it('are listed page by page, active ones only', async () => {
    const { provider, stripe } = running
    const made = new Set<string>()
    for (let n = 0; n < 102; n++) made.add((await stripe.live.products.create({ name: `P${n}` })).id)
    const hidden = await stripe.live.products.create({ name: 'Old', active: false })
    const first = await provider.live.listProducts()
    assert.equal(first.items.length, 100)
    assert.notEqual(first.nextCursor, null)
    const listed: string[] = []
    for await (const product of eachItem((cursor) => provider.live.listProducts(cursor)))
      listed.push(product.providerProductId)
    assert.deepEqual(new Set(listed), made)
    assert.equal(listed.length, 102)
    assert(!listed.includes(hidden.id))
  })
})

describe('a customer', () => {
  it('is read with every subscription, ended ones too, over several pages', async () => {
    const { provider, stripe } = running
    const { customer, priceId } = await seed(stripe.live)
    const made: string[] = []
    for (let n = 0; n < 101; n++) {
      made.unshift(
        (await stripe.live.subscriptions.create({ customer: customer.id, items: [{ price: priceId }] })).id,
      )
    }
    await stripe.live.subscriptions.cancel(made[50] as string)
    const { subscriptions } = await provider.live.getCustomerState(customer.id)
    assert.deepEqual(
      subscriptions.map((one) => one.providerSubscriptionId),
      made,
    )
    assert.equal(subscriptions[50]?.phase, 'ended')
  })
})

describe('reconciliation', () => {
  it('lists events since an instant with what they are about', async () => {
    const { provider, stripe } = running
    const sinceAt = Date.now()
    const customer = await stripe.test.customers.create({ name: 'Eve' })
    const { items } = await provider.test.listEvents(sinceAt)
    assert.deepEqual(items[0]?.subject, { kind: 'customer', id: customer.id })
    assert.equal(items[0]?.type, 'customer.created')
    const later = await provider.test.listEvents(Date.now() + 60_000)
    assert.deepEqual(later, { items: [], nextCursor: null })
  })
})

describe('sessions', () => {
  it('of checkout are made, read and expired', async () => {
    const { provider, stripe, pagesUrl } = running
    const { customer, priceId } = await seed(stripe.test)
    const request = {
      providerCustomerId: customer.id,
      providerPriceId: priceId,
      quantity: 1,
      successUrl: 'https://example.com/ok?id={CHECKOUT_SESSION_ID}',
      cancelUrl: 'https://example.com/no',
      metadata: { ours: '1' },
      params: { allow_promotion_codes: true, metadata: { theirs: '2', ours: 'no' }, mode: 'payment' },
    }
    const made = await provider.test.createCheckoutSession(request, 'checkout-1')
    assert.match(made.checkoutSessionId, /^cs_test_/)
    assert.equal(made.url, `${pagesUrl}/simulator/test/checkout/${made.checkoutSessionId}`)
    assert.equal(made.status, 'open')
    const there = await stripe.test.checkout.sessions.retrieve(made.checkoutSessionId)
    assert.deepEqual({ ...there.metadata }, { theirs: '2', ours: '1' })
    assert.deepEqual(await provider.test.createCheckoutSession(request, 'checkout-1'), made)
    assert.deepEqual(await provider.test.getCheckoutSession(made.checkoutSessionId), made)
    const expired = await provider.test.expireCheckoutSession(made.checkoutSessionId)
    assert.equal(expired.status, 'expired')
    assert.equal(expired.url, null)
    assert.deepEqual(await provider.test.expireCheckoutSession(made.checkoutSessionId), expired)
  })

  it('of checkout refuse an inactive price and an unknown customer', async () => {
    const { provider, stripe } = running
    const { customer, priceId, product } = await seed(stripe.test)
    const request = {
      providerCustomerId: customer.id,
      providerPriceId: priceId,
      quantity: 1,
      successUrl: 'https://e.com',
      metadata: {},
    }
    await assert.rejects(
      provider.test.createCheckoutSession({ ...request, providerCustomerId: 'cus_none' }, 'checkout-2'),
      { kind: 'not_found' },
    )
    await stripe.test.products.update(product.id, { default_price: '' })
    await stripe.test.prices.update(priceId, { active: false })
    await assert.rejects(provider.test.createCheckoutSession(request, 'checkout-3'), { kind: 'rejected' })
    await assert.rejects(
      provider.test.createCheckoutSession({ ...request, params: { no_such_thing: '1' } }, 'checkout-4'),
      /unknown parameter: no_such_thing/,
    )
  })

  it('of the portal are links', async () => {
    const { provider, stripe, pagesUrl } = running
    const { customer } = await seed(stripe.test)
    const { url } = await provider.test.createPortalSession({
      providerCustomerId: customer.id,
      returnUrl: 'https://example.com/',
      flow: 'payment_method_update',
    })
    assert(url.startsWith(`${pagesUrl}/simulator/test/portal/bps_`))
  })
})
