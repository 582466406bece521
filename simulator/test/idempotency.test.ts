// Idempotency keys as Stripe keeps them: the first answer of an execution that began, be it a success or an error.
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import Stripe from 'stripe'
import { type SimulatorFixture, secrets, seed, startSimulator } from './simulator-fixture.ts'

let running: SimulatorFixture
let stripe: Stripe
before(async () => {
  running = await startSimulator()
  const address = { host: '127.0.0.1', port: running.apiPort, protocol: 'http' as const }
  stripe = new Stripe(secrets.test.secretKey, { ...address, maxNetworkRetries: 0 })
})
after(() => running.close())
afterEach(() => running.simulator.faults.reset())

let keys = 0
const newKey = () => ({ idempotencyKey: `key-${++keys}` })

/** How a call ended: its error, and whether that was a replay. */
async function fail(call: Promise<unknown>) {
  const error = await call.then(
    () => assert.fail('It succeeded.'),
    (thrown) => thrown as InstanceType<typeof Stripe.errors.StripeError>,
  )
  return { error, isReplayed: error.headers?.['idempotent-replayed'] === 'true' }
}

describe('an idempotency key', () => {
  it('gives a refusal again, with its header, also when the reason is gone', async () => {
    const { customer, priceId, product } = await seed(stripe)
    await stripe.products.update(product.id, { default_price: '' })
    await stripe.prices.update(priceId, { active: false })
    const key = newKey()
    const subscribe = (options: Stripe.RequestOptions) =>
      stripe.subscriptions.create({ customer: customer.id, items: [{ price: priceId }] }, options)
    const first = await fail(subscribe(key))
    assert.equal(first.isReplayed, false)
    await stripe.prices.update(priceId, { active: true })
    const again = await fail(subscribe(key))
    assert.equal(again.isReplayed, true)
    assert.equal(again.error.statusCode, 400)
    assert.equal(again.error.message, first.error.message)
    assert.equal((await subscribe(newKey())).status, 'active')
  })

  it('gives a 500 again, and what failed had no effect', async () => {
    const key = newKey()
    const create = (options: Stripe.RequestOptions) =>
      stripe.customers.create({ email: 'five@example.com' }, options)
    running.simulator.faults.failNext(['execution_error'])
    const first = await fail(create(key))
    assert.deepEqual([first.error.statusCode, first.isReplayed], [500, false])
    const again = await fail(create(key))
    assert.deepEqual([again.error.statusCode, again.isReplayed], [500, true])
    assert.equal((await stripe.customers.list({ email: 'five@example.com' })).data.length, 0)
    await create(newKey())
    assert.equal((await stripe.customers.list({ email: 'five@example.com' })).data.length, 1)
  })

  it('is not taken by what fails before the execution: bad parameters, a rate limit, a server that is down', async () => {
    const key = newKey()
    const create = (email: string) => stripe.customers.create({ email }, key)
    await fail(create('no address'))
    running.simulator.faults.failNext(['rate_limited', 'server_error'])
    await fail(create('ok@example.com'))
    await fail(create('ok@example.com'))
    assert.equal((await create('ok@example.com')).email, 'ok@example.com')
  })

  it('undoes what a failed execution had done before it failed', async () => {
    const { customer } = await seed(stripe)
    const count = async () => (await stripe.events.list({ limit: 100 })).data.length
    const before = await count()
    await fail(stripe.customers.create({ name: 'Half', payment_method: 'pm_none' }, newKey()))
    assert.equal(await count(), before)
    assert.equal((await stripe.customers.retrieve(customer.id)).id, customer.id)
  })

  it('with another body is an idempotency error, after a failure too', async () => {
    const key = newKey()
    running.simulator.faults.failNext(['execution_error'])
    await fail(stripe.customers.create({ name: 'One' }, key))
    const { error } = await fail(stripe.customers.create({ name: 'Two' }, key))
    assert(error instanceof Stripe.errors.StripeIdempotencyError)
    assert.equal(error.statusCode, 400)
  })
})
