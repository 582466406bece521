// The hosted pages over HTTP, as a browser without scripts uses them: paying, failing, authenticating, the portal.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type Stripe from 'stripe'
import { open, type SimulatorFixture, seed, startSimulator, submit } from './simulator-fixture.ts'

let running: SimulatorFixture
before(async () => {
  running = await startSimulator()
})
after(() => running.close())

async function startCheckout(params: Partial<Stripe.Checkout.SessionCreateParams> = {}) {
  const { customer, priceId, product } = await seed(running.stripe.test)
  const session = await running.stripe.test.checkout.sessions.create({
    mode: 'subscription',
    customer: customer.id,
    line_items: [{ price: priceId, quantity: 1 }],
    success_url: 'https://shop.example/done?session={CHECKOUT_SESSION_ID}',
    cancel_url: 'https://shop.example/back?a=1&b=2',
    metadata: { order: '7' },
    ...params,
  })
  assert(session.url)
  return { url: session.url, id: session.id, customerId: customer.id, productId: product.id, priceId }
}

const getSession = (id: string) => running.stripe.test.checkout.sessions.retrieve(id)

async function readState(customerId: string) {
  const { subscriptions, customers } = running.stripe.test
  const list = await subscriptions.list({ customer: customerId, status: 'all' })
  const methods = await customers.listPaymentMethods(customerId)
  return { subscriptions: list.data, methods: methods.data }
}

describe('the checkout page', () => {
  it('shows product, price, email and the way back, and loads nothing from elsewhere', async () => {
    const { url } = await startCheckout()
    const { status, text, headers } = await open(url)
    assert.equal(status, 200)
    for (const shown of [
      'Subscribe to Pro',
      '$20.00',
      'per month',
      'ada@example.com',
      'https://shop.example/back?a=1&amp;b=2',
    ]) {
      assert(text.includes(shown), shown)
    }
    assert(!/<script|<img|<link|@import|url\(/i.test(text))
    assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'/)
    assert.equal(headers.get('cache-control'), 'no-store')
  })

  it('escapes what others wrote', async () => {
    const { url, productId } = await startCheckout()
    await running.stripe.test.products.update(productId, { name: '<script>alert("x")</script>' })
    const { text } = await open(url)
    assert(!text.includes('<script>'))
    assert(text.includes('&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;'))
  })

  it('takes 4242 4242 4242 4242: a subscription, a saved card, and back to the seller', async () => {
    const { url, id, customerId } = await startCheckout()
    const paid = await submit(url, { card_number: '4242 4242 4242 4242' })
    assert.equal(paid.status, 303)
    assert.equal(paid.location, `https://shop.example/done?session=${id}`)
    const state = await readState(customerId)
    assert.equal(state.subscriptions[0]?.status, 'active')
    assert.equal(state.methods.length, 2)
    const session = await getSession(id)
    assert.equal(session.status, 'complete')
    assert.equal(session.subscription, state.subscriptions[0]?.id)
    const events = await running.stripe.test.events.list({ limit: 3 })
    const types = events.data.map(({ type }) => type)
    assert(types.includes('checkout.session.completed'))
    assert(types.includes('customer.subscription.created'))
  })

  it('is paid once, however often it is sent', async () => {
    const { url, customerId } = await startCheckout()
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => submit(url, { card_number: '4242424242424242' })),
    )
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [303, 410, 410, 410, 410])
    assert.equal((await readState(customerId)).subscriptions.length, 1)
    assert.match((await open(url)).text, /checkout is complete/)
  })

  it('stays when the card is declined or unknown', async () => {
    const { url, customerId } = await startCheckout()
    const declined = await submit(url, { card_number: '4000000000000002' })
    assert.equal(declined.status, 402)
    assert.match(declined.text, /role="alert">Your card was declined/)
    assert.match((await submit(url, { card_number: '1234' })).text, /not one of the test cards/)
    assert.match((await submit(url, {})).text, /not one of the test cards/)
    assert.equal((await readState(customerId)).subscriptions.length, 0)
    assert.equal((await submit(url, { card_number: '4242424242424242' })).status, 303)
  })

  it('asks for authentication, which may fail and may be completed', async () => {
    const { url, customerId } = await startCheckout()
    const early = await submit(`${url}/authenticate`, { outcome: 'complete' })
    assert.match(early.text, /enter your card first/)
    const step = await submit(url, { card_number: '4000002500003155' })
    assert.match(step.text, /Complete authentication/)
    assert.equal((await readState(customerId)).subscriptions.length, 0)
    const failed = await submit(`${url}/authenticate`, { outcome: 'fail' })
    assert.match(failed.text, /could not authenticate/)
    await submit(url, { card_number: '4000002500003155' })
    assert.equal((await submit(`${url}/authenticate`, { outcome: 'complete' })).status, 303)
    assert.equal((await readState(customerId)).subscriptions[0]?.status, 'active')
  })

  it('starts a trial', async () => {
    const { url, customerId } = await startCheckout({ subscription_data: { trial_period_days: 10 } })
    assert.match((await open(url)).text, /Free trial[\s\S]*until February 10, 2026, then \$20.00 per month/)
    await submit(url, { card_number: '4242424242424242' })
    const [subscription] = (await readState(customerId)).subscriptions
    assert.equal(subscription?.status, 'trialing')
    assert.equal(subscription?.trial_end, Date.parse('2026-02-10T12:00:00Z') / 1000)
  })

  it('is gone when expired or never made', async () => {
    const { url, id } = await startCheckout()
    await running.stripe.test.checkout.sessions.expire(id)
    assert.equal((await open(url)).status, 410)
    assert.equal((await submit(url, { card_number: '4242424242424242' })).status, 410)
    assert.equal((await open(`${running.pagesUrl}/simulator/test/checkout/cs_test_none`)).status, 404)
    assert.equal((await open(url.replace('/test/', '/live/'))).status, 404)
    assert.equal((await open(url.replace('/test/', '/other/'))).status, 404)
    assert.equal((await open(`${running.pagesUrl}/simulator/test/checkout/%00`)).status, 404)
  })

  it('expires by itself after a day of the test clock, and tells so', async () => {
    const { url, id } = await startCheckout()
    const startMs = running.clock.nowMs
    await running.clock.moveTo('2026-02-01T12:00:00Z')
    assert.equal((await getSession(id)).status, 'expired')
    assert.equal((await open(url)).status, 410)
    running.clock.nowMs = startMs
  })
})

