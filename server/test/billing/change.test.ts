// Moving a subscriber to another product: the provider's page confirms it, and the way back passes through us.
import assert from 'node:assert/strict'
import { after, beforeEach, describe, it } from 'node:test'
import { openTill } from './checkout-fixture.ts'
import { linkNew, submit } from './shop-fixture.ts'

const { shop, pro, checkout, addCustomer, readSession } = await openTill()
const basic = await linkNew(shop, 'basic', 1_000)
after(() => shop.close())
beforeEach(() => shop.simulator.faults.reset())

const card = { card_number: '4242424242424242' }
const successUrl = 'https://shop.example/done'

/** A customer who bought Basic, and came back. */
async function addSubscriber(body: object = {}) {
  const customer = await addCustomer()
  const answer = await checkout(customer.customerId, { productKey: 'basic', ...body })
  assert.deepEqual([answer.status, answer.body.flow], [200, 'checkout'], answer.text)
  const paid = await submit(answer.body.url, card)
  assert.equal((await fetch(paid.location as string, { redirect: 'manual' })).status, 200)
  return customer
}

const held = async (customerId: string) =>
  (await shop.get(`/v1/customers/${customerId}`)).body.products.map(
    (product: { key: string; prices: { quantity: number }[] }) => [product.key, product.prices[0]?.quantity],
  )

const refused = (answer: { status: number; headers: Record<string, unknown> }, code: string) =>
  assert.deepEqual([answer.status, answer.headers['x-error-code']], [409, code])

describe('a change', () => {
  it('is confirmed on the provider’s page, keeps the quantity, and is known before the customer is back', async () => {
    const { customerId, providerCustomerId } = await addSubscriber({ quantity: 5 })
    assert.deepEqual(await held(customerId), [['basic', 5]])
    shop.simulator.faults.onEvent = () => []
    const answer = await checkout(customerId, {
      successUrl,
      cancelUrl: 'https://shop.example/stay',
      metadata: { campaign: 'spring' },
      pricingTableReleaseId: 'release-1',
    })
    assert.deepEqual([answer.status, answer.body.flow], [200, 'change'], answer.text)
    const page = await (await fetch(answer.body.url)).text()
    assert.match(page, /Confirm your updates/)
    assert.match(page, /Amount due today/)
    assert.match(page, /https:\/\/shop\.example\/stay/)
    const confirmed = await submit(`${answer.body.url}/confirm`, {})
    assert.equal(confirmed.status, 303, confirmed.text)
    assert.deepEqual(await held(customerId), [['basic', 5]])
    const back = await fetch(confirmed.location as string, { redirect: 'manual' })
    assert.deepEqual([back.status, back.headers.get('location')], [303, successUrl])
    assert.deepEqual(await held(customerId), [['pro', 5]])
    const { data } = await shop.stripe.subscriptions.list({ customer: providerCustomerId, status: 'all' })
    assert.equal(data.length, 1)
    const [row] = await shop.query(
      `select k.metadata, k.pricing_table_release_id from checkout k join customer c using (customer_uid)
       where c.customer_id = $1 and k.superseded_at is null`,
      [customerId],
    )
    assert.deepEqual(row, { metadata: { campaign: 'spring' }, pricing_table_release_id: 'release-1' })
  })

  it('invoices what is due at once, on one page for all who change to the price', async () => {
    const { customerId, providerCustomerId } = await addSubscriber()
    const answer = await checkout(customerId, { quantity: 2 })
    assert.equal((await submit(`${answer.body.url}/confirm`, {})).status, 303)
    const { data } = await shop.stripe.invoices.list({ customer: providerCustomerId })
    assert.equal(data.length, 2)
    const pages = await shop.query('select provider_price_id from change_page where provider_price_id = $1', [
      pro.priceId,
    ])
    assert.equal(pages.length, 1)
  })

  it('lets a trial go on', async () => {
    const trial = { subscription_data: { trial_period_days: 14 } }
    const { customerId, providerCustomerId } = await addSubscriber({ checkoutSessionParams: trial })
    const answer = await checkout(customerId)
    assert.equal((await submit(`${answer.body.url}/confirm`, {})).status, 303)
    const { data } = await shop.stripe.subscriptions.list({ customer: providerCustomerId })
    assert.deepEqual([data[0]?.status, data[0]?.items.data[0]?.price.id], ['trialing', pro.priceId])
  })

  it('expires a checkout session that was open', async () => {
    const { customerId } = await addSubscriber()
    const open = await checkout(customerId, { additional: true })
    assert.equal(open.body.flow, 'checkout')
    assert.equal((await checkout(customerId)).body.flow, 'change')
    assert.equal((await readSession(open.body.url)).status, 'expired')
  })

  it('is decided on what the provider has now, though no webhook came', async () => {
    shop.simulator.faults.onEvent = () => []
    const { customerId, providerCustomerId } = await addCustomer()
    const method = await shop.stripe.paymentMethods.attach('pm_card_visa', { customer: providerCustomerId })
    await shop.stripe.subscriptions.create({
      customer: providerCustomerId,
      default_payment_method: method.id,
      items: [{ price: basic.priceId }],
    })
    assert.equal((await checkout(customerId)).body.flow, 'change')
    refused(await checkout(customerId, { productKey: 'basic' }), 'already_subscribed')
  })

  it('takes no session parameters', async () => {
    const { customerId } = await addSubscriber()
    const params = { checkoutSessionParams: { locale: 'de' } }
    refused(await checkout(customerId, params), 'change_takes_no_params')
    assert.equal((await checkout(customerId, { ...params, additional: true })).body.flow, 'checkout')
  })

  it('that the provider refuses is 409 with the reason, and a page it no longer takes is made anew', async () => {
    const { customerId } = await addSubscriber()
    const isPortal = ({ method, path }: { method: string; path: string }) =>
      method === 'POST' && path === '/v1/billing_portal/sessions'
    shop.simulator.faults.failNext(['refused', 'refused'], isPortal)
    const answer = await checkout(customerId)
    refused(answer, 'change_not_possible')
    assert.match(answer.body.error, /This is refused.*portal/)
    await shop.query("update change_page set change_page_id = 'bpc_gone'")
    assert.equal((await checkout(customerId)).body.flow, 'change')
    shop.simulator.faults.failNext(['server_error', 'server_error', 'server_error', 'server_error'], isPortal)
    assert.equal((await checkout(customerId)).status, 502)
  })

  it('is not offered to one who has cancelled', async () => {
    const { customerId, providerCustomerId } = await addSubscriber()
    const { data } = await shop.stripe.subscriptions.list({ customer: providerCustomerId })
    await shop.stripe.subscriptions.update(data[0]?.id as string, { cancel_at_period_end: true })
    const answer = await checkout(customerId)
    refused(answer, 'change_not_possible')
    assert.match(answer.body.error, /set to cancel/)
  })
})

