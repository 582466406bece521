// Live without a key: nothing is simulated there, nothing is sold, and what a removed key has left stays as it is.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import Stripe from 'stripe'
import { readConfig } from '../../src/config.ts'
import { type Service, startService } from '../../src/service.ts'
import { addPayer, eventually, openAccount, openShop, type Shop } from './shop-fixture.ts'

let shop: Shop
before(async () => {
  shop = await openShop({ variables: { TOLLKEEPER_SIMULATE_LIVE: '0' } })
})
after(() => shop.close())

const live = () => ({ key: shop.keys.live })
const notConfigured = (answer: { status: number; headers: Record<string, unknown> }) =>
  assert.deepEqual([answer.status, answer.headers['x-error-code']], [400, 'provider_not_configured'])

describe('live without a key', () => {
  it('keeps its customers unlinked, and they have all but payments', async () => {
    const made = await shop.post('/v1/customers', { customerId: 'ada', name: 'Ada' }, live())
    assert.deepEqual([made.status, made.body.providerCustomerId], [201, undefined])
    assert.equal((await shop.put('/v1/customers/ada', { name: 'Ada B.' }, live())).status, 200)
    const rows = await shop.query("select body from simulator_object where environment = 'live'")
    assert.deepEqual(rows, [])
  })

  it('answers checkout, portal, sync and linking with 400, and makes no customer', async () => {
    const checkout = { productKey: 'pro', customerInfo: {} }
    notConfigured(await shop.post('/v1/customers/new/checkout', checkout, live()))
    notConfigured(await shop.post('/v1/customers/ada/customer_portal', undefined, live()))
    notConfigured(await shop.post('/v1/products/sync', undefined, live()))
    notConfigured(await shop.post('/v1/products', { productKey: 'x', providerProductId: 'prod_1' }, live()))
    assert.equal((await shop.get('/v1/customers/new', live())).body, null)
  })

  it('refuses webhooks with 400', async () => {
    const body = '{}'
    const headers = { 'stripe-signature': 't=1,v1=0', 'content-type': 'application/json' }
    notConfigured(await shop.request('POST', '/provider/webhooks/live', { raw: body, headers, key: null }))
  })

  it('leaves the test environment as it was', async () => {
    assert.match(await addPayer(shop, 'eve'), /^cus_/)
  })
})

describe('a key that was removed', () => {
  it('leaves links and what is held as they are', async () => {
    const simulating = await openShop()
    try {
      const key = simulating.keys.live
      const account = openAccount(simulating.instances[0] as Service, 'live')
      const product = await account.products.create({
        name: 'Pro',
        default_price_data: { currency: 'usd', unit_amount: 100, recurring: { interval: 'month' } },
      })
      await simulating.post('/v1/products', { productKey: 'pro', providerProductId: product.id }, { key })
      const made = await simulating.post('/v1/customers', { customerId: 'ada' }, { key })
      const customer: string = made.body.providerCustomerId
      const method = await account.paymentMethods.attach('pm_card_visa', { customer })
      await account.customers.update(customer, { invoice_settings: { default_payment_method: method.id } })
      await account.subscriptions.create({ customer, items: [{ price: String(product.default_price) }] })
      const before = await eventually(
        () => simulating.get('/v1/customers/ada', { key }),
        ({ body }) => assert.equal(body.products[0]?.key, 'pro'),
      )
      const config = readConfig({ PORT: '0', LOG_LEVEL: 'silent', TOLLKEEPER_DEMO: '0', RATE_LIMIT_ALL: '0' })
      const without = await startService(config, simulating.database.connection)
      try {
        const headers = { 'x-api-key': key, 'content-type': 'application/json' }
        const read = async () => (await fetch(`${without.url}/v1/customers/ada`, { headers })).json()
        assert.deepEqual(await read(), before.body)
        const sold = await fetch(`${without.url}/v1/customers/ada/checkout`, {
          method: 'POST',
          headers,
          body: JSON.stringify({ productKey: 'pro' }),
        })
        assert.deepEqual([sold.status, sold.headers.get('x-error-code')], [400, 'provider_not_configured'])
        assert.deepEqual(await read(), before.body)
      } finally {
        await without.close()
      }
    } finally {
      await simulating.close()
    }
  })
})

describe('the simulator', () => {
  it('has the same keys on every instance that shares a secret, and takes them on any', async () => {
    const variables = { TOLLKEEPER_SECRET: 'x'.repeat(32) }
    const shared = await openShop({ instances: 2, variables })
    try {
      const [first, second] = shared.instances as [Service, Service]
      assert.deepEqual(first.simulatorAccess.secrets, second.simulatorAccess.secrets)
      const { port } = new URL(second.simulatorAccess.url)
      const stripe = new Stripe(first.simulatorAccess.secrets.test.secretKey, {
        host: '127.0.0.1',
        port,
        protocol: 'http',
      })
      assert.match((await stripe.customers.create({})).id, /^cus_/)
    } finally {
      await shared.close()
    }
  })
})
