// The adapter against the simulator, over HTTP: customers, what they have, and the key.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { seed, submit } from '../../../simulator/test/simulator-fixture.ts'
import { ProviderError } from '../../src/provider/provider.ts'
import { createStripeProvider } from '../../src/provider/stripe/provider.ts'
import { keyMode } from '../../src/provider/stripe/settings.ts'
import { type ProviderFixture, startTestProvider } from './provider-fixture.ts'

let running: ProviderFixture
before(async () => {
  running = await startTestProvider()
})
after(() => running.close())

describe('customers', () => {
  it('are made once per idempotency key', async () => {
    const { provider, stripe } = running
    const fields = {
      name: 'Grace',
      email: 'grace@example.com',
      metadata: { customerId: 'grace', __proto__x: 'y' },
    }
    const first = await provider.test.createCustomer(fields, 'customer-grace')
    const again = await provider.test.createCustomer(fields, 'customer-grace')
    assert.equal(again.providerCustomerId, first.providerCustomerId)
    assert.match(first.providerCustomerId, /^cus_\w{14}$/)
    const found = await stripe.test.customers.list({ email: 'grace@example.com' })
    assert.equal(found.data.length, 1)
    assert.deepEqual({ ...found.data[0]?.metadata }, fields.metadata)
  })

  it('refuse an idempotency key that came with other fields', async () => {
    const { provider } = running
    await provider.test.createCustomer({ name: 'One' }, 'customer-reused')
    await assert.rejects(provider.test.createCustomer({ name: 'Two' }, 'customer-reused'), (error) => {
      assert(error instanceof ProviderError)
      assert.equal(error.kind, 'rejected')
      assert.match(error.message, /idempotent/)
      return true
    })
  })

  it('are changed in the fields that are given, and metadata is merged', async () => {
    const { provider, stripe } = running
    const { providerCustomerId } = await provider.test.createCustomer(
      { name: 'A', metadata: { a: '1' } },
      'upd',
    )
    await provider.test.updateCustomer(providerCustomerId, { email: 'b@example.com', metadata: { b: '2' } })
    const customer = await stripe.test.customers.retrieve(providerCustomerId)
    assert(!customer.deleted)
    assert.equal(customer.name, 'A')
    assert.equal(customer.email, 'b@example.com')
    assert.deepEqual({ ...customer.metadata }, { a: '1', b: '2' })
  })

  it('that are deleted are told from those that are unknown', async () => {
    const { provider, stripe } = running
    const { customer, priceId } = await seed(stripe.test)
    await stripe.test.subscriptions.create({ customer: customer.id, items: [{ price: priceId }] })
    await stripe.test.customers.del(customer.id)
    for (const [id, presence] of [
      [customer.id, 'deleted'],
      ['cus_unknown', 'unknown'],
    ] as const) {
      const state = await provider.test.getCustomerState(id)
      assert.equal(state.presence, presence)
      assert.deepEqual(state.subscriptions, [])
    }
    await assert.rejects(provider.test.updateCustomer(customer.id, { name: 'x' }), { kind: 'not_found' })
  })

  it('of the other environment are unknown', async () => {
    const { provider } = running
    const { providerCustomerId } = await provider.live.createCustomer({}, 'live-one')
    assert.equal((await provider.live.getCustomerState(providerCustomerId)).presence, 'known')
    assert.equal((await provider.test.getCustomerState(providerCustomerId)).presence, 'unknown')
  })

  it('have a payment method when one is saved, is the default, or is a legacy source', async () => {
    const { provider, stripe } = running
    const check = async (id: string) => (await provider.test.getCustomerState(id)).hasPaymentMethod
    const saved = await stripe.test.customers.create({})
    assert.equal(await check(saved.id), false)
    const method = await stripe.test.paymentMethods.attach('pm_card_visa', { customer: saved.id })
    assert.equal(await check(saved.id), true)
    await stripe.test.paymentMethods.detach(method.id)
    assert.equal(await check(saved.id), false)
    const legacy = await stripe.test.customers.create({})
    await stripe.test.customers.update(legacy.id, { default_source: 'card_legacy' })
    assert.equal(await check(legacy.id), true)
  })
})

