// Subscriptions as the test clock moves: trials, renewals, failing cards, cancellations, switches, as the adapter sees them.
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import { seed } from '../../../simulator/test/simulator-fixture.ts'
import { type ProviderFixture, startTestProvider } from './provider-fixture.ts'

const start = '2026-01-31T12:00:00Z'
const ms = Date.parse
let running: ProviderFixture
before(async () => {
  running = await startTestProvider(start)
})
after(() => running.close())
afterEach(() => {
  running.clock.nowMs = ms(start)
})

async function read(customerId: string) {
  const state = await running.provider.test.getCustomerState(customerId)
  const [subscription] = state.subscriptions
  assert(subscription)
  const [item] = subscription.items
  assert(item)
  return { ...subscription, item, period: [item.currentPeriodStart, item.currentPeriodEnd] }
}

async function subscribe(params: Record<string, unknown> = {}, card = 'pm_card_visa') {
  const { customer, priceId, product } = await seed(running.stripe.test)
  const method = await running.stripe.test.paymentMethods.attach(card, { customer: customer.id })
  const made = await running.stripe.test.subscriptions.create({
    customer: customer.id,
    items: [{ price: priceId }],
    trial_period_days: 14,
    default_payment_method: method.id,
    ...params,
  })
  return { customerId: customer.id, subscriptionId: made.id, priceId, productId: product.id }
}

describe('a trial', () => {
  it('has its anchor in the future, becomes active, and renews at clamped month ends', async () => {
    const { customerId } = await subscribe()
    const trial = await read(customerId)
    const trialEnd = ms('2026-02-14T12:00:00Z')
    assert.equal(trial.status, 'trialing')
    assert.equal(trial.billingCycleAnchor, trialEnd)
    assert.deepEqual(trial.period, [ms(start), trialEnd])
    await running.clock.moveTo('2026-02-14T11:59:59Z')
    assert.equal((await read(customerId)).status, 'trialing')
    await running.clock.moveTo('2026-02-14T12:00:00Z')
    const active = await read(customerId)
    assert.equal(active.status, 'active')
    assert.deepEqual(active.period, [trialEnd, ms('2026-03-14T12:00:00Z')])
    await running.clock.moveTo('2026-05-20T00:00:00Z')
    assert.deepEqual((await read(customerId)).period, [
      ms('2026-05-14T12:00:00Z'),
      ms('2026-06-14T12:00:00Z'),
    ])
  })

  it('without a payment method ends as its settings say', async () => {
    const expected = { create_invoice: 'past_due', cancel: 'canceled', pause: 'paused' }
    for (const [setting, status] of Object.entries(expected)) {
      const { stripe, clock } = running
      clock.nowMs = ms(start)
      const { priceId } = await seed(stripe.test)
      const customer = await stripe.test.customers.create({})
      await stripe.test.subscriptions.create({
        customer: customer.id,
        items: [{ price: priceId }],
        trial_period_days: 7,
        trial_settings: { end_behavior: { missing_payment_method: setting as 'pause' } },
      })
      await clock.moveTo('2026-02-08T00:00:00Z')
      assert.equal((await read(customer.id)).status, status)
    }
  })
})

describe('a renewal', () => {
  it('counts from the anchor: 31 Jan, 28 Feb, 31 Mar', async () => {
    const { customerId } = await subscribe({ trial_period_days: undefined })
    const ends: string[] = []
    for (const day of ['2026-02-01', '2026-03-01', '2026-04-01', '2026-05-01']) {
      await running.clock.moveTo(`${day}T00:00:00Z`)
      ends.push(new Date((await read(customerId)).item.currentPeriodEnd).toISOString().slice(0, 10))
    }
    assert.deepEqual(ends, ['2026-02-28', '2026-03-31', '2026-04-30', '2026-05-31'])
    assert.equal((await read(customerId)).billingCycleAnchor, ms(start))
  })

  it('is told by one event per period', async () => {
    const { subscriptionId } = await subscribe({ trial_period_days: undefined })
    await running.clock.moveTo('2026-05-01T00:00:00Z')
    const events = await running.stripe.test.events.list({
      type: 'customer.subscription.updated',
      limit: 100,
    })
    const own = events.data.filter((event) => (event.data.object as { id: string }).id === subscriptionId)
    assert.equal(own.length, 3)
  })

  it('of a backdated subscription goes on from its past anchor', async () => {
    const { customerId } = await subscribe({
      trial_period_days: undefined,
      backdate_start_date: ms('2025-10-31T00:00:00Z') / 1000,
    })
    const found = await read(customerId)
    assert.equal(found.startedAt, ms('2025-10-31T00:00:00Z'))
    assert.deepEqual(found.period, [ms('2026-01-31T00:00:00Z'), ms('2026-02-28T00:00:00Z')])
  })
})

