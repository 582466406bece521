// Taking over customers that the provider already has, with what they subscribe to.
import assert from 'node:assert/strict'
import { after, beforeEach, describe, it } from 'node:test'
import { openTill } from './checkout-fixture.ts'
import { eventually } from './shop-fixture.ts'

const { shop, pro, newId, addCustomer } = await openTill()
after(() => shop.close())
beforeEach(() => shop.simulator.faults.reset())

/** A customer of the account who subscribes to Pro, and of whom nobody here has heard. */
async function addStranger(
  fields: { name?: string; email?: string } = { name: 'Ada', email: 'ada@example.com' },
) {
  const customer = await shop.stripe.customers.create(fields)
  const method = await shop.stripe.paymentMethods.attach('pm_card_visa', { customer: customer.id })
  await shop.stripe.customers.update(customer.id, { invoice_settings: { default_payment_method: method.id } })
  await shop.stripe.subscriptions.create({
    customer: customer.id,
    items: [{ price: pro.priceId, quantity: 3 }],
  })
  return customer.id
}

const keys = (body: { products: { key: string }[] }) => body.products.map(({ key }) => key)
const codeOf = (answer: { status: number; headers: Record<string, unknown> }) => [
  answer.status,
  answer.headers['x-error-code'],
]

describe('POST /v1/customers with providerCustomerId', () => {
  it('has its subscriptions and payment method before the answer, and its name and email', async () => {
    shop.simulator.faults.onEvent = () => []
    const providerCustomerId = await addStranger()
    const { status, body, text } = await shop.post('/v1/customers', {
      customerId: newId(),
      providerCustomerId,
    })
    assert.equal(status, 201, text)
    assert.deepEqual(
      [body.providerCustomerId, body.name, body.email, body.hasPaymentMethod, keys(body)],
      [providerCustomerId, 'Ada', 'ada@example.com', true, ['pro']],
    )
    assert.equal(body.products[0].prices[0].quantity, 3)
  })

  it('keeps what was sent, and tells the provider', async () => {
    const providerCustomerId = await addStranger()
    const sent = { customerId: newId(), name: 'Eve', providerCustomerId }
    const { body } = await shop.post('/v1/customers', sent)
    assert.deepEqual([body.name, body.email], ['Eve', 'ada@example.com'])
    const there = await shop.stripe.customers.retrieve(providerCustomerId)
    assert.ok(!there.deleted)
    assert.equal(there.name, 'Eve')
    await shop.stripe.customers.update(providerCustomerId, { name: 'Other' })
    await new Promise((resolve) => setTimeout(resolve, 300))
    assert.equal((await shop.get(`/v1/customers/${sent.customerId}`)).body.name, 'Eve')
  })

  it('hears of what happened while it was not linked, and from then on', async () => {
    const providerCustomerId = await addStranger({})
    const customerId = newId()
    await shop.post('/v1/customers', { customerId, providerCustomerId })
    const { data } = await shop.stripe.subscriptions.list({ customer: providerCustomerId })
    await shop.stripe.subscriptions.cancel(data[0]?.id as string)
    await eventually(
      () => shop.get(`/v1/customers/${customerId}`),
      ({ body }) => assert.deepEqual(keys(body), ['free']),
    )
  })

  it('400 for one that the provider does not know or has deleted, and nothing is stored', async () => {
    const deleted = await shop.stripe.customers.create({})
    await shop.stripe.customers.del(deleted.id)
    for (const providerCustomerId of ['cus_unknown', deleted.id]) {
      const customerId = newId()
      const answer = await shop.post('/v1/customers', { customerId, providerCustomerId })
      assert.deepEqual([answer.status, /providerCustomerId/.test(answer.body.error)], [400, true])
      assert.equal((await shop.get(`/v1/customers/${customerId}`)).body, null)
    }
  })

  it('409 for another customer’s, however many ask at once; the other environment does not matter', async () => {
    const providerCustomerId = await addStranger()
    const answers = await Promise.all(
      [1, 2, 3, 4].map(() => shop.post('/v1/customers', { customerId: newId(), providerCustomerId })),
    )
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409, 409, 409])
    const refused = await shop.post('/v1/customers', { customerId: newId(), providerCustomerId })
    assert.deepEqual(codeOf(refused), [409, 'provider_customer_linked'])
    const live = await shop.post(
      '/v1/customers',
      { customerId: newId(), providerCustomerId },
      { key: shop.keys.live },
    )
    assert.equal(live.status, 400)
  })

  it('502 when the provider fails, and nothing is stored', async () => {
    const providerCustomerId = await addStranger()
    shop.simulator.faults.onRequest = ({ path }) =>
      path === '/v1/subscriptions' ? 'rate_limited' : undefined
    const customerId = newId()
    assert.equal((await shop.post('/v1/customers', { customerId, providerCustomerId })).status, 502)
    shop.simulator.faults.reset()
    assert.equal((await shop.get(`/v1/customers/${customerId}`)).body, null)
    assert.equal((await shop.post('/v1/customers', { customerId, providerCustomerId })).status, 201)
  })
})

describe('PUT /v1/customers/{customerId} with providerCustomerId', () => {
  /** One that the provider could not be told of. */
  async function addUnlinked(fields: object = {}) {
    shop.simulator.faults.onRequest = ({ method, path }) =>
      method === 'POST' && path === '/v1/customers' ? 'rate_limited' : undefined
    const customerId = newId()
    const { body } = await shop.post('/v1/customers', { customerId, ...fields })
    assert.equal(body.providerCustomerId, undefined)
    return customerId
  }

  it('links one that has none, with its subscriptions', async () => {
    const customerId = await addUnlinked({ name: 'Ours' })
    // The account's owner is not kept from making customers: only creations that name ours are.
    shop.simulator.faults.onRequest = ({ method, path, encoded }) =>
      method === 'POST' && path === '/v1/customers' && encoded.includes('tollkeeper')
        ? 'rate_limited'
        : undefined
    const providerCustomerId = await addStranger()
    const { status, body, text } = await shop.put(`/v1/customers/${customerId}`, { providerCustomerId })
    assert.equal(status, 200, text)
    assert.deepEqual(
      [body.providerCustomerId, body.name, body.email, keys(body)],
      [providerCustomerId, 'Ours', 'ada@example.com', ['pro']],
    )
  })

  it('changes nothing when it is the same, without asking the provider; 409 when it is another', async () => {
    const { customerId, providerCustomerId } = await addCustomer()
    const other = await addStranger()
    shop.simulator.faults.onRequest = () => 'server_error'
    const same = await shop.put(`/v1/customers/${customerId}`, { providerCustomerId })
    assert.deepEqual([same.status, same.body.providerCustomerId], [200, providerCustomerId])
    const another = await shop.put(`/v1/customers/${customerId}`, { providerCustomerId: other })
    assert.deepEqual(codeOf(another), [409, 'provider_customer_linked'])
  })
})
