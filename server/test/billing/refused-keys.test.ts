// Idempotency keys that the provider has answered for good, names it refuses, and customers it does not know: none of them
// stands in the way of what comes after.
import assert from 'node:assert/strict'
import { after, beforeEach, describe, it } from 'node:test'
import { openTill } from './checkout-fixture.ts'
import { eventually } from './shop-fixture.ts'

const { shop, checkout, addCustomer, startSession } = await openTill()
after(() => shop.close())
beforeEach(() => shop.simulator.faults.reset())

const isOf = (end: string) => (request: { method: string; path: string }) =>
  request.method === 'POST' && request.path.endsWith(end)

describe('a failure that the provider keeps under its key', () => {
  it('fails one checkout, and the next one is made with another key', async () => {
    const { customerId } = await addCustomer()
    shop.simulator.faults.failNext(['execution_error'], isOf('/checkout/sessions'))
    assert.equal((await checkout(customerId)).status, 502)
    assert.equal((await checkout(customerId)).status, 200)
  })

  it('given again, is got over within the call', async () => {
    const { customerId } = await addCustomer()
    const session = await startSession(customerId)
    const [row] = await shop.query(
      'select customer_uid, checkout_key from checkout where checkout_session_id = $1',
      [session.id],
    )
    // As if the process had died between the provider's failure and the noting of it.
    const key = String(row?.checkout_key)
    await shop.query('update checkout set checkout_session_id = null where checkout_key = $1', [key])
    await shop.query(
      `update simulator_request set status = 500, body = '{"error": {"type": "api_error", "message": "no"}}'
       where idempotency_key = $1`,
      [key],
    )
    const again = await checkout(customerId)
    assert.equal(again.status, 200, again.text)
    assert.notEqual(again.body.url, session.url)
  })

  it('leaves a new customer unlinked only until the next try', async () => {
    shop.simulator.faults.failNext(['execution_error'], isOf('/v1/customers'))
    const { status, body } = await shop.post('/v1/customers', { customerId: 'kept-failure' })
    assert.deepEqual([status, body.providerCustomerId], [201, undefined])
    await eventually(
      () => shop.get('/v1/customers/kept-failure'),
      (answer) => assert.match(answer.body.providerCustomerId ?? '', /^cus_/),
    )
  })

  it('on a refusal: what is mended is made at once', async () => {
    const { customerId } = await addCustomer()
    const refused = await checkout(customerId, { checkoutSessionParams: { locale: 'xx' } })
    assert.equal(refused.status, 400)
    assert.equal((await checkout(customerId, { checkoutSessionParams: { locale: 'de' } })).status, 200)
  })
})

describe('a key that is older than a day', () => {
  it('is not relied upon: the customer is looked for by what we wrote on it', async () => {
    shop.simulator.faults.onRequest = (request) =>
      isOf('/v1/customers')(request) ? 'rate_limited' : undefined
    assert.equal((await shop.post('/v1/customers', { customerId: 'old-key' })).status, 201)
    const [row] = await shop.query("select customer_uid from customer where customer_id = 'old-key'")
    // Made by a try whose answer was lost: only the adapter is kept from making one.
    shop.simulator.faults.onRequest = (request) =>
      isOf('/v1/customers')(request) && request.encoded.includes('tollkeeper_customer_id')
        ? 'rate_limited'
        : undefined
    const lost = await shop.stripe.customers.create({
      metadata: { tollkeeper_customer_uid: String(row?.customer_uid) },
    })
    await shop.query(
      "update customer set link_tried_at = link_tried_at - 25 * 3600000, provider_due_at = 0, link_key = gen_random_uuid() where customer_id = 'old-key' and provider_customer_id is null",
    )
    await eventually(
      () => shop.get('/v1/customers/old-key'),
      (answer) => assert.equal(answer.body.providerCustomerId, lost.id),
    )
  })
})

describe('a name or an email that the provider refuses', () => {
  it('stops neither a checkout nor a portal link, and the other one is told', async () => {
    const { customerId, providerCustomerId } = await addCustomer()
    const refuse = (request: { method: string; path: string; encoded: string }) =>
      isOf(providerCustomerId)(request) && request.encoded.includes('email')
    const { customers } = shop.stripe
    shop.simulator.faults.onRequest = (request) => (refuse(request) ? 'refused' : undefined)
    const info = { name: 'Ada', email: 'ada@example.com' }
    assert.equal((await checkout(customerId, { customerInfo: info })).status, 200)
    assert.equal((await shop.post(`/v1/customers/${customerId}/customer_portal`)).status, 200)
    const there = await customers.retrieve(providerCustomerId)
    assert.ok(!there.deleted)
    assert.deepEqual([there.name, there.email], ['Ada', null])
  })
})

describe('a permission that the key lacks', () => {
  it('is named in the error', async () => {
    const { customerId } = await addCustomer()
    shop.simulator.faults.failNext(['no_permission'], isOf('/checkout/sessions'))
    const { status, body } = await checkout(customerId)
    assert.equal(status, 502)
    assert.match(body.error, /lacks the permission rak_customer_write/)
    assert.equal((await checkout(customerId)).status, 200)
  })
})

describe('a customer that the provider does not know', () => {
  it('keeps its link and what it holds, and shows as a difference; one deleted there is made anew', async () => {
    const { customerId, providerCustomerId } = await addCustomer()
    await shop.query('update customer set provider_customer_id = $1 where customer_id = $2', [
      'cus_elsewhere',
      customerId,
    ])
    await shop.query(
      'update customer set has_payment_method = true, revision = revision + 1 where customer_id = $1',
      [customerId],
    )
    const answer = await checkout(customerId)
    assert.deepEqual([answer.status, answer.headers['x-error-code']], [502, 'provider_customer_unknown'])
    const { body } = await shop.get(`/v1/customers/${customerId}`)
    assert.deepEqual([body.providerCustomerId, body.hasPaymentMethod], ['cus_elsewhere', true])
    const [row] = await shop.query('select provider_unknown_since from customer where customer_id = $1', [
      customerId,
    ])
    assert.ok(Number(row?.provider_unknown_since) > 0)

    await shop.query('update customer set provider_customer_id = $1 where customer_id = $2', [
      providerCustomerId,
      customerId,
    ])
    await shop.stripe.customers.del(providerCustomerId)
    assert.equal((await checkout(customerId)).status, 200)
    const anew = await shop.get(`/v1/customers/${customerId}`)
    assert.notEqual(anew.body.providerCustomerId, providerCustomerId)
  })
})
