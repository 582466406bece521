// POST /v1/customers/{customerId}/customer_portal: the flow, the way back, and what is refused.
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { addPayer, openShop, type Shop, stockShop } from './shop-fixture.ts'

let shop: Shop
before(async () => {
  shop = await openShop()
  const { priceId } = await stockShop(shop)
  const customer = await addPayer(shop, 'ada')
  await shop.stripe.subscriptions.create({ customer, items: [{ price: priceId }] })
})
after(() => shop.close())
beforeEach(() => shop.simulator.faults.reset())

const path = '/v1/customers/ada/customer_portal'

async function openPage(body?: object): Promise<string> {
  const answer = await shop.post(path, body)
  assert.equal(answer.status, 200, answer.text)
  const page = await fetch(answer.body.url)
  assert.equal(page.status, 200)
  return page.text()
}

describe('200', () => {
  it('opens subscriptions and payment method when nothing is said', async () => {
    const page = await openPage()
    assert.match(page, /Subscription to pro/)
    assert.match(page, /Payment method/)
    assert.doesNotMatch(page, /Return</)
  })

  it('takes an empty body of any content type as absent', async () => {
    for (const type of ['application/json', 'text/plain']) {
      const answer = await shop.request('POST', path, { raw: '', headers: { 'content-type': type } })
      assert.equal(answer.status, 200, answer.text)
    }
    await openPage({})
  })

  it('opens the payment method alone with flow payment_method_update', async () => {
    const page = await openPage({ flow: 'payment_method_update' })
    assert.doesNotMatch(page, /Subscription to pro/)
    assert.match(page, /Payment method/)
  })

  it('leads back to returnUrl', async () => {
    assert.match(
      await openPage({ returnUrl: 'https://shop.example/me' }),
      /href="https:\/\/shop\.example\/me"/,
    )
  })

  it('links a customer that the provider does not know yet', async () => {
    shop.simulator.faults.onRequest = () => 'server_error'
    assert.equal((await shop.post('/v1/customers', { customerId: 'late' })).status, 201)
    shop.simulator.faults.reset()
    assert.equal((await shop.post('/v1/customers/late/customer_portal')).status, 200)
    assert.match((await shop.get('/v1/customers/late')).body.providerCustomerId, /^cus_/)
  })
})

describe('400', () => {
  const bad = [
    { flow: 'subscription_cancel' },
    { flow: null },
    { returnUrl: 'http://shop.example/' },
    { returnUrl: 'javascript:alert(1)' },
    { returnUrl: `https://shop.example/${'x'.repeat(2048)}` },
    { return_url: 'https://shop.example/' },
  ]
  for (const body of bad) {
    it(JSON.stringify(body).slice(0, 60), async () => {
      const answer = await shop.post(path, body)
      assert.equal(answer.status, 400)
      assert.match(answer.body.error, new RegExp(Object.keys(body)[0] ?? ''))
    })
  }
})

describe('404', () => {
  it('an unknown customer', async () => {
    assert.equal((await shop.post('/v1/customers/nobody/customer_portal')).status, 404)
  })

  it('a customer of the other environment', async () => {
    assert.equal((await shop.post(path, undefined, { key: shop.keys.live })).status, 404)
  })
})

describe('502', () => {
  it('when the provider fails', async () => {
    shop.simulator.faults.onRequest = () => 'rate_limited'
    const answer = await shop.post(path)
    assert.equal(answer.status, 502)
    assert.equal(answer.headers['x-error-code'], 'provider_unavailable')
  })
})