describe('a card that fails later', () => {
  const failing = 'pm_card_chargeCustomerFail'

  it('makes the subscription past due and then canceled', async () => {
    const { customerId } = await subscribe({}, failing)
    await running.clock.moveTo('2026-02-15T00:00:00Z')
    const pastDue = await read(customerId)
    assert.equal(pastDue.status, 'past_due')
    assert.equal(pastDue.endedAt, null)
    await running.clock.moveTo('2026-02-28T11:59:59Z')
    assert.equal((await read(customerId)).status, 'past_due')
    await running.clock.moveTo('2026-02-28T12:00:00Z')
    const canceled = await read(customerId)
    assert.equal(canceled.status, 'canceled')
    assert.equal(canceled.endedAt, ms('2026-02-28T12:00:00Z'))
  })

  it('makes it unpaid instead, after the days that the metadata names', async () => {
    const metadata = { simulator_dunning_days: '3', simulator_dunning_outcome: 'unpaid' }
    const { customerId } = await subscribe({ metadata }, failing)
    await running.clock.moveTo('2026-02-17T12:00:00Z')
    assert.equal((await read(customerId)).status, 'unpaid')
    await running.clock.moveTo('2026-06-01T00:00:00Z')
    assert.equal((await read(customerId)).status, 'unpaid')
  })

  it('at the first charge leaves it incomplete, and then expired', async () => {
    const { customerId } = await subscribe({ trial_period_days: undefined }, failing)
    assert.equal((await read(customerId)).status, 'incomplete')
    await running.clock.moveTo('2026-02-01T11:00:00Z')
    assert.equal((await read(customerId)).status, 'incomplete_expired')
  })
})

describe('a cancellation', () => {
  it('at the period end says when it was asked for, and takes effect at the end', async () => {
    const { customerId, subscriptionId } = await subscribe({ trial_period_days: undefined })
    running.clock.nowMs = ms('2026-02-10T00:00:00Z')
    await running.stripe.test.subscriptions.update(subscriptionId, { cancel_at_period_end: true })
    const ending = await read(customerId)
    assert.equal(ending.status, 'active')
    assert.equal(ending.isSetToCancel, true)
    assert.equal(ending.canceledAt, ms('2026-02-10T00:00:00Z'))
    await running.clock.moveTo('2026-02-28T12:00:00Z')
    const ended = await read(customerId)
    assert.equal(ended.status, 'canceled')
    assert.equal(ended.canceledAt, ms('2026-02-10T00:00:00Z'))
    assert.equal(ended.endedAt, ms('2026-02-28T12:00:00Z'))
  })

  it('can be taken back before the end', async () => {
    const { customerId, subscriptionId } = await subscribe({ trial_period_days: undefined })
    await running.stripe.test.subscriptions.update(subscriptionId, { cancel_at_period_end: true })
    await running.stripe.test.subscriptions.update(subscriptionId, { cancel_at_period_end: false })
    await running.clock.moveTo('2026-03-01T00:00:00Z')
    const found = await read(customerId)
    assert.equal(found.status, 'active')
    assert.equal(found.canceledAt, null)
    assert.equal(found.isSetToCancel, false)
  })
})

describe('a switch of price', () => {
  it('of the same interval keeps the period, of another starts the cycle anew', async () => {
    const { stripe, clock } = running
    const { customerId, subscriptionId, productId } = await subscribe({ trial_period_days: undefined })
    const recurring = (interval: 'month' | 'year') =>
      stripe.test.prices.create({
        product: productId,
        currency: 'usd',
        unit_amount: 1,
        recurring: { interval },
      })
    const [monthly, yearly] = [await recurring('month'), await recurring('year')]
    const before = await read(customerId)
    clock.nowMs = ms('2026-02-10T00:00:00Z')
    const change = (price: string) =>
      stripe.test.subscriptions.update(subscriptionId, {
        items: [{ id: before.item.itemId, price, quantity: 3 }],
      })
    await change(monthly.id)
    const same = await read(customerId)
    assert.deepEqual(same.period, before.period)
    assert.equal(same.item.providerPriceId, monthly.id)
    assert.equal(same.item.quantity, 3)
    assert.equal(same.item.itemId, before.item.itemId)
    await change(yearly.id)
    const anew = await read(customerId)
    assert.equal(anew.billingCycleAnchor, clock.nowMs)
    assert.deepEqual(anew.period, [clock.nowMs, ms('2027-02-10T00:00:00Z')])
  })

  it('may add and remove items', async () => {
    const { stripe } = running
    const { customerId, subscriptionId, productId } = await subscribe({ trial_period_days: undefined })
    const seats = await stripe.test.prices.create({
      product: productId,
      currency: 'usd',
      unit_amount: 5,
      recurring: { interval: 'month' },
    })
    const item = await stripe.test.subscriptionItems.create({
      subscription: subscriptionId,
      price: seats.id,
      quantity: 4,
    })
    assert.equal((await read(customerId)).items.length, 2)
    await stripe.test.subscriptionItems.update(item.id, { quantity: 9 })
    assert.equal((await read(customerId)).items[1]?.quantity, 9)
    const page = await stripe.test.subscriptionItems.list({ subscription: subscriptionId, limit: 1 })
    assert.equal(page.has_more, true)
    await stripe.test.subscriptionItems.del(item.id)
    assert.equal((await read(customerId)).items.length, 1)
  })
})
