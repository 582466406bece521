// The catalogue of a first start: made once, in an empty test environment of a local installation, and only there.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Service } from '../../src/service.ts'
import { eventually, openShop, type Shop, submit } from './shop-fixture.ts'

async function inShop(variables: Record<string, string>, work: (shop: Shop) => Promise<void>): Promise<void> {
  const shop = await openShop({ variables })
  try {
    await work(shop)
  } finally {
    await shop.close()
  }
}

const seed = (shop: Shop) => (shop.instances[0] as Service).seedFirstCatalogue()
const keys = (list: { key: string }[]) => list.map(({ key }) => key).sort()

describe('the first catalogue', () => {
  it('is three features, Free by default and Pro to be bought, and is made once', () =>
    inShop({ TOLLKEEPER_DEMO: '1' }, async (shop) => {
      assert.equal(await seed(shop), true)
      const read = async () => ({
        products: (await shop.get('/v1/products')).body.products,
        features: (await shop.get('/v1/features')).body.features,
      })
      const first = await read()
      assert.deepEqual(keys(first.products), ['free', 'pro'])
      assert.equal(first.features.length, 3)
      assert.equal(first.products.find(({ key }: { key: string }) => key === 'free').isDefault, true)
      assert.equal(await seed(shop), false)
      assert.deepEqual(await read(), first)
      const live = await shop.get('/v1/products', { key: shop.keys.live })
      assert.deepEqual(live.body.products, [])

      const bought = await shop.post('/v1/customers/acme/checkout', { productKey: 'pro', customerInfo: {} })
      assert.equal(bought.status, 200)
      assert.equal((await submit(bought.body.url, { card_number: '4242424242424242' })).status, 303)
      await eventually(
        () => shop.get('/v1/feature-access?customerId=acme'),
        ({ body }) => assert.equal(body.api_calls.limit, 100_000),
      )
    }))

  it('is not made with TOLLKEEPER_DEMO=0', () =>
    inShop({ TOLLKEEPER_DEMO: '0' }, async (shop) => {
      assert.equal(await seed(shop), false)
      assert.deepEqual((await shop.get('/v1/products')).body.products, [])
    }))

  it('is not made in a database of the operator’s own', () =>
    inShop({ TOLLKEEPER_DEMO: '1', DATABASE_URL: 'postgres://user:password@db.example/x' }, async (shop) => {
      assert.equal(await seed(shop), false)
      assert.deepEqual((await shop.get('/v1/features')).body.features, [])
    }))

  it('is not made where there is anything already', () =>
    inShop({ TOLLKEEPER_DEMO: '1' }, async (shop) => {
      await shop.post('/v1/features', { featureKey: 'mine', name: 'Mine', type: 'boolean' })
      assert.equal(await seed(shop), false)
      assert.deepEqual((await shop.get('/v1/products')).body.products, [])
    }))
})
