// Removing the demo data leaves nothing of it, and everything that somebody made or came to use.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { eventually, type Shop } from '../billing/shop-fixture.ts'
import { first, inShop, makeWhole, remove } from './demo-fixture.ts'

const local = { TOLLKEEPER_DEMO: '1' }

const count = async (shop: Shop, table: string) =>
  Number((await shop.query(`select count(*)::int as n from ${table}`))[0]?.n)

const customerTables = [
  'customer',
  'usage_event',
  'usage_counter',
  'bonus',
  'subscription',
  'customer_product',
]
const catalogueTables = [
  'feature',
  'product',
  'price',
  'product_version',
  'feature_access_entry',
  'demo_object',
]

describe('removing the demo data', () => {
  it('leaves nothing of it, here or running at the provider, and the next start makes none', () =>
    inShop(local, async (shop) => {
      await makeWhole(shop)
      assert.deepEqual(await remove(shop), {
        removed: { customers: 40, products: 5, features: 6 },
        kept: [],
      })
      for (const table of [...customerTables, ...catalogueTables]) {
        await eventually(
          () => count(shop, table),
          (rows) => assert.equal(rows, 0, table),
          20_000,
        )
      }
      assert.equal((await shop.stripe.customers.list({ limit: 1 })).data.length, 0)
      assert.equal((await shop.stripe.products.list({ active: true, limit: 1 })).data.length, 0)
      assert.equal((await shop.stripe.subscriptions.list({ limit: 1 })).data.length, 0)
      assert.equal(await first(shop).startDemo(), undefined)
      assert.deepEqual((await remove(shop)).removed, { customers: 0, products: 0, features: 0 })
    }))

  it('spares what somebody made, under the demo’s own names too, and what that uses', () =>
    inShop(local, async (shop) => {
      await makeWhole(shop)
      const made = [
        await shop.post('/v1/features', { featureKey: 'mine', name: 'Mine', type: 'boolean' }),
        await shop.post('/v1/customers', { customerId: 'me', customProductKeys: ['enterprise'] }),
      ]
      assert.deepEqual(
        made.map(({ status }) => status),
        [201, 201],
      )
      await shop.request('DELETE', '/v1/customers/kitehill')
      await shop.post('/v1/customers', { customerId: 'kitehill', name: 'Mine now' })
      const event = { customerId: 'kitehill', featureKey: 'exports', eventKey: 'mine', amount: 2 }
      assert.equal((await shop.post('/v1/usage', event)).status, 200)

      const { removed, kept } = await remove(shop)
      assert.deepEqual(removed, { customers: 39, products: 4, features: 0 })
      assert.deepEqual(
        kept.map(({ key }) => key),
        ['enterprise', 'api_calls', 'seats', 'exports', 'ai_credits', 'sso', 'priority_support'],
      )
      const left = await shop.get('/v1/customers')
      assert.deepEqual(
        left.body.customers.map(({ customerId }: { customerId: string }) => customerId).sort(),
        ['kitehill', 'me'],
      )
      const access = await shop.get('/v1/feature-access?customerId=me')
      assert.equal(access.body.api_calls.limit, 2_000_000)
      assert.equal((await shop.get('/v1/features/mine')).status, 200)
      const usage = await shop.get('/v1/usage?customerId=kitehill')
      assert.equal(usage.body.events.length, 1)
    }))

  it('keeps a feature that somebody used, and no more', () =>
    inShop(local, async (shop) => {
      await makeWhole(shop)
      await shop.post('/v1/customers', { customerId: 'me' })
      const event = { customerId: 'me', featureKey: 'exports', eventKey: 'mine' }
      assert.equal((await shop.post('/v1/usage', event)).status, 200)
      const { removed, kept } = await remove(shop)
      assert.deepEqual(removed, { customers: 40, products: 5, features: 5 })
      assert.deepEqual(kept, [{ kind: 'feature', key: 'exports' }])
    }))
})
