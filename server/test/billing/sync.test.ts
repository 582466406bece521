// What a subscription at the provider makes of a customer here, through every state it can be in.
import assert from 'node:assert/strict'
import { after, beforeEach, describe, it } from 'node:test'
import { eventually, linkNew } from './shop-fixture.ts'
import { at, free, openSubscriptions, start } from './subscription-fixture.ts'

const { shop, pro, setClock, read, become, subscribe } = await openSubscriptions()
after(() => shop.close())
beforeEach(() => setClock(start))

const readUsage = async (customerId: string) => (await read(customerId)).featureAccess.api_calls.usage

describe('a subscription', () => {
  it('becomes a customer product with status, periods, price and quantity', async () => {
    const { customerId } = await subscribe({ items: [{ price: pro.priceId, quantity: 3 }] })
    await become(customerId, [['pro', 'active']])
    const [product] = (await read(customerId)).products
    const { id, ...rest } = product
    assert.equal(id, (await shop.get('/v1/products/pro')).body.id)
    assert.deepEqual(rest, {
      key: 'pro',
      name: 'pro',
      type: 'provider',
      isDefault: false,
      status: 'active',
      version: 1,
      metadata: {},
      canceledAt: null,
      startedAt: start,
      currentPeriodStart: start,
      currentPeriodEnd: at('2027-02-28T12:00:00Z'),
      prices: [
        {
          providerPriceId: pro.priceId,
          quantity: 3,
          currency: 'usd',
          unitAmount: 2900,
          recurringInterval: 'month',
          recurringIntervalCount: 1,
          isActive: true,
          isDefault: true,
        },
      ],
    })
    assert.equal((await read(customerId)).featureAccess.api_calls.limit, 100)
  })

  it('cancelled at its period end is active with canceledAt, then gone; taken back, it goes on', async () => {
    const { customerId, subscriptionId } = await subscribe()
    await become(customerId, [['pro', 'active']])
    await setClock(start + 1000)
    await shop.stripe.subscriptions.update(subscriptionId, { cancel_at_period_end: true })
    await become(customerId, [['pro', 'active', start + 1000]], 'canceledAt')
    await shop.stripe.subscriptions.update(subscriptionId, { cancel_at_period_end: false })
    await become(customerId, [['pro', 'active', null]], 'canceledAt')
    await shop.stripe.subscriptions.update(subscriptionId, { cancel_at_period_end: true })
    await setClock(at('2027-02-28T12:00:00Z'))
    await become(customerId, [free])
  })

  it('cancelled at once leaves the customer on the default product at once', async () => {
    const { customerId, subscriptionId } = await subscribe()
    await become(customerId, [['pro', 'active']])
    await shop.stripe.subscriptions.cancel(subscriptionId)
    await become(customerId, [free])
  })

  it('renews: the period moves on, the usage period with it, counted from the anchor on the 31st', async () => {
    const { customerId } = await subscribe()
    await become(customerId, [['pro', 'active']])
    const periods = [
      ['2027-02-28T12:00:00Z', '2027-03-31T12:00:00Z'],
      ['2027-03-31T12:00:00Z', '2027-04-30T12:00:00Z'],
      ['2027-04-30T12:00:00Z', '2027-05-31T12:00:00Z'],
    ].map((period) => period.map(at) as [number, number])
    for (const [from, to] of periods) {
      await setClock(from)
      const usage = await readUsage(customerId)
      assert.deepEqual([usage.lastReset, usage.nextReset], [from, to])
      await become(customerId, [['pro', 'active', from, to]], 'currentPeriodStart', 'currentPeriodEnd')
    }
  })

  it('past due still gives access; unpaid does not; paid again does', async () => {
    const metadata = { simulator_dunning_days: '3', simulator_dunning_outcome: 'unpaid' }
    const { customerId, customer } = await subscribe(
      { metadata, trial_period_days: 5 },
      'pm_card_chargeCustomerFail',
    )
    await become(customerId, [['pro', 'trialing']])
    await setClock(start + 5 * 86_400_000)
    await become(customerId, [['pro', 'past_due']])
    assert.equal((await read(customerId)).featureAccess.sso.hasAccess, true)
    await setClock(start + 8 * 86_400_000)
    await become(customerId, [['pro', 'unpaid'], free])
    const unpaid = await read(customerId)
    assert.equal(unpaid.featureAccess.sso.hasAccess, false)
    assert.equal(unpaid.featureAccess.api_calls.limit, 10)
    const portal = (await shop.post(`/v1/customers/${customerId}/customer_portal`)).body.url
    const body = new URLSearchParams({ card_number: '4242424242424242' })
    await fetch(`${portal}/payment-method`, { method: 'POST', body, redirect: 'manual' })
    await become(customerId, [['pro', 'active']])
    assert.ok(customer)
  })

  it('incomplete gives no access; its expiry takes it off the list', async () => {
    const { customerId } = await subscribe({ payment_behavior: 'default_incomplete' })
    await become(customerId, [['pro', 'incomplete'], free])
    assert.equal((await read(customerId)).featureAccess.sso.hasAccess, false)
    await setClock(start + 24 * 3_600_000)
    await become(customerId, [free])
  })

  it('paused gives no access; resumed does', async () => {
    const { body } = await shop.post('/v1/customers', { customerId: 'pauser' })
    const made = await shop.stripe.subscriptions.create({
      customer: body.providerCustomerId,
      items: [{ price: pro.priceId }],
      trial_period_days: 7,
      trial_settings: { end_behavior: { missing_payment_method: 'pause' } },
    })
    await become('pauser', [['pro', 'trialing']])
    await setClock(start + 7 * 86_400_000)
    await become('pauser', [['pro', 'paused'], free])
    const method = await shop.stripe.paymentMethods.attach('pm_card_visa', {
      customer: body.providerCustomerId,
    })
    await shop.stripe.subscriptions.update(made.id, { default_payment_method: method.id })
    await shop.stripe.subscriptions.resume(made.id)
    await become('pauser', [['pro', 'active']])
  })

  it('on trial gives access; the usage period ends with the trial and begins with the subscription', async () => {
    const { customerId } = await subscribe({ trial_period_days: 10 })
    const trialEnd = start + 10 * 86_400_000
    await become(customerId, [['pro', 'trialing', start, trialEnd]], 'currentPeriodStart', 'currentPeriodEnd')
    const trial = await readUsage(customerId)
    assert.deepEqual([trial.lastReset, trial.nextReset, trial.remaining], [start, trialEnd, 100])
    const event = { customerId, featureKey: 'api_calls', eventKey: 'in-trial', amount: 40 }
    await shop.post('/v1/usage', event)
    assert.equal((await readUsage(customerId)).used, 40)
    await setClock(trialEnd)
    await become(customerId, [['pro', 'active']])
    const paid = await readUsage(customerId)
    assert.deepEqual([paid.lastReset, paid.nextReset, paid.used], [trialEnd, at('2027-03-10T12:00:00Z'), 0])
  })

  it('switched to another product holds that one at its latest version; a new price of the same keeps the version', async () => {
    const team = await linkNew(shop, 'team', 9900)
    await shop.post('/v1/products/team/versions')
    const { customerId, subscriptionId, itemId } = await subscribe()
    await become(customerId, [['pro', 'active', 1]], 'version')
    await shop.post('/v1/products/pro/versions')
    const change = (price: string) =>
      shop.stripe.subscriptions.update(subscriptionId, { items: [{ id: itemId, price }] })
    await change(pro.yearlyPriceId)
    await eventually(
      () => read(customerId),
      ({ products }) => {
        assert.equal(products[0].prices[0].providerPriceId, pro.yearlyPriceId)
        assert.deepEqual([products[0].version, products[0].prices[0].isDefault], [1, false])
      },
    )
    await change(team.priceId)
    await become(customerId, [['team', 'active', 2]], 'version')
    await change(pro.priceId)
    await become(customerId, [['pro', 'active', 2]], 'version')
  })

  it('of several items is one entry per product, with its items as prices', async () => {
    const seats = await linkNew(shop, 'seats', 500)
    const items = [{ price: pro.priceId }, { price: seats.priceId, quantity: 4 }, { price: pro.priceId }]
    const { customerId } = await subscribe({ items })
    const { products } = await eventually(
      () => read(customerId),
      (customer) => assert.equal(customer.products.length, 2),
    )
    const byKey = new Map<string, { prices: { quantity: number }[] }>(
      products.map((product: { key: string }) => [product.key, product]),
    )
    assert.equal(byKey.get('pro')?.prices.length, 2)
    assert.deepEqual(
      byKey.get('seats')?.prices.map(({ quantity }) => quantity),
      [4],
    )
    assert.equal((await read(customerId)).featureAccess.api_calls.limit, 100)
  })

  it('bought twice counts twice; the oldest that grants the feature gives the period', async () => {
    const { customerId, customer } = await subscribe()
    await become(customerId, [['pro', 'active']])
    const later = at('2027-02-05T00:00:00Z')
    await setClock(later)
    await shop.stripe.subscriptions.create({ customer, items: [{ price: pro.priceId }] })
    const { featureAccess } = await eventually(
      () => read(customerId),
      (both) => assert.equal(both.products.length, 2),
    )
    assert.equal(featureAccess.api_calls.limit, 200)
    assert.equal(featureAccess.api_calls.usage.lastReset, start)
  })
})
