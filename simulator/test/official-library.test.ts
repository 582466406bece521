// Stripe's own Node library against the simulator: webhook verification, automatic paging, idempotent retries, error classes.
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import Stripe from 'stripe'
import type { RequestFault } from '../src/faults.ts'
import { type SimulatorFixture, secrets, seed, startSimulator } from './simulator-fixture.ts'

let running: SimulatorFixture
before(async () => {
  running = await startSimulator()
})
after(() => running.close())
afterEach(() => running.simulator.faults.reset())

const connect = (secretKey = secrets.test.secretKey, maxNetworkRetries = 0) =>
  new Stripe(secretKey, {
    host: '127.0.0.1',
    port: running.apiPort,
    protocol: 'http',
    maxNetworkRetries,
    timeout: 1_000,
  })

describe('webhook verification', () => {
  it('takes what the simulator signed, also by promise, and nothing else', async () => {
    const stripe = connect()
    await stripe.customers.create({ name: 'Ünïcode 漢字' })
    await running.simulator.deliverDue()
    const { body, signature } = running.received.at(-1) ?? assert.fail('No webhook came.')
    const { webhookSecret } = secrets.test
    const event = stripe.webhooks.constructEvent(body, signature, webhookSecret)
    assert.equal(event.type, 'customer.created')
    const same = await stripe.webhooks.constructEventAsync(Buffer.from(body), signature, webhookSecret)
    assert.equal(same.id, event.id)
    const stored = await stripe.events.retrieve(event.id)
    assert.deepEqual(JSON.parse(JSON.stringify(stored.data)), JSON.parse(JSON.stringify(event.data)))
    const { StripeSignatureVerificationError } = Stripe.errors
    for (const [text, secret] of [
      [`${body} `, webhookSecret],
      [body, secrets.live.webhookSecret],
    ] as const) {
      assert.throws(
        () => stripe.webhooks.constructEvent(text, signature, secret),
        StripeSignatureVerificationError,
      )
    }
  })
})

describe('automatic paging', () => {
  it('walks lists forwards and backwards, and searches, each object once', async () => {
    const stripe = connect(secrets.live.secretKey)
    const made: string[] = []
    for (let count = 0; count < 25; count++) {
      made.unshift((await stripe.customers.create({ metadata: { batch: 'paging' } })).id)
    }
    const listed: string[] = []
    for await (const { id } of stripe.customers.list({ limit: 4 })) listed.push(id)
    assert.deepEqual(listed, made)
    const last = made.at(-1) as string
    const backwards: string[] = []
    for await (const { id } of stripe.customers.list({ limit: 4, ending_before: last })) backwards.push(id)
    assert.deepEqual(backwards, made.slice(0, -1).toReversed())
    const some = await stripe.customers.list({ limit: 4 }).autoPagingToArray({ limit: 10 })
    assert.equal(some.length, 10)
    const query = "metadata['batch']:'paging'"
    const found = await stripe.customers.search({ query, limit: 7 }).autoPagingToArray({ limit: 100 })
    assert.deepEqual(
      found.map(({ id }) => id),
      made,
    )
  })
})

describe('retries of the library', () => {
  it('have the effect once, whatever was lost on the way', async () => {
    const stripe = connect(secrets.test.secretKey, 2)
    for (const fault of ['server_error', 'lost_answer', 'no_answer'] as RequestFault[]) {
      running.simulator.faults.failNext([fault])
      const email = `${fault}@example.com`
      await stripe.customers.create({ email })
      assert.equal((await stripe.customers.list({ email })).data.length, 1, fault)
    }
  })

  it('do not try again what would only be replayed', async () => {
    running.simulator.faults.failNext(['execution_error'])
    const before = running.exchanges.length
    await assert.rejects(connect(secrets.test.secretKey, 2).customers.create({}), { statusCode: 500 })
    assert.equal(running.exchanges.length, before + 1)
  })
})

describe('error classes', () => {
  const { errors } = Stripe
  type ErrorClass = abstract new (...args: never[]) => InstanceType<typeof errors.StripeError>

  async function assertThrows(call: Promise<unknown>, type: ErrorClass, fields: object): Promise<void> {
    const thrown = await call.then(
      () => assert.fail('It succeeded.'),
      (error) => error,
    )
    assert(thrown instanceof type, `${thrown?.type}: ${thrown?.message}`)
    assert.partialDeepStrictEqual({ ...thrown }, fields)
    if (thrown.statusCode !== undefined) assert.match(String(thrown.requestId), /^req_/)
  }

  it('are those that the library has for each answer', async () => {
    const stripe = connect()
    const { customer, priceId } = await seed(stripe)
    await assertThrows(connect('sk_test_wrong').customers.list(), errors.StripeAuthenticationError, {
      statusCode: 401,
    })
    await assertThrows(stripe.customers.retrieve('cus_none'), errors.StripeInvalidRequestError, {
      statusCode: 404,
      code: 'resource_missing',
      param: 'id',
    })
    await assertThrows(stripe.customers.create({ nam: 'x' } as never), errors.StripeInvalidRequestError, {
      statusCode: 400,
      code: 'parameter_unknown',
      param: 'nam',
    })
    const failing = await stripe.paymentMethods.attach('pm_card_chargeCustomerFail', {
      customer: customer.id,
    })
    const declined = stripe.subscriptions.create({
      customer: customer.id,
      items: [{ price: priceId }],
      default_payment_method: failing.id,
      payment_behavior: 'error_if_incomplete',
    })
    await assertThrows(declined, errors.StripeCardError, {
      statusCode: 402,
      code: 'card_declined',
      decline_code: 'generic_decline',
    })
    const options = { idempotencyKey: 'classes' }
    await stripe.customers.create({ name: 'One' }, options)
    await assertThrows(stripe.customers.create({ name: 'Two' }, options), errors.StripeIdempotencyError, {
      statusCode: 400,
    })
    running.simulator.faults.failNext(['rate_limited', 'server_error', 'lost_answer', 'lost_answer'])
    await assertThrows(stripe.customers.list(), errors.StripeRateLimitError, { statusCode: 429 })
    await assertThrows(stripe.customers.list(), errors.StripeAPIError, { statusCode: 500 })
    // A connection that is cut is tried once more, retries or not.
    await assertThrows(stripe.customers.list(), errors.StripeConnectionError, {})
  })
})
