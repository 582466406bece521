// Importing a large catalogue: few calls, an answer in time, and an import that ends by itself.
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { resumeImports } from '../../src/operations/products/import-products.ts'
import type { Service } from '../../src/service.ts'
import { eventually, openShop, type Shop } from './shop-fixture.ts'

const count = 205
let shop: Shop
before(async () => {
  shop = await openShop()
  const make = (n: number) =>
    shop.stripe.products.create({
      name: `Plan ${n}`,
      default_price_data: { currency: 'usd', unit_amount: n, recurring: { interval: 'month' } },
    })
  for (let n = 1; n <= count; n += 5) await Promise.all([0, 1, 2, 3, 4].map((more) => make(n + more)))
})
after(() => shop.close())
beforeEach(() => shop.simulator.faults.reset())

const countProducts = async () =>
  Number((await shop.query("select count(*) from product where environment = 'test'"))[0]?.count)

describe('POST /v1/products/sync', () => {
  it('that takes longer than 8 s is answered 202 and goes on by itself', async () => {
    shop.simulator.faults.latencyMs = 1_800
    const startedAt = Date.now()
    const { status, body } = await shop.post('/v1/products/sync')
    assert.deepEqual([status, body], [202, { pending: true }])
    assert.ok(Date.now() - startedAt < 9_000)
    await eventually(countProducts, (products) => assert.equal(products, count), 30_000)
    await eventually(
      () => shop.query('select from catalogue_import'),
      (rows) => assert.equal(rows.length, 0),
      10_000,
    )
  })

  it('reads two lists, a hundred at a time', async () => {
    const paths: string[] = []
    shop.simulator.faults.onRequest = ({ path }) => {
      paths.push(path)
      return undefined
    }
    const { status, body, text } = await shop.post('/v1/products/sync')
    assert.equal(status, 200, text)
    assert.equal(body.products.length, count)
    const lists = paths.filter((path) => path === '/v1/products' || path === '/v1/prices')
    assert.equal(lists.length, 6)
    const first = body.products.find(({ name }: { name: string }) => name === 'Plan 1')
    assert.deepEqual([first.key, first.prices[0].unitAmount, first.prices[0].isDefault], ['plan-1', 1, true])
  })

  it('is taken up again where its process died or its provider failed', async () => {
    const { services } = shop.instances[0] as Service
    await shop.stripe.products.create({ name: 'Late' })
    await shop.query("insert into catalogue_import (environment, due_at) values ('test', 0)")
    shop.simulator.faults.onRequest = ({ path }) => (path === '/v1/prices' ? 'refused' : undefined)
    await resumeImports(services)
    assert.equal(await countProducts(), count)
    shop.simulator.faults.reset()
    await shop.query("update catalogue_import set due_at = 0 where environment = 'test'")
    await eventually(
      async () => {
        await resumeImports(services)
        return countProducts()
      },
      (products) => assert.equal(products, count + 1),
    )
    assert.deepEqual(await shop.query('select from catalogue_import'), [])
  })

  it('that fails in time is 502 and leaves nothing to be done', async () => {
    shop.simulator.faults.onRequest = ({ path }) => (path === '/v1/products' ? 'refused' : undefined)
    assert.equal((await shop.post('/v1/products/sync')).status, 502)
    assert.deepEqual(await shop.query('select from catalogue_import'), [])
  })
})
