// A shop for tests: a service with a catalogue, the account's owner at its simulated provider, and customers on the pages.
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import Stripe from 'stripe'
import type { Service } from '../../src/service.ts'
import { type Answer, type RequestOptions, startTestService, type TestService } from '../service.ts'

export type Shop = TestService & {
  /** The plain SDK at the simulator: what the account's owner does by hand. */
  stripe: Stripe
  simulator: Service['simulator']
  post(path: string, body?: unknown, options?: RequestOptions): Promise<Answer>
  get(path: string, options?: RequestOptions): Promise<Answer>
  put(path: string, body?: unknown, options?: RequestOptions): Promise<Answer>
}

type Options = Parameters<typeof startTestService>[0]

export async function openShop(options: Options = {}): Promise<Shop> {
  const service = await startTestService(options)
  const [first] = service.instances as [Service]
  const verb =
    (method: string) =>
    (path: string, body?: unknown, more: RequestOptions = {}) =>
      service.request(method, path, { ...(body === undefined ? {} : { body }), ...more })
  return {
    ...service,
    stripe: openAccount(first, 'test'),
    simulator: first.simulator,
    post: verb('POST'),
    put: verb('PUT'),
    get: (path, more) => service.request('GET', path, more),
  }
}

export function openAccount({ simulatorAccess }: Service, environment: 'test' | 'live'): Stripe {
  const { hostname, port } = new URL(simulatorAccess.url)
  const address = { host: hostname, port: Number(port), protocol: 'http' as const }
  return new Stripe(simulatorAccess.secrets[environment].secretKey, { ...address, maxNetworkRetries: 0 })
}

/** Features, a free default product, and Pro at the provider: monthly by default, yearly beside it. */
export async function stockShop({ post, put, stripe }: Shop) {
  await create(post('/v1/features', { featureKey: 'api_calls', name: 'API calls', type: 'limit' }))
  await create(post('/v1/features', { featureKey: 'sso', name: 'Single sign-on', type: 'boolean' }))
  const free = [
    { featureKey: 'api_calls', hasAccess: true, limit: 10 },
    { featureKey: 'sso', hasAccess: false },
  ]
  await create(
    post('/v1/custom-products', { productKey: 'free', name: 'Free', isDefault: true, featureAccess: free }),
  )
  const pro = await linkNew({ post, stripe } as Shop, 'pro', 2900)
  const yearly = await stripe.prices.create({
    product: pro.productId,
    currency: 'usd',
    unit_amount: 29_000,
    recurring: { interval: 'year' },
  })
  await post('/v1/products/sync')
  const featureAccess = [
    { featureKey: 'api_calls', hasAccess: true, limit: 100 },
    { featureKey: 'sso', hasAccess: true },
  ]
  assert.equal((await put('/v1/products/pro/feature-access', { featureAccess })).status, 200)
  return { ...pro, yearlyPriceId: yearly.id }
}

/** A product with a monthly default price at the provider, linked here under the key. */
export async function linkNew({ post, stripe }: Shop, productKey: string, unitAmount: number) {
  const product = await stripe.products.create({
    name: productKey,
    metadata: { product_key: productKey },
    default_price_data: { currency: 'usd', unit_amount: unitAmount, recurring: { interval: 'month' } },
  })
  await create(post('/v1/products', { productKey, providerProductId: product.id }))
  return { productId: product.id, priceId: String(product.default_price) }
}

async function create(answering: Promise<Answer>): Promise<void> {
  const { status, text } = await answering
  assert.equal(status, 201, text)
}

/** A linked customer with a card that pays. */
export async function addPayer({ post, stripe }: Shop, customerId: string, card = 'pm_card_visa') {
  const { status, body, text } = await post('/v1/customers', { customerId })
  assert.equal(status, 201, text)
  const customer: string = body.providerCustomerId
  const method = await stripe.paymentMethods.attach(card, { customer })
  await stripe.customers.update(customer, { invoice_settings: { default_payment_method: method.id } })
  return customer
}

/** Fills in and sends a form of the hosted pages, as a browser without scripts does. */
export async function submit(url: string, fields: Record<string, string>) {
  const response = await fetch(url, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' })
  return { status: response.status, location: response.headers.get('location'), text: await response.text() }
}

/** Asks until what comes is as wanted, and fails with the last difference after the deadline. */
export async function eventually<T>(
  ask: () => Promise<T>,
  check: (answer: T) => void,
  limitMs = 5_000,
): Promise<T> {
  const deadlineAt = Date.now() + limitMs
  for (;;) {
    const answer = await ask()
    try {
      check(answer)
      return answer
    } catch (error) {
      if (Date.now() > deadlineAt) throw error
      await sleep(30)
    }
  }
}