describe('the portal page', () => {
  async function startPortal(flow?: 'payment_method_update') {
    const checkout = await startCheckout()
    await submit(checkout.url, { card_number: '4242424242424242' })
    const { url } = await running.stripe.test.billingPortal.sessions.create({
      customer: checkout.customerId,
      return_url: 'https://shop.example/account',
      ...(flow && { flow_data: { type: flow } }),
    })
    const [subscription] = (await readState(checkout.customerId)).subscriptions
    assert(subscription)
    const form = { subscription: subscription.id }
    const read = async () => (await readState(checkout.customerId)).subscriptions[0]
    return { ...checkout, url, form, read }
  }

  it('cancels at the period end and resumes', async () => {
    const { url, form, read } = await startPortal()
    assert.match((await open(url)).text, /Next payment on February 28, 2026/)
    const cancelled = await submit(`${url}/cancel`, form)
    assert.equal(cancelled.status, 303)
    const after = await open(new URL(cancelled.location ?? '', url).href)
    assert.match(after.text, /role="status">Your subscription will end[\s\S]*Ends on February 28, 2026/)
    // In flexible billing mode, which is the default, the portal sets the date and not the flag.
    assert.equal((await read())?.cancel_at_period_end, false)
    assert.equal((await read())?.cancel_at, (await read())?.items.data[0]?.current_period_end)
    assert.equal((await read())?.canceled_at, running.clock.nowMs / 1000)
    await submit(`${url}/resume`, form)
    assert.equal((await read())?.cancel_at, null)
    assert.equal((await read())?.canceled_at, null)
  })

  it('offers the other active recurring prices of the product, and only takes those', async () => {
    const { url, form, read, productId } = await startPortal()
    const { prices } = running.stripe.test
    const make = (fields: object) =>
      prices.create({ product: productId, currency: 'usd', unit_amount: 9900, ...fields })
    const yearly = await make({ recurring: { interval: 'year' } })
    const inactive = await make({ active: false, recurring: { interval: 'month' } })
    const { text } = await open(url)
    assert(text.includes(`<option value="${yearly.id}">$99.00 per year</option>`))
    assert(!text.includes(inactive.id))
    const foreign = (await seed(running.stripe.test)).priceId
    for (const price of [inactive.id, foreign, 'price_none', '']) {
      assert.equal((await submit(`${url}/switch`, { ...form, price })).status, 402)
    }
    await submit(`${url}/switch`, { ...form, price: yearly.id })
    assert.equal((await read())?.items.data[0]?.price.id, yearly.id)
  })

  it('touches nobody else’s subscription', async () => {
    const { form, read } = await startPortal()
    const other = await startPortal()
    assert.equal((await submit(`${other.url}/cancel`, form)).status, 402)
    assert.equal((await read())?.cancel_at_period_end, false)
  })

  it('takes a new card, which settles what the old one left unpaid', async () => {
    const { url, read, customerId } = await startPortal()
    assert.equal((await submit(`${url}/payment-method`, { card_number: '4000000000000341' })).status, 303)
    const startMs = running.clock.nowMs
    await running.clock.moveTo('2026-03-01T00:00:00Z')
    assert.equal((await read())?.status, 'past_due')
    assert.match((await open(url)).text, /Payment failed[\s\S]*Visa ending in 0341/)
    assert.match(
      (await submit(`${url}/payment-method`, { card_number: '4000000000000002' })).text,
      /declined/,
    )
    await submit(`${url}/payment-method`, { card_number: '5555 5555 5555 4444' })
    assert.equal((await read())?.status, 'active')
    assert.equal((await readState(customerId)).methods.length, 4)
    running.clock.nowMs = startMs
  })

  it('opens just the card form for that flow', async () => {
    const { url } = await startPortal('payment_method_update')
    const { text } = await open(url)
    assert(text.includes('Save card'))
    assert(!text.includes('Cancel at period end'))
    assert(text.includes('https://shop.example/account'))
  })

  it('is gone when the link is unknown', async () => {
    assert.equal((await open(`${running.pagesUrl}/simulator/test/portal/bps_none`)).status, 404)
    assert.equal((await submit(`${running.pagesUrl}/simulator/test/portal/bps_none/cancel`, {})).status, 404)
  })
})
