// Thirty subscription lifecycles while webhooks are lost, doubled, late and shuffled and the provider fails in every way:
// in the end every customer is what the provider says. The seed is printed; CHAOS_SEED repeats a run.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { RequestFault } from '@tollkeeper/simulator/src/faults.ts'
import Stripe from 'stripe'
import { reconcile } from '../../src/operations/billing/reconcile.ts'
import type { Service } from '../../src/service.ts'
import { eventually, linkNew, openShop, type Shop, stockShop } from './shop-fixture.ts'

const lifecycles = 30
const stepsEach = 6
const seed = Number(process.env.CHAOS_SEED ?? Math.floor(Math.random() * 2 ** 31))

let shop: Shop
let owner: Stripe
let prices: string[]
const productKeys = new Map<string, string>()
before(async () => {
  shop = await openShop({ instances: 2, variables: { PUBLIC_URL: 'https://pay.shop.example' } })
  const pro = await stockShop(shop)
  const team = await linkNew(shop, 'team', 9900)
  prices = [pro.priceId, pro.yearlyPriceId, team.priceId]
  productKeys.set(pro.productId, 'pro').set(team.productId, 'team')
  const { simulatorAccess } = shop.instances[0] as Service
  const { hostname, port } = new URL(simulatorAccess.url)
  // The owner's calls meet the same faults, and are repeated until they are answered: by the SDK, and by `insist`.
  owner = new Stripe(simulatorAccess.secrets.test.secretKey, {
    host: hostname,
    port: Number(port),
    protocol: 'http',
    timeout: 2_000,
    maxNetworkRetries: 10,
  })
})
after(() => shop.close())

/** mulberry32: small, and the same everywhere. */
function createChance(state: number): () => number {
  let a = state
  return () => {
    a = (a + 0x6d2b79f5) | 0
    let t = Math.imul(a ^ (a >>> 15), 1 | a)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

const chance = createChance(seed)
const upTo = (limit: number): number => Math.floor(chance() * limit)
const pick = <T>(list: readonly T[]): T => list[upTo(list.length)] as T
const lost = new Set<string>()

function startChaos(): void {
  const failures: [number, RequestFault][] = [
    [0.04, 'rate_limited'],
    [0.08, 'server_error'],
    [0.11, 'lost_answer'],
    [0.113, 'no_answer'],
  ]
  for (const { simulator } of shop.instances) {
    simulator.faults.isShuffled = true
    simulator.faults.onRequest = () => {
      const roll = chance()
      return failures.find(([below]) => roll < below)?.[1]
    }
    simulator.faults.onEvent = ({ eventId }) => {
      const roll = chance()
      if (roll < 0.08) {
        lost.add(eventId)
        return []
      }
      const firstMs = upTo(100)
      if (roll < 0.38) return [firstMs, upTo(500)]
      return roll < 0.48 ? [1_000 + upTo(1_500)] : [firstMs]
    }
  }
}

/** A call refused for its rate took no effect. */
async function insist<T>(call: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await call()
    } catch (error) {
      if (!(error instanceof Stripe.errors.StripeRateLimitError)) throw error
    }
  }
}

type Step = (customer: string, subscription: Stripe.Subscription) => Promise<unknown>

const steps: Step[] = [
  (_, { id, items }) =>
    owner.subscriptions.update(id, { items: [{ id: items.data[0]?.id ?? '', price: pick(prices) }] }),
  (_, { id, items }) =>
    owner.subscriptions.update(id, {
      items: [{ id: items.data[0]?.id ?? '', quantity: 1 + upTo(5) }],
    }),
  (_, { id }) => owner.subscriptions.update(id, { cancel_at_period_end: chance() < 0.7 }),
  (_, { id }) => owner.subscriptions.update(id, { metadata: { n: String(chance()) } }),
  // Cancelled, with the answer lost, it is no longer there when the call is repeated.
  (_, { id }) =>
    owner.subscriptions.cancel(id).catch((error) => {
      if (error.code !== 'resource_missing') throw error
    }),
  (customer) => owner.subscriptions.create({ customer, items: [{ price: pick(prices) }] }),
  (customer) =>
    owner.subscriptions.create({ customer, items: [{ price: pick(prices) }], trial_period_days: 7 }),
  (customer) => owner.customers.update(customer, { description: String(chance()) }),
]

