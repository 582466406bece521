// Falling back from a subscription: the provider's end of it is the instant, and limits per unit follow what was bought.
import assert from 'node:assert/strict'
import { after, beforeEach, describe, it } from 'node:test'
import { eventually, linkNew } from './shop-fixture.ts'
import { at, free, openSubscriptions, start } from './subscription-fixture.ts'

const { shop, pro, setClock, read, become, subscribe } = await openSubscriptions()
after(() => shop.close())
const extra = await linkNew(shop, 'extra', 500)
await shop.put('/v1/products/extra', { isAddOn: true })
beforeEach(() => setClock(start))

const usageOf = async (customerId: string) => (await read(customerId)).featureAccess.api_calls.usage
const use = (customerId: string, amount: number) =>
  shop.post('/v1/usage', { customerId, featureKey: 'api_calls', eventKey: `${amount}`, amount })

describe('falling back from a subscription', () => {
  it('starts a fresh period at the provider’s end of it', async () => {
    const { customerId, subscriptionId } = await subscribe()
    await become(customerId, [['pro', 'active']])
    await use(customerId, 90)
    await shop.stripe.subscriptions.update(subscriptionId, { cancel_at_period_end: true })
    await become(customerId, [['pro', 'active', start]], 'canceledAt')
    const end = at('2027-02-28T12:00:00Z')
    await setClock(end + 5000)
    await become(customerId, [[...free, end]], 'startedAt')
    const { used, remaining, lastReset } = await usageOf(customerId)
    assert.deepEqual([used, remaining, lastReset], [0, 10, end])
  })

  it('starts one when it is cancelled at once, in the middle of a period', async () => {
    const { customerId, subscriptionId } = await subscribe()
    await become(customerId, [['pro', 'active']])
    await use(customerId, 90)
    await setClock(start + 10_000)
    await shop.stripe.subscriptions.cancel(subscriptionId)
    await become(customerId, [[...free, start + 10_000]], 'startedAt')
    const { used, lastReset, nextReset } = await usageOf(customerId)
    assert.deepEqual([used, lastReset, nextReset], [0, start + 10_000, at('2027-02-28T12:00:00Z')])
  })

  it('tells when the main product left a subscription that goes on, and cuts no period', async () => {
    const { customerId, subscriptionId, itemId } = await subscribe()
    await become(customerId, [['pro', 'active']])
    await use(customerId, 90)
    await setClock(start + 10_000)
    await shop.stripe.subscriptions.update(subscriptionId, {
      items: [{ id: itemId, price: extra.priceId }],
    })
    await become(
      customerId,
      [
        ['extra', 'active', start],
        [...free, start + 10_000],
      ],
      'startedAt',
    )
    const { used, lastReset } = await usageOf(customerId)
    assert.deepEqual([used, lastReset], [90, start])
  })

  it('is none where a plan is removed as a subscription is taken over', async () => {
    const productKey = 'plan'
    await shop.post('/v1/custom-products', { productKey, name: productKey })
    const customerId = 'taken-over'
    await shop.post('/v1/customers', { customerId, customProductKeys: [productKey] })
    const { customerId: first, customer: providerCustomerId, subscriptionId, itemId } = await subscribe()
    await become(first, [['pro', 'active']])
    await shop.request('DELETE', `/v1/customers/${first}`)
    await shop.query('update customer set provider_customer_id = null where customer_id = $1', [customerId])
    await setClock(start + 5000)
    const body = { providerCustomerId, removeCustomProductKeys: [productKey] }
    assert.equal((await shop.put(`/v1/customers/${customerId}`, body)).status, 200)
    await setClock(start + 10_000)
    await shop.stripe.subscriptions.update(subscriptionId, {
      items: [{ id: itemId, price: extra.priceId }],
    })
    const swapped = ['extra', 'active', start]
    await become(customerId, [swapped, [...free, start + 10_000]], 'startedAt')
    assert.equal((await usageOf(customerId)).lastReset, start)
  })
})

describe('limitsPerUnit', () => {
  it('multiplies the limits of a provider product by the quantity bought, at once', async () => {
    const { customerId, subscriptionId, itemId } = await subscribe({
      items: [{ price: pro.priceId, quantity: 3 }],
    })
    await become(customerId, [['pro', 'active']])
    const limitOf = async () => (await read(customerId)).featureAccess.api_calls.limit
    assert.equal(await limitOf(), 100)
    const { body } = await shop.put('/v1/products/pro', { limitsPerUnit: true })
    assert.equal(body.limitsPerUnit, true)
    assert.equal(await limitOf(), 300)
    const told = await shop.get(`/v1/feature-access/explain?customerId=${customerId}&featureKey=api_calls`)
    const [{ key, limit, quantity, limitsPerUnit, status }] = told.body.products
    assert.deepEqual([key, limit, quantity, limitsPerUnit, status], ['pro', 300, 3, true, 'active'])
    assert.deepEqual(told.body.period.anchor, { source: 'subscription', at: start, productKey: 'pro' })
    assert.equal('cutBy' in told.body.period, false)
    const holders = (await shop.get('/v1/customers?productKey=pro&limit=1')).body.customers
    assert.equal(holders[0].customerId, customerId)
    await shop.stripe.subscriptions.update(subscriptionId, { items: [{ id: itemId, quantity: 5 }] })
    await eventually(limitOf, (limit) => assert.equal(limit, 500))
    await shop.put('/v1/products/pro', { limitsPerUnit: false })
    assert.equal(await limitOf(), 100)
  })

  it('400: name, metadata and isDefault of a provider product', async () => {
    for (const body of [{ name: 'x' }, { metadata: {} }, { isDefault: true }])
      assert.equal((await shop.put('/v1/products/pro', body)).status, 400)
  })
})
