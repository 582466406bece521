// A provider that is down, silent, or answers too late: customers are kept, nothing is made twice, nobody waits too long.
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import type { RequestFault } from '@tollkeeper/simulator/src/faults.ts'
import { reconcile } from '../../src/operations/billing/reconcile.ts'
import type { Service } from '../../src/service.ts'
import { addPayer, eventually, openShop, type Shop, stockShop } from './shop-fixture.ts'

let shop: Shop
let pro: Awaited<ReturnType<typeof stockShop>>
before(async () => {
  shop = await openShop()
  pro = await stockShop(shop)
})
after(() => shop.close())
beforeEach(() => shop.simulator.faults.reset())

const read = async (customerId: string) => (await shop.get(`/v1/customers/${customerId}`)).body

/** Provider customers made for this customer. */
async function countMade(customerId: string): Promise<number> {
  let made = 0
  for await (const { metadata } of shop.stripe.customers.list({ limit: 100 })) {
    if (metadata.tollkeeper_customer_id === customerId) made++
  }
  return made
}

describe('an event that was lost', () => {
  it('is found by one reconciliation', async () => {
    const customer = await addPayer(shop, 'lost')
    shop.simulator.faults.onEvent = () => []
    await shop.stripe.subscriptions.create({ customer, items: [{ price: pro.priceId }] })
    shop.simulator.faults.reset()
    assert.equal((await read('lost')).products[0].key, 'free')
    const { services } = shop.instances[0] as Service
    assert.ok((await reconcile(services, 'test')) > 0)
    await eventually(
      () => read('lost'),
      ({ products }) => assert.equal(products[0].key, 'pro'),
    )
    assert.equal(await reconcile(services, 'test'), 0)
  })
})

describe('a customer created while the provider fails', () => {
  const faults: RequestFault[] = ['rate_limited', 'server_error', 'lost_answer', 'no_answer']
  for (const fault of faults) {
    it(`with ${fault} is there without a provider customer, linked when it answers, and once`, async () => {
      const customerId = `during-${fault}`
      shop.simulator.faults.onRequest = ({ method }) => (method === 'POST' ? fault : undefined)
      const begunAt = Date.now()
      const { status, body } = await shop.post('/v1/customers', { customerId, name: 'Ada' })
      assert.ok(Date.now() - begunAt < 10_000)
      assert.equal(status, 201)
      assert.ok(!('providerCustomerId' in body))
      shop.simulator.faults.reset()
      const linked = await eventually(
        () => read(customerId),
        (customer) => assert.match(customer.providerCustomerId ?? '', /^cus_/),
        15_000,
      )
      await eventually(
        () => shop.stripe.customers.retrieve(linked.providerCustomerId),
        (there) => assert.ok(!there.deleted && there.name === 'Ada'),
      )
      assert.equal(await countMade(customerId), 1)
    })
  }

  it('and changed meanwhile: the provider hears the last name', async () => {
    shop.simulator.faults.onRequest = () => 'server_error'
    await shop.post('/v1/customers', { customerId: 'renamed', name: 'First' })
    await shop.put('/v1/customers/renamed', { name: 'Second', email: 'second@example.com' })
    assert.equal((await read('renamed')).name, 'Second')
    shop.simulator.faults.reset()
    const { providerCustomerId } = await eventually(
      () => read('renamed'),
      (customer) => assert.ok(customer.providerCustomerId),
      15_000,
    )
    await eventually(
      () => shop.stripe.customers.retrieve(providerCustomerId),
      (there) =>
        assert.deepEqual(
          [(there as { name?: string }).name, (there as { email?: string }).email],
          ['Second', 'second@example.com'],
        ),
    )
  })
})

describe('a silent provider', () => {
  it('holds no database connection: others are served at once, and whoever needs it is told within 10 s', async () => {
    await shop.post('/v1/customers', { customerId: 'waiting' })
    shop.simulator.faults.onRequest = () => 'no_answer'
    const begunAt = Date.now()
    // Three times as many as there are connections.
    const waiting = Array.from({ length: 30 }, (_, n) =>
      n % 2 === 0
        ? shop.post('/v1/customers/waiting/customer_portal')
        : shop.post(`/v1/customers/new-${n}/checkout`, { productKey: 'pro', customerInfo: {} }),
    )
    let slowestMs = 0
    let idleInTransaction = 0
    while (Date.now() - begunAt < 5_000) {
      const askedAt = Date.now()
      const { status } = await shop.get('/v1/customers?limit=1')
      assert.equal(status, 200)
      slowestMs = Math.max(slowestMs, Date.now() - askedAt)
      const [row] = await shop.query(
        `select count(*)::int as idle from pg_stat_activity
         where datname = current_database() and state = 'idle in transaction' and state_change < now() - interval '1 s'`,
      )
      idleInTransaction = Math.max(idleInTransaction, Number(row?.idle))
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    const answers = await Promise.all(waiting)
    assert.ok(Date.now() - begunAt < 10_000, `took ${Date.now() - begunAt} ms`)
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [502])
    assert.ok(slowestMs < 2_000, `another request took ${slowestMs} ms`)
    assert.equal(idleInTransaction, 0)
  })

  it('does not keep events of others waiting once it answers again', async () => {
    const customer = await addPayer(shop, 'after-silence')
    shop.simulator.faults.onRequest = ({ method }) => (method === 'GET' ? 'no_answer' : undefined)
    await shop.stripe.subscriptions.create({ customer, items: [{ price: pro.priceId }] })
    await eventually(
      () => shop.query('select 1 from simulator_delivery'),
      (rows) => assert.equal(rows.length, 0),
    )
    shop.simulator.faults.reset()
    await eventually(
      () => read('after-silence'),
      ({ products }) => assert.equal(products[0].key, 'pro'),
      15_000,
    )
  })
})

describe('a slow provider', () => {
  it('that answers every call, but too slowly for all of them: 502 in time, and a retry goes on', async () => {
    shop.simulator.faults.latencyMs = 3_000
    const begunAt = Date.now()
    const customerInfo = { name: 'Slow', metadata: { a: 'b' } }
    const checkout = () => shop.post('/v1/customers/slow/checkout', { productKey: 'pro', customerInfo })
    assert.equal((await checkout()).status, 502)
    assert.ok(Date.now() - begunAt < 10_000, `took ${Date.now() - begunAt} ms`)
    shop.simulator.faults.reset()
    assert.equal((await checkout()).status, 200)
    assert.equal(await countMade('slow'), 1)
  })
})
