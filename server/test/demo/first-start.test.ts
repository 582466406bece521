// The demo data of a first start: made once, in an empty test environment of a local installation, and only there.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { eventually, submit } from '../billing/shop-fixture.ts'
import { becomeWhole, first, inShop, listAll } from './demo-fixture.ts'

const keys = (list: { key: string }[]) => list.map(({ key }) => key).sort()

describe('the demo data of a first start', () => {
  it('is a catalogue and a customer at once, forty customers soon, and is made once', () =>
    inShop({ TOLLKEEPER_DEMO: '1' }, async (shop) => {
      const demo = await first(shop).startDemo()
      assert.deepEqual(demo, { features: 6, products: 5, customers: 40 })
      const read = async () => ({
        products: (await shop.get('/v1/products')).body.products,
        features: (await shop.get('/v1/features')).body.features,
      })
      const catalogue = await read()
      assert.deepEqual(keys(catalogue.products), ['ai_pack', 'enterprise', 'free', 'pro', 'starter'])
      assert.equal(catalogue.features.length, 6)
      const access = await shop.get('/v1/feature-access?customerId=acme')
      assert.deepEqual([access.status, access.body.api_calls.limit], [200, 1_000])
      assert.ok(access.body.api_calls.usage.used > 900, access.text)

      await becomeWhole(shop)
      const customers = await listAll(shop)
      assert.equal(customers.length, 40)
      assert.equal(await first(shop).startDemo(), undefined)
      assert.deepEqual(keys((await read()).products), keys(catalogue.products))
      assert.deepEqual(await listAll(shop), customers)
      const live = await shop.get('/v1/products', { key: shop.keys.live })
      assert.deepEqual(live.body.products, [])
    }))

  it('lets its first customer buy Pro', () =>
    inShop({ TOLLKEEPER_DEMO: '1' }, async (shop) => {
      await first(shop).startDemo()
      const bought = await shop.post('/v1/customers/acme/checkout', { productKey: 'pro' })
      assert.equal(bought.status, 200, bought.text)
      assert.equal((await submit(bought.body.url, { card_number: '4242424242424242' })).status, 303)
      await eventually(
        () => shop.get('/v1/feature-access?customerId=acme'),
        ({ body }) => assert.equal(body.api_calls.limit, 100_000),
        20_000,
      )
    }))

  it('is not made with TOLLKEEPER_DEMO=0', () =>
    inShop({ TOLLKEEPER_DEMO: '0' }, async (shop) => {
      assert.equal(await first(shop).startDemo(), undefined)
      assert.deepEqual((await shop.get('/v1/products')).body.products, [])
    }))

  it('is not made in a database of the operator’s own', () =>
    inShop({ TOLLKEEPER_DEMO: '1', DATABASE_URL: 'postgres://user:password@db.example/x' }, async (shop) => {
      assert.equal(await first(shop).startDemo(), undefined)
      assert.deepEqual((await shop.get('/v1/features')).body.features, [])
    }))

  it('is not made where there is anything already', () =>
    inShop({ TOLLKEEPER_DEMO: '1' }, async (shop) => {
      await shop.post('/v1/features', { featureKey: 'mine', name: 'Mine', type: 'boolean' })
      assert.equal(await first(shop).startDemo(), undefined)
      assert.deepEqual((await shop.get('/v1/products')).body.products, [])
    }))
})
