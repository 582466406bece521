// POST /v1/customers/{customerId}/checkout: everything that is refused, before anything is made.
import assert from 'node:assert/strict'
import { after, beforeEach, describe, it } from 'node:test'
import { openTill } from './checkout-fixture.ts'
import { linkNew } from './shop-fixture.ts'

const { shop, pro, newId, path, checkout, addCustomer } = await openTill()
after(() => shop.close())
beforeEach(() => shop.simulator.faults.reset())

async function assertRefused(customerId: string, body: object, message: RegExp): Promise<void> {
  const answer = await checkout(customerId, body)
  assert.equal(answer.status, 400, answer.text)
  assert.match(answer.body.error, message)
}

describe('400', () => {
  it('a custom product', () => assertRefused('nobody', { productKey: 'free' }, /custom product/))

  it('an archived product', async () => {
    await linkNew(shop, 'old', 500)
    await shop.post('/v1/products/old/archive', { archived: true })
    await assertRefused('nobody', { productKey: 'old', customerInfo: {} }, /archived/)
  })

  it('a price that is inactive, of another product, or one-time', async () => {
    const other = await linkNew(shop, 'other', 500)
    const common = { product: pro.productId, currency: 'usd', unit_amount: 1 }
    const oneTime = await shop.stripe.prices.create(common)
    const inactive = await shop.stripe.prices.create({
      ...common,
      recurring: { interval: 'month' },
      active: false,
    })
    await shop.post('/v1/products/sync')
    await assertRefused('nobody', { providerPriceId: inactive.id }, /not active/)
    await assertRefused('nobody', { providerPriceId: other.priceId }, /not a price of the product "pro"/)
    await assertRefused('nobody', { providerPriceId: oneTime.id }, /one-time/)
    await assertRefused('nobody', { providerPriceId: 'price_nowhere' }, /not a price of the product "pro"/)
  })

  it('several prices without a default, and none at all', async () => {
    const { productId, priceId } = await linkNew(shop, 'several', 500)
    await shop.stripe.prices.create({
      product: productId,
      currency: 'eur',
      unit_amount: 5,
      recurring: { interval: 'week' },
    })
    await shop.stripe.products.update(productId, { default_price: '' })
    await shop.post('/v1/products/sync')
    await assertRefused('nobody', { productKey: 'several' }, /providerPriceId is required/)
    await shop.stripe.prices
      .list({ product: productId })
      .then(({ data }) =>
        Promise.all(data.map((price) => shop.stripe.prices.update(price.id, { active: false }))),
      )
    await shop.post('/v1/products/sync')
    await assertRefused('nobody', { productKey: 'several' }, /no active price/)
    await assertRefused('nobody', { productKey: 'several', providerPriceId: priceId }, /not active/)
  })

  const guarded: object[] = [
    { customer: 'cus_x' },
    { customer_email: 'x@y.z' },
    { customer_creation: 'always' },
    { mode: 'payment' },
    { line_items: [] },
    { optional_items: [] },
    { success_url: 'https://x.y' },
    { cancel_url: 'https://x.y' },
    { return_url: 'https://x.y' },
    { redirect_on_completion: 'never' },
    { ui_mode: 'embedded' },
    { payment_intent_data: {} },
    { subscription_data: { transfer_data: { destination: 'acct_1' } } },
    { subscription_data: { application_fee_percent: 10 } },
    { subscription_data: { on_behalf_of: 'acct_1' } },
    { metadata: { tollkeeper_customer_id: 'other' } },
    { metadata: 'text' },
    { subscription_data: { metadata: { tollkeeper_x: '1' } } },
    { 'line_items[0][price]': 'price_x' },
    { 'metadata[tollkeeper_customer_id]': 'other' },
    { subscription_data: { 'transfer_data[destination]': 'acct_1' } },
  ]
  for (const checkoutSessionParams of guarded) {
    it(`checkoutSessionParams ${JSON.stringify(checkoutSessionParams)}`, async () => {
      const customerId = newId()
      await assertRefused(customerId, { checkoutSessionParams, customerInfo: {} }, /checkoutSessionParams/)
      assert.equal((await shop.get(`/v1/customers/${customerId}`)).body, null)
    })
  }

  it('our metadata keys', async () => {
    await assertRefused('nobody', { metadata: { tollkeeper_product_key: 'x' } }, /tollkeeper_/)
    await assertRefused(
      'nobody',
      { customerInfo: { metadata: { tollkeeper_customer_id: 'x' } } },
      /tollkeeper_/,
    )
  })

  const keys = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`key-${index}`, 'x']))

  it('metadata that the provider would not keep: empty values, and more keys than it has beside ours', async () => {
    const customerId = newId()
    const refused: [object, RegExp][] = [
      [{ metadata: { a: '' } }, /^metadata\.a must not be empty/],
      [{ metadata: keys(49) }, /^metadata takes at most 48 keys/],
      [{ metadata: keys(48), pricingTableReleaseId: 'r' }, /^metadata takes at most 47 keys/],
      [{ customerInfo: { metadata: { a: '' } } }, /^customerInfo\.metadata\.a must not be empty/],
      [{ customerInfo: { metadata: keys(49) } }, /^customerInfo\.metadata takes at most 48 keys/],
    ]
    for (const [sent, said] of refused) await assertRefused(customerId, { customerInfo: {}, ...sent }, said)
    assert.equal((await shop.get(`/v1/customers/${customerId}`)).body, null)
    const most = { metadata: keys(48), customerInfo: { metadata: keys(48) } }
    const { status, text } = await shop.post(path(customerId), { productKey: 'pro', ...most })
    assert.equal(status, 200, text)
    const { providerCustomerId } = (await shop.get(`/v1/customers/${customerId}`)).body
    const there = await shop.stripe.customers.retrieve(providerCustomerId)
    assert.equal(Object.keys('metadata' in there ? there.metadata : {}).length, 50)
  })

  const badUrls = [
    'http://shop.example/',
    'javascript:alert(1)',
    'ftp://x.y/',
    '/relative',
    '',
    'https://',
    'data:text/html,x',
    'http://localhost.evil.example/',
    `https://shop.example/${'x'.repeat(2048 - 20)}`,
  ]
  for (const url of badUrls) {
    it(`the address ${url.slice(0, 40)}`, async () => {
      await assertRefused('nobody', { successUrl: url }, /^successUrl/)
      await assertRefused('nobody', { cancelUrl: url }, /^cancelUrl/)
    })
  }

  it('unknown fields, nulls and wrong types', async () => {
    await assertRefused('nobody', { success_url: 'https://x.y' }, /success_url/)
    await assertRefused('nobody', { successUrl: null }, /successUrl/)
    await assertRefused('nobody', { customerInfo: { phone: '1' } }, /phone/)
    await assertRefused('nobody', { checkoutSessionParams: [] }, /checkoutSessionParams/)
    await assertRefused('nobody', { metadata: { a: 1 } }, /metadata/)
    assert.equal((await shop.post(path('nobody'), {})).status, 400)
  })

  it('what the provider refuses of the further parameters, in its words', async () => {
    const { customerId } = await addCustomer()
    await assertRefused(
      customerId,
      { checkoutSessionParams: { nonsense: 'x' } },
      /payment provider refused.*nonsense/,
    )
  })
})

describe('404', () => {
  it('an unknown customer without customerInfo, and nothing is made', async () => {
    const answer = await checkout('nobody')
    assert.equal(answer.status, 404)
    assert.equal(answer.headers['x-error-code'], 'customer_not_found')
    assert.equal((await shop.get('/v1/customers/nobody')).body, null)
  })

  it('an unknown product', async () => {
    const answer = await checkout('nobody', { productKey: 'nothing', customerInfo: {} })
    assert.equal(answer.headers['x-error-code'], 'product_not_found')
    assert.equal(answer.status, 404)
  })
})
