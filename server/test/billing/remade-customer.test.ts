// A customer deleted and made anew while the payment provider is still busy with the one before: what is made for it there
// belongs to the customer that is here.
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { openShop, type Shop, stockShop, submit } from './shop-fixture.ts'

let shop: Shop
before(async () => {
  shop = await openShop()
  await stockShop(shop)
})
after(() => shop.close())
beforeEach(() => shop.simulator.faults.reset())

/** The first creation of a provider customer fails once and is tried again after half a second: time for what happens meanwhile. */
async function remakeDuring(customerId: string, act: () => Promise<unknown>): Promise<void> {
  const failed = Promise.withResolvers<void>()
  let isDone = false
  shop.simulator.faults.onRequest = ({ method, path }) => {
    if (isDone || method !== 'POST' || path !== '/v1/customers') return undefined
    isDone = true
    failed.resolve()
    return 'server_error'
  }
  const acting = act()
  await failed.promise
  assert.equal((await shop.request('DELETE', `/v1/customers/${customerId}`)).status, 200)
  assert.equal((await shop.post('/v1/customers', { customerId, name: 'Anew' })).status, 201)
  await acting
}

const linkOf = async (customerId: string) =>
  (await shop.get(`/v1/customers/${customerId}`)).body.providerCustomerId

describe('a customer deleted and made anew', () => {
  it('during its checkout: the session is that of its provider customer', async () => {
    let url = ''
    await remakeDuring('ada', async () => {
      const body = { productKey: 'pro', customerInfo: { name: 'Ada' } }
      const answer = await shop.post('/v1/customers/ada/checkout', body)
      // To be told that the customer is gone would be right, too; a session of nobody's is not.
      assert.ok([200, 404, 409].includes(answer.status), answer.text)
      url = answer.body.url ?? ''
    })
    if (url === '') return
    const session = await shop.stripe.checkout.sessions.retrieve(url.split('/').at(-1) ?? '')
    assert.equal(session.customer, await linkOf('ada'))
  })

  it('during its checkout: what is paid for there is held here', async () => {
    let url = ''
    await remakeDuring('eve', async () => {
      const body = { productKey: 'pro', customerInfo: { name: 'Eve' } }
      const answer = await shop.post('/v1/customers/eve/checkout', body)
      url = answer.body.url ?? ''
    })
    if (url === '') return
    const paid = await submit(url, { card_number: '4242424242424242' })
    assert.ok(paid.location, paid.text)
    await fetch(paid.location, { redirect: 'manual' })
    const { products } = (await shop.get('/v1/customers/eve')).body
    assert.deepEqual(
      products.map((product: { key: string }) => product.key),
      ['pro'],
    )
  })

  it('while it is created: it has one provider customer, and that one says its name', async () => {
    await remakeDuring('kim', () => shop.post('/v1/customers', { customerId: 'kim', name: 'Kim' }))
    const there = await shop.stripe.customers.retrieve(await linkOf('kim'))
    assert.ok(!there.deleted)
    assert.equal(there.name, 'Anew')
  })
})