describe('buying again', () => {
  it('is 409 with the portal as the way out, unless it is additional', async () => {
    const { customerId } = await addSubscriber()
    const answer = await checkout(customerId, { productKey: 'basic' })
    refused(answer, 'already_subscribed')
    assert.match(answer.body.error, /customer_portal/)
    const beside = await checkout(customerId, { productKey: 'basic', additional: true, quantity: 3 })
    assert.equal(beside.body.flow, 'checkout')
    const paid = await submit(beside.body.url, card)
    await fetch(paid.location as string, { redirect: 'manual' })
    assert.deepEqual((await held(customerId)).sort(), [
      ['basic', 1],
      ['basic', 3],
    ])
    const several = await checkout(customerId)
    refused(several, 'change_not_possible')
    assert.match(several.body.error, /several subscriptions/)
  })
})

describe('a quantity', () => {
  it('is bought as asked, from 1 to a million', async () => {
    const { customerId } = await addCustomer()
    const { body } = await checkout(customerId, { quantity: 4 })
    assert.equal((await readSession(body.url)).amount_total, 4 * 2_900)
    for (const quantity of [0, -1, 1.5, 1_000_001, '2', null]) {
      assert.equal((await checkout(customerId, { quantity })).status, 400, String(quantity))
    }
  })

  it('is none for a metered price', async () => {
    const meter = await shop.stripe.billing.meters.create({
      display_name: 'Calls',
      event_name: 'calls',
      default_aggregation: { formula: 'sum' },
    })
    const product = await shop.stripe.products.create({ name: 'Metered' })
    await shop.stripe.prices.create({
      product: product.id,
      currency: 'usd',
      unit_amount: 5,
      recurring: { interval: 'month', usage_type: 'metered', meter: meter.id },
    })
    const linked = await shop.post('/v1/products', { productKey: 'metered', providerProductId: product.id })
    assert.equal(linked.status, 201, linked.text)
    const { customerId } = await addCustomer()
    const refusal = await checkout(customerId, { productKey: 'metered', quantity: 1 })
    assert.deepEqual([refusal.status, /metered/.test(refusal.body.error)], [400, true])
    const sold = await checkout(customerId, { productKey: 'metered' })
    assert.equal(sold.status, 200, sold.text)
    const paid = await submit(sold.body.url, card)
    assert.equal(paid.status, 303, paid.text)
  })
})
