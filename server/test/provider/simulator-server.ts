// A whole provider for tests: the simulator over a database of its own, its API, pages and a webhook receiver on real
// ports, and the adapter that speaks to it. Time stands still until a test moves it.
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import Fastify from 'fastify'
import Stripe from 'stripe'
import { type Environment, environments } from '../../src/domain/environment.ts'
import type { Provider } from '../../src/provider/provider.ts'
import { createSimulator, type Simulator } from '../../src/provider/simulator/simulator.ts'
import { createStripeProvider } from '../../src/provider/stripe/provider.ts'
import { type Database, openDatabase } from '../../src/storage/database.ts'
import { createTestDatabase } from '../database.ts'

export type ReceivedWebhook = {
  environment: Environment
  body: string
  signature: string
  event: { id: string; type: string; data: { object: { id: string } } }
}

export type TestProvider = {
  simulator: Simulator
  database: Database
  provider: Record<Environment, Provider>
  /** The plain SDK, for what the adapter has no call for. */
  stripe: Record<Environment, Stripe>
  secrets: Record<Environment, { secretKey: string; webhookSecret: string }>
  apiPort: number
  pagesUrl: string
  received: ReceivedWebhook[]
  /** What the webhook receiver answers. */
  receiver: { status: number }
  clock: { nowMs: number; moveTo(date: string): Promise<void> }
  close(): Promise<void>
}

export const secrets = {
  test: { secretKey: 'sk_test_simulated', webhookSecret: 'whsec_test_simulated' },
  live: { secretKey: 'sk_live_simulated', webhookSecret: 'whsec_live_simulated' },
}

async function listen(listener: RequestListener): Promise<{ server: Server; port: number }> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { server, port: (server.address() as AddressInfo).port }
}

function createReceiver(received: ReceivedWebhook[], receiver: { status: number }): RequestListener {
  return async (request: IncomingMessage, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = Buffer.concat(chunks).toString()
    const environment = environments.find((name) => request.url?.endsWith(name)) ?? 'test'
    const signature = String(request.headers['stripe-signature'])
    if (receiver.status < 300) received.push({ environment, body, signature, event: JSON.parse(body) })
    response.writeHead(receiver.status).end()
  }
}

export async function startTestProvider(startsAt = '2026-01-31T12:00:00Z'): Promise<TestProvider> {
  const testDatabase = await createTestDatabase()
  const database = openDatabase({ connection: testDatabase.connection, poolSize: 5 })
  const received: ReceivedWebhook[] = []
  const receiver = { status: 200 }
  const webhooks = await listen(createReceiver(received, receiver))
  const pages = await listen((request, response) => app.routing(request, response))
  const pagesUrl = `http://127.0.0.1:${pages.port}`
  const clock = {
    nowMs: Date.parse(startsAt),
    async moveTo(date: string) {
      clock.nowMs = Date.parse(date)
      await simulator.advance('test')
    },
  }
  const simulator = createSimulator({
    database,
    now: async () => clock.nowMs,
    webhookTarget: (environment) => `http://127.0.0.1:${webhooks.port}/${environment}`,
    publicUrl: () => pagesUrl,
    secrets,
  })
  const app = Fastify()
  await app.register(simulator.pages, { prefix: '/simulator' })
  await app.ready()
  const api = await listen(simulator.handler)
  const address = { host: '127.0.0.1', port: api.port, protocol: 'http' as const }
  const each = <T>(make: (environment: Environment) => T) => ({ test: make('test'), live: make('live') })

  return {
    simulator,
    database,
    provider: each((environment) =>
      createStripeProvider({ environment, ...secrets[environment], ...address, fetchTimeoutMs: 1_000 }),
    ),
    stripe: each((environment) => new Stripe(secrets[environment].secretKey, address)),
    secrets,
    apiPort: api.port,
    pagesUrl,
    received,
    receiver,
    clock,
    async close() {
      await simulator.close()
      await app.close()
      for (const { server } of [api, pages, webhooks]) {
        server.closeAllConnections()
        await new Promise((resolve) => server.close(resolve))
      }
      await database.close()
      await testDatabase.drop()
    },
  }
}

/** A product with a monthly default price, and a customer who can pay. */
export async function seed(stripe: Stripe) {
  const product = await stripe.products.create({
    name: 'Pro',
    metadata: { product_key: 'pro' },
    default_price_data: { currency: 'usd', unit_amount: 2000, recurring: { interval: 'month' } },
  })
  const customer = await stripe.customers.create({ name: 'Ada', email: 'ada@example.com' })
  const method = await stripe.paymentMethods.attach('pm_card_visa', { customer: customer.id })
  await stripe.customers.update(customer.id, { invoice_settings: { default_payment_method: method.id } })
  return { product, priceId: String(product.default_price), customer }
}
