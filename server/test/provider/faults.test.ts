// The adapter when the provider misbehaves: what is retried, what it answers, and that it always ends in time.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, afterEach, before, describe, it } from 'node:test'
import Stripe from 'stripe'
import { secrets } from '../../../simulator/test/simulator-fixture.ts'
import { publicText, toProviderError } from '../../src/provider/stripe/errors.ts'
import { createStripeProvider } from '../../src/provider/stripe/provider.ts'
import { type ProviderFixture, startTestProvider } from './provider-fixture.ts'

let running: ProviderFixture
before(async () => {
  running = await startTestProvider()
})
after(() => running.close())
afterEach(() => running.simulator.faults.reset())

async function countCustomers(email: string): Promise<number> {
  return (await running.stripe.test.customers.list({ email })).data.length
}

const unavailable = { name: 'ProviderError', kind: 'unavailable' }

describe('the adapter', () => {
  it('gets over one failed answer, and makes one customer', async () => {
    const email = 'once@example.com'
    running.simulator.faults.failNext(['server_error'])
    await running.provider.test.createCustomer({ email }, 'once')
    assert.equal(await countCustomers(email), 1)
  })

  it('gets over an answer that was lost after taking effect, and makes one customer', async () => {
    for (const fault of ['lost_answer', 'no_answer'] as const) {
      const email = `${fault}@example.com`
      running.simulator.faults.failNext([fault])
      const made = await running.provider.test.createCustomer({ email }, fault)
      const again = await running.provider.test.createCustomer({ email }, fault)
      assert.equal(again.providerCustomerId, made.providerCustomerId)
      assert.equal(await countCustomers(email), 1)
    }
  })

  it('tells a provider that keeps failing as unavailable', async () => {
    running.simulator.faults.onRequest = () => 'server_error'
    await assert.rejects(running.provider.test.createCustomer({}, 'down'), unavailable)
    running.simulator.faults.onRequest = () => 'rate_limited'
    await assert.rejects(running.provider.test.getCustomerState('cus_x'), unavailable)
  })

  it('tells a provider that is not there as unavailable', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    const { port } = server.address() as AddressInfo
    await new Promise((resolve) => server.close(resolve))
    const provider = createStripeProvider({
      environment: 'test',
      ...secrets.test,
      host: '127.0.0.1',
      port,
      protocol: 'http',
    })
    await assert.rejects(provider.listProducts(), unavailable)
  })

  it('ends within 8 s though the answer drips for ever, or never begins', async () => {
    const server = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      const drip = setInterval(() => response.write(' '), 200)
      response.on('close', () => clearInterval(drip))
    }).listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    running.simulator.faults.onRequest = () => 'no_answer'
    const connect = (port: number) =>
      createStripeProvider({
        environment: 'test',
        ...secrets.test,
        host: '127.0.0.1',
        port,
        protocol: 'http',
      })
    const dripping = connect((server.address() as AddressInfo).port)
    const silent = connect(running.apiPort)
    const startedAt = performance.now()
    await Promise.all([
      assert.rejects(dripping.getCustomerState('cus_x'), unavailable),
      assert.rejects(silent.createCustomer({}, 'silent'), unavailable),
    ])
    assert(performance.now() - startedAt < 8_000)
    server.closeAllConnections()
    server.close()
  })
})

describe('an error text', () => {
  it('says which permission a key lacks, and nothing else of it', () => {
    const { kind, message } = toProviderError(
      new Stripe.errors.StripePermissionError({
        type: 'invalid_request_error',
        statusCode: 403,
        message:
          "The provided key 'rk_test_51Habc' does not have the required permissions for this endpoint on account 'acct_1'. Having the 'rak_customer_write' permission would allow this request to continue.",
      }),
    )
    assert.equal(kind, 'unauthorized')
    assert.equal(
      message,
      "The payment provider refused the service's key: it lacks the permission rak_customer_write",
    )
  })

  it('quotes no key, secret or link', () => {
    const text = publicText(
      'Invalid key sk_live_51Habc*** or whsec_abcDEF, rk_test_x. See https://dashboard.stripe.com/acct_1/logs',
    )
    assert.equal(text, 'Invalid key [redacted] or [redacted], [redacted].')
  })
})
