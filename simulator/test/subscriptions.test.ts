// Subscriptions over the protocol: events of a trial that ends without a card, ways of ending, invoices.
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import type Stripe from 'stripe'
import { type SimulatorFixture, seed, startSimulator } from './simulator-fixture.ts'

const start = '2026-01-31T12:00:00Z'
let running: SimulatorFixture
let stripe: Stripe
before(async () => {
  running = await startSimulator({ startsAt: start })
  stripe = running.stripe.test
})
after(() => running.close())
afterEach(() => {
  running.clock.nowMs = Date.parse(start)
})

async function listTypes(subscriptionId: string): Promise<string[]> {
  const types: string[] = []
  for await (const event of stripe.events.list({ limit: 100 })) {
    if ((event.data.object as { id?: string }).id === subscriptionId) types.unshift(event.type)
  }
  return types
}

describe('a trial that ends without a card', () => {
  it('pauses the subscription and says so, and a card resumes it', async () => {
    const { priceId } = await seed(stripe)
    const customer = await stripe.customers.create({})
    const made = await stripe.subscriptions.create({
      customer: customer.id,
      items: [{ price: priceId }],
      trial_period_days: 7,
      trial_settings: { end_behavior: { missing_payment_method: 'pause' } },
    })
    await running.clock.moveTo('2026-02-08T00:00:00Z')
    assert.equal((await stripe.subscriptions.retrieve(made.id)).status, 'paused')
    assert.deepEqual(await listTypes(made.id), [
      'customer.subscription.created',
      'customer.subscription.paused',
    ])
    await assert.rejects(stripe.subscriptions.resume(made.id), /no payment method/)
    const method = await stripe.paymentMethods.attach('pm_card_visa', { customer: customer.id })
    await stripe.subscriptions.update(made.id, { default_payment_method: method.id })
    assert.equal((await stripe.subscriptions.resume(made.id)).status, 'active')
    assert.equal((await listTypes(made.id)).at(-1), 'customer.subscription.resumed')
  })
})

describe('an ending', () => {
  it('by the flag sets flag and date, by a word only the date, and either can be taken back', async () => {
    const { customer, priceId } = await seed(stripe)
    const made = await stripe.subscriptions.create({ customer: customer.id, items: [{ price: priceId }] })
    const end = made.items.data[0]?.current_period_end
    const flagged = await stripe.subscriptions.update(made.id, { cancel_at_period_end: true })
    assert.deepEqual([flagged.cancel_at_period_end, flagged.cancel_at], [true, end])
    assert.equal(flagged.cancellation_details?.reason, 'cancellation_requested')
    const kept = await stripe.subscriptions.update(made.id, { cancel_at_period_end: false })
    assert.deepEqual(
      [kept.cancel_at, kept.canceled_at, kept.cancellation_details?.reason],
      [null, null, null],
    )
    const dated = await stripe.subscriptions.update(made.id, { cancel_at: 'max_period_end' })
    assert.deepEqual([dated.cancel_at_period_end, dated.cancel_at], [false, end])
    await running.clock.moveTo('2026-02-28T12:00:00Z')
    assert.equal((await stripe.subscriptions.retrieve(made.id)).status, 'canceled')
    const late = stripe.subscriptions.update(made.id, { description: 'Too late' })
    await assert.rejects(late, /can only update its cancellation_details and metadata/)
    assert.deepEqual(
      { ...(await stripe.subscriptions.update(made.id, { metadata: { a: 'b' } })).metadata },
      { a: 'b' },
    )
  })
})

describe('an invoice', () => {
  it('is made at the start and at each renewal, paid or open as the charge went', async () => {
    const { customer, priceId } = await seed(stripe)
    const failing = await stripe.paymentMethods.attach('pm_card_chargeCustomerFail', {
      customer: customer.id,
    })
    const made = await stripe.subscriptions.create({
      customer: customer.id,
      items: [{ price: priceId, quantity: 3 }],
    })
    await running.clock.moveTo('2026-03-01T00:00:00Z')
    await stripe.subscriptions.update(made.id, { default_payment_method: failing.id })
    await running.clock.moveTo('2026-04-01T00:00:00Z')
    const { data } = await stripe.invoices.list({ subscription: made.id })
    assert.deepEqual(
      data.map((invoice) => [invoice.billing_reason, invoice.total, invoice.status]),
      [
        ['subscription_cycle', 6_000, 'open'],
        ['subscription_cycle', 6_000, 'paid'],
        ['subscription_create', 6_000, 'paid'],
      ],
    )
    const held = await stripe.subscriptions.retrieve(made.id)
    assert.deepEqual([held.status, held.latest_invoice], ['past_due', data[0]?.id])
  })

  it('is not made, nor anything changed, by a change that must be paid and is not', async () => {
    const { customer, priceId } = await seed(stripe)
    const failing = await stripe.paymentMethods.attach('pm_card_chargeCustomerFail', {
      customer: customer.id,
    })
    const made = await stripe.subscriptions.create({ customer: customer.id, items: [{ price: priceId }] })
    await stripe.subscriptions.update(made.id, { default_payment_method: failing.id })
    const id = made.items.data[0]?.id as string
    const raise = stripe.subscriptions.update(made.id, {
      items: [{ id, quantity: 9 }],
      proration_behavior: 'always_invoice',
      payment_behavior: 'error_if_incomplete',
    })
    await assert.rejects(raise, { type: 'StripeCardError', code: 'card_declined' })
    assert.equal((await stripe.subscriptions.retrieve(made.id)).items.data[0]?.quantity, 1)
    assert.equal((await stripe.invoices.list({ subscription: made.id })).data.length, 1)
  })

  it('is only charged by a method of the customer', async () => {
    const { customer, priceId } = await seed(stripe)
    const other = await stripe.customers.create({})
    const foreign = await stripe.paymentMethods.attach('pm_card_visa', { customer: other.id })
    const create = stripe.subscriptions.create({
      customer: customer.id,
      items: [{ price: priceId }],
      default_payment_method: foreign.id,
    })
    await assert.rejects(create, /must be attached to the customer/)
  })
})
