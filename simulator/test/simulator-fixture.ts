// A whole simulator for tests: its API, pages and a webhook receiver on real ports, over a store in memory unless another is
// given. Time stands still until a test moves it.
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import Stripe from 'stripe'
import { type Environment, environments } from '../src/environment.ts'
import { createSimulator, type Simulator } from '../src/simulator.ts'
import { createMemoryStore } from '../src/store/memory-store.ts'
import type { Store } from '../src/store/store.ts'

export type ReceivedWebhook = {
  environment: Environment
  body: string
  signature: string
  event: { id: string; type: string; data: { object: { id: string } } }
}

/** One request to the API and its answer, as they went over the wire. */
export type Exchange = { method: string; path: string; encoded: string; status: number; body: unknown }

export type SimulatorFixture = {
  simulator: Simulator
  store: Store
  /** Stripe's own library, pointed at the simulator. */
  stripe: Record<Environment, Stripe>
  apiPort: number
  pagesUrl: string
  received: ReceivedWebhook[]
  exchanges: Exchange[]
  /** What the webhook receiver answers. */
  receiver: { status: number }
  clock: { nowMs: number; moveTo(date: string): Promise<void> }
  close(): Promise<void>
}

export const secrets = {
  test: { secretKey: 'sk_test_simulated', webhookSecret: 'whsec_test_simulated' },
  live: { secretKey: 'sk_live_simulated', webhookSecret: 'whsec_live_simulated' },
}

export async function listen(listener: RequestListener): Promise<{ server: Server; port: number }> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { server, port: (server.address() as AddressInfo).port }
}

/** Passes requests on and notes each with what was answered. */
function record(listener: RequestListener, exchanges: Exchange[]): RequestListener {
  return (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk) => chunks.push(chunk))
    const end = response.end.bind(response)
    response.end = ((text: string) => {
      const [path = '', query = ''] = (request.url ?? '').split('?')
      const encoded = request.method === 'POST' ? Buffer.concat(chunks).toString() : query
      const { statusCode: status } = response
      exchanges.push({ method: request.method ?? '', path, encoded, status, body: JSON.parse(text) })
      return end(text)
    }) as typeof response.end
    listener(request, response)
  }
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

type Options = { startsAt?: string; store?: Store }

export async function startSimulator(options: Options = {}): Promise<SimulatorFixture> {
  const received: ReceivedWebhook[] = []
  const receiver = { status: 200 }
  const webhooks = await listen(createReceiver(received, receiver))
  const pages = await listen((request, response) => simulator.pages(request, response))
  const pagesUrl = `http://127.0.0.1:${pages.port}`
  const clock = {
    nowMs: Date.parse(options.startsAt ?? '2026-01-31T12:00:00Z'),
    async moveTo(date: string) {
      clock.nowMs = Date.parse(date)
      await simulator.advance('test')
    },
  }
  const store: Store = { ...(options.store ?? createMemoryStore()), readClock: async () => clock.nowMs }
  const simulator = createSimulator({
    store,
    webhookTarget: (environment) => `http://127.0.0.1:${webhooks.port}/${environment}`,
    publicUrl: () => pagesUrl,
    secrets,
  })
  const exchanges: Exchange[] = []
  const api = await listen(record(simulator.handler, exchanges))
  const toStripe = (environment: Environment) =>
    new Stripe(secrets[environment].secretKey, { host: '127.0.0.1', port: api.port, protocol: 'http' })

  return {
    simulator,
    store,
    stripe: { test: toStripe('test'), live: toStripe('live') },
    apiPort: api.port,
    pagesUrl,
    received,
    exchanges,
    receiver,
    clock,
    async close() {
      await simulator.close()
      for (const { server } of [api, pages, webhooks]) {
        server.closeAllConnections()
        await new Promise((resolve) => server.close(resolve))
      }
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

/** Fills in and sends a form of the hosted pages, as a browser without scripts does. */
export async function submit(url: string, fields: Record<string, string>) {
  const response = await fetch(url, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' })
  return { status: response.status, location: response.headers.get('location'), text: await response.text() }
}

export async function open(url: string) {
  const response = await fetch(url, { redirect: 'manual' })
  return { status: response.status, headers: response.headers, text: await response.text() }
}