async function live(n: number): Promise<void> {
  const customerId = `life-${n}`
  const instance = n % 2
  const body = { customerId, email: `${customerId}@example.com` }
  assert.equal((await shop.post('/v1/customers', body, { instance })).status, 201)
  // A caller repeats what was answered 502.
  const checkout = () =>
    shop.post(`/v1/customers/${customerId}/checkout`, { productKey: 'pro' }, { instance })
  await eventually(checkout, ({ status }) => assert.equal(status, 200), 30_000)
  const { body: made } = await shop.get(`/v1/customers/${customerId}`)
  const customer: string = made.providerCustomerId
  const method = await insist(() => owner.paymentMethods.attach('pm_card_visa', { customer }))
  const settings = { invoice_settings: { default_payment_method: method.id } }
  await insist(() => owner.customers.update(customer, settings))
  const subscribe = () => owner.subscriptions.create({ customer, items: [{ price: pick(prices) }] })
  await insist(subscribe)
  for (let step = 0; step < stepsEach; step++) {
    const { data } = await insist(() => owner.subscriptions.list({ customer }))
    const subscription = data[0]
    const take = pick(steps)
    await insist(async () => (subscription ? take(customer, subscription) : subscribe()))
  }
}

const seconds = (value: number) => value * 1000
const byText = (a: unknown, b: unknown) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)

/** What the customer should be, straight from the provider. */
async function expected(providerCustomerId: string) {
  const { data } = await shop.stripe.subscriptions.list({
    customer: providerCustomerId,
    status: 'all',
    limit: 100,
  })
  const products = data
    .filter(({ status }) => status !== 'canceled' && status !== 'incomplete_expired')
    .map(({ status, canceled_at, start_date, items }) => {
      const [item] = items.data as [Stripe.SubscriptionItem]
      return {
        key: productKeys.get(String(item.price.product)),
        status: status as string,
        canceledAt: canceled_at === null ? null : seconds(canceled_at),
        startedAt: seconds(start_date),
        period: [seconds(item.current_period_start), seconds(item.current_period_end)],
        prices: [[item.price.id, item.quantity]],
      }
    })
  const methods = await shop.stripe.customers.listPaymentMethods(providerCustomerId)
  return { hasPaymentMethod: methods.data.length > 0, products: products.sort(byText) }
}

type Held = {
  key: string
  status: string
  isDefault: boolean
  canceledAt: number | null
  startedAt: number
  currentPeriodStart: number
  currentPeriodEnd: number
  prices: { providerPriceId: string; quantity: number }[]
}

async function actual(customerId: string, instance: number) {
  const { body } = await shop.get(`/v1/customers/${customerId}`, { instance })
  const products = (body.products as Held[])
    .filter((product) => !product.isDefault)
    .map((product) => ({
      key: product.key,
      status: product.status,
      canceledAt: product.canceledAt,
      startedAt: product.startedAt,
      period: [product.currentPeriodStart, product.currentPeriodEnd],
      prices: product.prices.map(({ providerPriceId, quantity }) => [providerPriceId, quantity]),
    }))
  return { hasPaymentMethod: body.hasPaymentMethod, products: products.sort(byText) }
}

/** The customers of whom some event was lost. */
async function findUntold(): Promise<Set<string>> {
  const rows = await shop.query(
    `select coalesce(body -> 'data' -> 'object' ->> 'customer', body -> 'data' -> 'object' ->> 'id') as customer
     from simulator_object where object = 'event' and id = any($1)`,
    [[...lost]],
  )
  return new Set(rows.map((row) => String(row.customer)))
}

describe('chaos', () => {
  it(`leaves every customer as the provider has it (seed ${seed})`, { timeout: 120_000 }, async () => {
    startChaos()
    await Promise.all(Array.from({ length: lifecycles }, (_, n) => live(n)))
    for (const { simulator } of shop.instances) simulator.faults.reset()
    await eventually(
      () => shop.query('select 1 from simulator_delivery'),
      (rows) => assert.equal(rows.length, 0),
      20_000,
    )
    const untold = await findUntold()
    assert.ok(untold.size > 0)
    const wanted = new Map<string, Awaited<ReturnType<typeof expected>>>()
    const told: string[] = []
    for (let n = 0; n < lifecycles; n++) {
      const customerId = `life-${n}`
      const { body } = await shop.get(`/v1/customers/${customerId}`)
      wanted.set(customerId, await expected(body.providerCustomerId))
      if (!untold.has(body.providerCustomerId)) told.push(customerId)
    }
    const agree = async (customerIds: Iterable<string>) => {
      for (const customerId of customerIds) {
        await eventually(
          () => actual(customerId, 1),
          (found) => assert.deepEqual(found, wanted.get(customerId), customerId),
        )
      }
    }
    await agree(told)
    await reconcile((shop.instances[0] as Service).services, 'test')
    await agree(wanted.keys())
    const made: string[] = []
    for await (const { metadata } of shop.stripe.customers.list({ limit: 100 })) {
      made.push(metadata.tollkeeper_customer_id ?? '')
    }
    assert.deepEqual(made.sort(), [...wanted.keys()].sort())
  })
})
