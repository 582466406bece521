// What happens to a customer when cards come and go, and when it is deleted there or here.
import assert from 'node:assert/strict'
import { after, beforeEach, describe, it } from 'node:test'
import { eventually } from './shop-fixture.ts'
import { free, openSubscriptions, start } from './subscription-fixture.ts'

const { shop, setClock, read, held, become, subscribe } = await openSubscriptions()
after(() => shop.close())
beforeEach(() => setClock(start))

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
