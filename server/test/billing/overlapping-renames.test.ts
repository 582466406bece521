// Renames that overtake one another on their way to the payment provider: it ends with the last one, whatever it heard last.
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { eventually, openShop, type Shop, stockShop } from './shop-fixture.ts'

let shop: Shop
before(async () => {
  shop = await openShop()
  await stockShop(shop)
})
after(() => shop.close())
beforeEach(() => shop.simulator.faults.reset())

/** Fails the next such call at the provider once; the adapter tries again after half a second. Resolves when it has failed. */
function failOnce(isMeant: (path: string) => boolean): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  let isDone = false
  shop.simulator.faults.onRequest = ({ method, path }) => {
    if (isDone || method !== 'POST' || !isMeant(path)) return undefined
    isDone = true
    resolve()
    return 'server_error'
  }
  return promise
}

const fieldsAt = async (providerCustomerId: string) => {
  const there = await shop.stripe.customers.retrieve(providerCustomerId)
  assert.ok(!there.deleted)
  return [there.name, there.email]
}

describe('two renames that overlap', () => {
  it('leave the provider with the later one', async () => {
    const { body } = await shop.post('/v1/customers', { customerId: 'ada', name: 'First' })
    const failed = failOnce((path) => path === `/v1/customers/${body.providerCustomerId}`)
    const older = shop.put('/v1/customers/ada', { name: 'Older', email: 'older@example.com' })
    await failed
    const newer = await shop.put('/v1/customers/ada', { name: 'Newer', email: 'newer@example.com' })
    assert.deepEqual([newer.status, (await older).status], [200, 200])
    assert.equal((await shop.get('/v1/customers/ada')).body.name, 'Newer')
    await eventually(
      () => fieldsAt(body.providerCustomerId),
      (there) => assert.deepEqual(there, ['Newer', 'newer@example.com']),
      10_000,
    )
  })

  it('one of them within a checkout, leave the provider with the later one', async () => {
    const { body } = await shop.post('/v1/customers', { customerId: 'eve', name: 'First' })
    const failed = failOnce((path) => path === `/v1/customers/${body.providerCustomerId}`)
    const older = shop.post('/v1/customers/eve/checkout', {
      productKey: 'pro',
      customerInfo: { name: 'Older' },
    })
    await failed
    assert.equal((await shop.put('/v1/customers/eve', { name: 'Newer' })).status, 200)
    assert.equal((await older).status, 200)
    await eventually(
      () => fieldsAt(body.providerCustomerId),
      ([name]) => assert.equal(name, 'Newer'),
      10_000,
    )
  })
})
