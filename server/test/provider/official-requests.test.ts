// Every request that the adapter sends names only parameters that the official types know, with right types and values.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { findEndpoint, toRequestClaim, toUnique } from '../../../simulator/test/official-claims.ts'
import { findTypeErrors } from '../../../simulator/test/official-types.ts'
import { seed } from '../../../simulator/test/simulator-fixture.ts'
import { addPayer, openShop, type Shop, stockShop, submit } from '../billing/shop-fixture.ts'
import { type ProviderFixture, startTestProvider } from './provider-fixture.ts'

type Sent = Parameters<typeof toRequestClaim>[0]

/** Calls every method of the adapter in every form; the owner's own requests, made by the plain SDK, are left out. */
async function callEveryMethod(running: ProviderFixture): Promise<{ sent: Sent[]; called: Set<string> }> {
  const { stripe, exchanges } = running
  const { customer, priceId, product } = await seed(stripe.test)
  for (let count = 0; count < 101; count++) await stripe.test.products.create({ name: `P${count}` })
  const sent: Sent[] = []
  const called = new Set<string>()
  const provider = new Proxy(running.provider.test, {
    get(target, name) {
      called.add(String(name))
      return target[name as keyof typeof target]
    },
  })
  const from = exchanges.length
  await provider.findCustomer({ key: 'x', value: 'y' })
  await provider.createCustomer(
    { name: 'Ada', email: 'a@example.com', metadata: { 0: '7', 'a b': 'c' } },
    'k1',
  )
  await provider.updateCustomer(customer.id, { name: 'New', metadata: { x: 'true' } })
  const request = {
    providerCustomerId: customer.id,
    providerPriceId: priceId,
    quantity: 1,
    successUrl: 'https://shop.example/ok?id={CHECKOUT_SESSION_ID}',
    metadata: { ours: '1' },
  }
  const session = await provider.createCheckoutSession(request, 'k2')
  const params = {
    allow_promotion_codes: true,
    subscription_data: { trial_period_days: 7, metadata: { theirs: '2' } },
    metadata: { theirs: '3' },
  }
  await provider.createCheckoutSession({ ...request, cancelUrl: 'https://shop.example/no', params }, 'k3')
  await provider.getCheckoutSession(session.checkoutSessionId)
  await submit(session.url as string, { card_number: '4242424242424242' })
  await provider.expireCheckoutSession(session.checkoutSessionId)
  const open = await provider.createCheckoutSession(request, 'k4')
  await provider.expireCheckoutSession(open.checkoutSessionId)
  await provider.getCustomerState(customer.id)
  await provider.getProduct(product.id)
  const page = await provider.listProducts()
  await provider.listProducts(page.nextCursor as string)
  await provider.listPrices()
  await provider.listPrices(priceId)
  const [subscription] = await provider.listSubscriptions(customer.id)
  const [item] = subscription?.items ?? []
  assert(subscription && item)
  const other = await stripe.test.prices.create({
    product: product.id,
    currency: 'usd',
    unit_amount: 9_900,
    recurring: { interval: 'year' },
  })
  const target = { providerProductId: product.id, providerPriceId: other.id }
  const { changePageId } = await provider.prepareChange(target)
  await provider.createChangeSession({
    providerCustomerId: customer.id,
    providerSubscriptionId: subscription.providerSubscriptionId,
    itemId: item.itemId,
    providerPriceId: other.id,
    quantity: 2,
    changePageId,
    successUrl: 'https://shop.example/ok',
    cancelUrl: 'https://shop.example/no',
  })
  await provider.createPortalSession({ providerCustomerId: customer.id })
  await provider.createPortalSession({
    providerCustomerId: customer.id,
    returnUrl: 'https://shop.example/',
    flow: 'payment_method_update',
  })
  await provider.listCustomers((await provider.listCustomers()).nextCursor ?? undefined)
  const events = await provider.listEvents(0)
  await provider.listEvents(0, events.nextCursor ?? undefined)
  await running.simulator.deliverDue()
  const { body, signature } = running.received.at(-1) ?? assert.fail('No webhook came.')
  provider.readWebhook(body, signature, Date.now())
  assert.equal(provider.environment, 'test')
  assert.equal(provider.pages, undefined)
  assert.deepEqual(provider.overdueStatuses, ['past_due'])
  assert.equal(provider.webhookSignatureHeader, 'stripe-signature')
  provider.checkSessionParams({})
  sent.push(...exchanges.slice(from))
  return { sent, called }
}

describe('the adapter by itself', () => {
  let running: ProviderFixture
  before(async () => {
    running = await startTestProvider()
  })
  after(() => running.close())

  it('sends only what the official types know, from every method it has', async (test) => {
    const { sent, called } = await callEveryMethod(running)
    assert.deepEqual(
      Object.keys(running.provider.test).filter((method) => !called.has(method)),
      [],
    )
    const claims = toUnique(sent.map(toRequestClaim))
    test.diagnostic(`${claims.length} requests to ${new Set(sent.map(findEndpoint)).size} endpoints`)
    assert.deepEqual(await findTypeErrors(claims), [])
  })

  it('would be found out', async () => {
    const sent = {
      method: 'POST',
      path: '/v1/checkout/sessions',
      encoded: 'mode=subscription&line_items[0][amount]=5',
    }
    assert.equal((await findTypeErrors([toRequestClaim(sent)])).length, 1)
    assert.throws(() => toRequestClaim({ ...sent, path: '/v1/unheard_of' }), /no endpoint that is known/)
  })
})

describe('the service', () => {
  let shop: Shop
  before(async () => {
    shop = await openShop()
  })
  after(() => shop.close())

  it('sends only what the official types know while it sells', async (test) => {
    const sent: Sent[] = []
    shop.simulator.faults.onRequest = (request) => {
      sent.push(request)
      return undefined
    }
    await stockShop(shop)
    await addPayer(shop, 'ada')
    const info = { customerInfo: { name: 'Eve', email: 'eve@example.com', metadata: { plan: '1' } } }
    const { status, body } = await shop.post('/v1/customers/eve/checkout', { productKey: 'pro', ...info })
    assert.equal(status, 200)
    assert.equal((await submit(body.url, { card_number: '4242424242424242' })).status, 303)
    assert.equal(
      (await shop.post('/v1/customers/eve/customer_portal', { flow: 'payment_method_update' })).status,
      200,
    )
    assert.equal((await shop.put('/v1/customers/eve', { name: 'Eva' })).status, 200)
    assert.equal((await shop.post('/v1/products/sync')).status, 200)
    const claims = toUnique(sent.map(toRequestClaim))
    assert.ok(claims.length > 10)
    test.diagnostic(`${claims.length} requests to ${new Set(sent.map(findEndpoint)).size} endpoints`)
    assert.deepEqual(await findTypeErrors(claims), [])
  })
})