describe('customer state', () => {
  it('has every subscription with its items, newest first, over several pages', async () => {
    const { provider, stripe, clock } = running
    const { customer, priceId, product } = await seed(stripe.test)
    const ids: string[] = []
    for (let n = 0; n < 103; n++) {
      const made = await stripe.test.subscriptions.create({
        customer: customer.id,
        items: [{ price: priceId, quantity: 2 }],
      })
      ids.unshift(made.id)
    }
    await stripe.test.subscriptions.cancel(ids[0] as string)
    const state = await provider.test.getCustomerState(customer.id)
    assert.deepEqual(
      state.subscriptions.map((one) => one.providerSubscriptionId),
      ids,
    )
    assert.equal(state.subscriptions[0]?.status, 'canceled')
    assert.equal(state.subscriptions[0]?.endedAt, clock.nowMs)
    const { items, ...subscription } = state.subscriptions[1] as (typeof state.subscriptions)[0]
    assert.deepEqual(subscription, {
      providerSubscriptionId: ids[1],
      status: 'active',
      phase: 'granting',
      isAwaitingFirstPayment: false,
      startedAt: clock.nowMs,
      billingCycleAnchor: clock.nowMs,
      isSetToCancel: false,
      canceledAt: null,
      endedAt: null,
    })
    assert.deepEqual(items, [
      {
        itemId: items[0]?.itemId,
        providerPriceId: priceId,
        providerProductId: product.id,
        quantity: 2,
        currency: 'usd',
        unitAmount: 2000,
        recurringInterval: 'month',
        recurringIntervalCount: 1,
        isMetered: false,
        isActive: true,
        currentPeriodStart: Date.parse('2026-01-31T12:00:00Z'),
        currentPeriodEnd: Date.parse('2026-02-28T12:00:00Z'),
      },
    ])
  })

  it('tells a price that was made inactive', async () => {
    const { provider, stripe } = running
    const { customer, priceId, product } = await seed(stripe.test)
    await stripe.test.subscriptions.create({ customer: customer.id, items: [{ price: priceId }] })
    await stripe.test.products.update(product.id, { default_price: '' })
    await stripe.test.prices.update(priceId, { active: false })
    const state = await provider.test.getCustomerState(customer.id)
    assert.equal(state.subscriptions[0]?.items[0]?.isActive, false)
  })

  it('sees a cancellation by date, at the period end or later, as well as by the flag', async () => {
    const { provider, stripe } = running
    const { customer, priceId } = await seed(stripe.test)
    const made = await stripe.test.subscriptions.create({
      customer: customer.id,
      items: [{ price: priceId }],
    })
    const end = made.items.data[0]?.current_period_end as number
    const read = async () => (await provider.test.getCustomerState(customer.id)).subscriptions[0]
    await stripe.test.subscriptions.update(made.id, { cancel_at: end })
    assert.equal((await read())?.isSetToCancel, true)
    assert.equal((await read())?.canceledAt, running.clock.nowMs)
    await stripe.test.subscriptions.update(made.id, { cancel_at: end + 1 })
    assert.equal((await read())?.isSetToCancel, true)
    await stripe.test.subscriptions.update(made.id, { cancel_at: '' })
    assert.equal((await read())?.isSetToCancel, false)
  })

  it('sees what a customer did at checkout and in the portal: the saved card, and the asked-for end', async () => {
    const { provider, stripe, clock } = running
    const { priceId } = await seed(stripe.test)
    const customer = await stripe.test.customers.create({ email: 'own@example.com' })
    const session = await stripe.test.checkout.sessions.create({
      mode: 'subscription',
      customer: customer.id,
      line_items: [{ price: priceId, quantity: 1 }],
      success_url: 'https://shop.example/',
    })
    const read = () => provider.test.getCustomerState(customer.id)
    assert.equal((await read()).hasPaymentMethod, false)
    await submit(session.url as string, { card_number: '4242424242424242' })
    const bought = await read()
    // The card is the subscription's; the customer has no default.
    assert.equal(bought.hasPaymentMethod, true)
    const portal = await stripe.test.billingPortal.sessions.create({ customer: customer.id })
    const subscription = bought.subscriptions[0]?.providerSubscriptionId as string
    await submit(`${portal.url}/cancel`, { subscription })
    const raw = await stripe.test.subscriptions.retrieve(subscription)
    assert.deepEqual([raw.billing_mode.type, raw.cancel_at_period_end], ['flexible', false])
    const [ending] = (await read()).subscriptions
    assert.equal(ending?.status, 'active')
    assert.equal(ending?.isSetToCancel, true)
    assert.equal(ending?.canceledAt, clock.nowMs)
  })

  it('takes a paused collection for what it is: still in force', async () => {
    const { provider, stripe } = running
    const { customer, priceId } = await seed(stripe.test)
    const made = await stripe.test.subscriptions.create({
      customer: customer.id,
      items: [{ price: priceId }],
    })
    await stripe.test.subscriptions.update(made.id, {
      pause_collection: { behavior: 'void', resumes_at: 1_800_000_000 },
    })
    const state = await provider.test.getCustomerState(customer.id)
    assert.deepEqual([state.subscriptions[0]?.status, state.subscriptions[0]?.phase], ['active', 'granting'])
  })
})

describe('a key', () => {
  it('tells its mode', () => {
    assert.equal(keyMode('sk_test_a1'), 'test')
    assert.equal(keyMode('rk_live_a1'), 'live')
    for (const other of ['pk_test_a1', 'sk_prod_a1', '', 'whsec_a', 'sk_test_'])
      assert.equal(keyMode(other), undefined)
  })

  it('that is wrong is refused without being told', async () => {
    const stranger = createStripeProvider({
      environment: 'test',
      secretKey: 'sk_test_stranger',
      webhookSecret: 'whsec_x',
      host: '127.0.0.1',
      port: running.apiPort,
      protocol: 'http',
    })
    await assert.rejects(stranger.listProducts(), (error) => {
      assert(error instanceof ProviderError)
      assert.equal(error.kind, 'unauthorized')
      assert.equal(error.message, "The payment provider refused the service's key")
      assert(!`${error.message}${JSON.stringify(error)}${error.stack}`.includes('stranger'))
      return true
    })
    await running.provider.test.listProducts()
  })
})
