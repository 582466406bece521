// What happens to a customer when cards come and go, and when it is deleted there or here.
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import type Stripe from 'stripe'
import { addPayer, eventually, openShop, type Shop, stockShop } from './shop.ts'

const at = (date: string) => Date.parse(date)
const start = at('2027-01-31T12:00:00Z')

let shop: Shop
let pro: Awaited<ReturnType<typeof stockShop>>
before(async () => {
  shop = await openShop()
  await setClock(start)
  pro = await stockShop(shop)
})
after(() => shop.close())
beforeEach(() => setClock(start))

async function setClock(now: number): Promise<void> {
  assert.equal((await shop.put('/v1/test-clock', { now })).status, 200)
}

const read = async (customerId: string) => (await shop.get(`/v1/customers/${customerId}`)).body

/** The products held, as the named fields of each. */
const held = async (customerId: string, ...fields: string[]) =>
  (await read(customerId)).products.map((product: Record<string, unknown>) =>
    ['key', 'status', ...fields].map((field) => product[field]),
  )

const become = (customerId: string, wanted: unknown[][], ...fields: string[]) =>
  eventually(
    () => held(customerId, ...fields),
    (products) => assert.deepEqual(products, wanted),
  )

let count = 0
async function subscribe(params: Partial<Stripe.SubscriptionCreateParams> = {}, card = 'pm_card_visa') {
  const customerId = `subscriber-${++count}`
  const customer = await addPayer(shop, customerId, card)
  const made = await shop.stripe.subscriptions.create({
    customer,
    items: [{ price: pro.priceId }],
    ...params,
  })
  return { customerId, customer, subscriptionId: made.id, itemId: made.items.data[0]?.id ?? '' }
}

const free = ['free', 'active']

describe('a payment method', () => {
  it('is known when saved, and when gone', async () => {
    const { body } = await shop.post('/v1/customers', { customerId: 'payer' })
    assert.equal(body.hasPaymentMethod, false)
    const method = await shop.stripe.paymentMethods.attach('pm_card_visa', {
      customer: body.providerCustomerId,
    })
    await eventually(
      () => read('payer'),
      (customer) => assert.equal(customer.hasPaymentMethod, true),
    )
    await shop.stripe.paymentMethods.detach(method.id)
    await eventually(
      () => read('payer'),
      (customer) => assert.equal(customer.hasPaymentMethod, false),
    )
  })
})

describe('a customer', () => {
  it('deleted there loses what came from there, keeps the rest, and gets a new provider customer', async () => {
    const { customerId, customer } = await subscribe()
    await become(customerId, [['pro', 'active']])
    await shop.post('/v1/usage', { customerId, featureKey: 'api_calls', eventKey: 'kept', amount: 7 })
    await shop.stripe.customers.del(customer)
    const after = await eventually(
      () => read(customerId),
      (now) => {
        assert.notEqual(now.providerCustomerId, customer)
        assert.match(now.providerCustomerId ?? '', /^cus_/)
      },
    )
    assert.equal(after.hasPaymentMethod, false)
    assert.deepEqual(await held(customerId), [free])
    assert.equal(after.featureAccess.api_calls.usage.used, 7)
  })

  it('deleted here leaves the provider alone, and later events of it are ignored', async () => {
    const { customerId, customer, subscriptionId } = await subscribe()
    await become(customerId, [['pro', 'active']])
    await shop.request('DELETE', `/v1/customers/${customerId}`)
    await shop.stripe.subscriptions.update(subscriptionId, { metadata: { a: 'b' } })
    assert.ok(!(await shop.stripe.customers.retrieve(customer)).deleted)
    await allWorkedOff()
    assert.equal(await read(customerId), null)
  })

  it('created anew is empty and has a provider customer of its own, untouched by the old one', async () => {
    const { customerId, customer, subscriptionId } = await subscribe()
    await become(customerId, [['pro', 'active']])
    await shop.request('DELETE', `/v1/customers/${customerId}`)
    const { body } = await shop.post('/v1/customers', { customerId })
    assert.notEqual(body.providerCustomerId, customer)
    await shop.stripe.subscriptions.update(subscriptionId, { metadata: { a: 'b' } })
    await allWorkedOff()
    assert.deepEqual(await held(customerId), [free])
  })
})

/** Until nothing is owed and nothing waits. */
async function allWorkedOff(): Promise<void> {
  await eventually(
    () =>
      shop.query(`select 1 from simulator_delivery
        union all select 1 from provider_event where due_at is not null`),
    (rows) => assert.equal(rows.length, 0),
  )
}
