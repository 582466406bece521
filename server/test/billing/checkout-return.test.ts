// The way back from a checkout: the purchase is known before the customer goes on.
import assert from 'node:assert/strict'
import { after, beforeEach, describe, it } from 'node:test'
import { openTill } from './checkout-fixture.ts'
import { submit } from './shop-fixture.ts'

const { shop, addCustomer, startSession } = await openTill()
after(() => shop.close())
beforeEach(() => shop.simulator.faults.reset())

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

  it('leads to an address of any script, written as headers can carry it', async () => {
    const { customerId } = await addCustomer()
    const session = await startSession(customerId, { successUrl: 'https://例え.jp/ok?name=日本' })
    const paid = await submit(session.url ?? '', { card_number: '4242424242424242' })
    const back = await fetch(paid.location ?? '', { redirect: 'manual' })
    const written = 'https://xn--r8jz45g.jp/ok?name=%E6%97%A5%E6%9C%AC'
    assert.deepEqual([back.status, back.headers.get('location')], [303, written])
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
