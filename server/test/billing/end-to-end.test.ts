// The whole way of a paying customer: checkout, payment, access, usage over the limit, portal, the end of the period;
// once with plain forms and once in a real browser.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { findBrowser, noBrowser, startBrowser } from '../browser.ts'
import { eventually, openShop, type Shop, stockShop, submit } from './shop-fixture.ts'

const startedAt = Date.parse('2027-01-31T12:00:00Z')
const paidAt = Date.parse('2027-02-10T09:30:00Z')
const periodEnd = Date.parse('2027-03-10T09:30:00Z')

/** What a customer does by hand; each returns where it ended, if somewhere else. */
type Hands = {
  pay(url: string): Promise<string>
  updateCard(url: string): Promise<void>
  cancel(url: string): Promise<void>
}

let shop: Shop
before(async () => {
  shop = await openShop()
  await stockShop(shop)
})
after(() => shop.close())

const readCustomer = async (customerId: string) => (await shop.get(`/v1/customers/${customerId}`)).body

async function setClock(now: number): Promise<void> {
  assert.equal((await shop.put('/v1/test-clock', { now })).status, 200)
}

async function assertDefault(customerId: string): Promise<void> {
  const customer = await readCustomer(customerId)
  assert.deepEqual(
    customer.products.map((product: { key: string; isDefault: boolean }) => [product.key, product.isDefault]),
    [['free', true]],
  )
  assert.equal(customer.featureAccess.api_calls.limit, 10)
  assert.equal(customer.featureAccess.sso.hasAccess, false)
}

async function live(customerId: string, hands: Hands, successUrl: string): Promise<void> {
  await setClock(startedAt)
  const created = await shop.post('/v1/customers', { customerId, name: 'Ada', email: 'ada@example.com' })
  assert.equal(created.status, 201)
  await assertDefault(customerId)

  await setClock(paidAt)
  const checkout = await shop.post(`/v1/customers/${customerId}/checkout`, { productKey: 'pro', successUrl })
  assert.equal(checkout.status, 200)
  assert.match(await hands.pay(checkout.body.url), /\/welcome\?from=cs_test_\w+$/)
  // At once: whoever arrives at the success address has the product already.
  const paid = await readCustomer(customerId)
  assert.equal(paid.products.length, 1)
  const [pro] = paid.products
  assert.deepEqual([pro.key, pro.type, pro.status, pro.version], ['pro', 'provider', 'active', 1])
  assert.deepEqual([pro.startedAt, pro.currentPeriodStart, pro.currentPeriodEnd], [paidAt, paidAt, periodEnd])
  assert.equal(pro.prices[0].unitAmount, 2900)
  assert.equal(paid.hasPaymentMethod, true)
  assert.equal(paid.featureAccess.sso.hasAccess, true)
  const { usage } = paid.featureAccess.api_calls
  assert.deepEqual([usage.lastReset, usage.nextReset, usage.remaining], [paidAt, periodEnd, 100])

  const event = { customerId, featureKey: 'api_calls', eventKey: 'over', amount: 130 }
  assert.equal((await shop.post('/v1/usage', event)).body.used, 130)
  const refused = await shop.post('/v1/usage', { ...event, eventKey: 'more', amount: 1, enforceLimit: true })
  assert.equal(refused.body.reason, 'limit_reached')
  const over = (await shop.get(`/v1/feature-access?customerId=${customerId}`)).body.api_calls.usage
  assert.deepEqual([over.used, over.remaining, over.hasReachedLimit], [130, 0, true])

  const card = await shop.post(`/v1/customers/${customerId}/customer_portal`, {
    flow: 'payment_method_update',
    returnUrl: 'https://shop.example/account',
  })
  await hands.updateCard(card.body.url)
  const portal = await shop.post(`/v1/customers/${customerId}/customer_portal`)
  await hands.cancel(portal.body.url)
  const ending = await eventually(
    () => readCustomer(customerId),
    (customer) => assert.equal(customer.products[0].canceledAt, paidAt),
  )
  assert.equal(ending.products[0].status, 'active')

  await setClock(periodEnd - 1)
  assert.equal((await readCustomer(customerId)).products[0].key, 'pro')
  await setClock(periodEnd + 1000)
  await eventually(
    () => readCustomer(customerId),
    (customer) => assert.equal(customer.products[0].key, 'free'),
  )
  await assertDefault(customerId)
  const ended = (await readCustomer(customerId)).featureAccess.api_calls.usage
  // Back on the customer's own months: the 31st, clamped. The 130 of 10 February fall into the period since 28 February's start.
  assert.equal(ended.lastReset, Date.parse('2027-02-28T12:00:00Z'))
  assert.equal(ended.nextReset, Date.parse('2027-03-31T12:00:00Z'))
  assert.equal(ended.used, 0)
}

async function follow(location: string | null): Promise<string> {
  assert.ok(location)
  const response = await fetch(location, { redirect: 'manual' })
  assert.equal(response.status, 303)
  return response.headers.get('location') ?? ''
}

const formHands: Hands = {
  async pay(url) {
    const refused = await submit(url, { card_number: '4000000000000002' })
    assert.equal(refused.status, 402)
    const paid = await submit(url, { card_number: '4242 4242 4242 4242' })
    assert.equal(paid.status, 303)
    return follow(paid.location)
  },
  async updateCard(url) {
    const saved = await submit(`${url}/payment-method`, { card_number: '5555 5555 5555 4444' })
    assert.equal(saved.status, 303)
  },
  async cancel(url) {
    const page = await (await fetch(url)).text()
    assert.match(page, /mastercard ending in 4444/i)
    const subscription = /name="subscription" value="(\w+)"/.exec(page)?.[1] ?? ''
    const cancelled = await submit(`${url}/cancel`, { subscription })
    assert.equal(cancelled.status, 303)
  },
}

const browserHands = (page: Page): Hands => ({
  async pay(url) {
    await page.goto(url)
    await page.getByRole('heading', { name: 'Subscribe to pro' }).waitFor()
    await page.getByLabel('Card number').fill('4000 0000 0000 0002')
    await page.getByRole('button', { name: 'Subscribe' }).click()
    await page.getByRole('alert').getByText('declined').waitFor()
    await page.getByLabel('Card number').fill('4242 4242 4242 4242')
    await page.getByRole('button', { name: 'Subscribe' }).click()
    await page.getByText('Welcome to the shop').waitFor()
    return page.url()
  },
  async updateCard(url) {
    await page.goto(url)
    await page.getByText('Visa ending in 4242').waitFor()
    await page.getByLabel('Card number').fill('5555 5555 5555 4444')
    await page.getByRole('button', { name: 'Save card' }).click()
    await page.getByRole('status').getByText('Your card was saved.').waitFor()
    assert.equal(
      await page.getByRole('link', { name: 'Return' }).getAttribute('href'),
      'https://shop.example/account',
    )
  },
  async cancel(url) {
    await page.goto(url)
    await page.getByRole('button', { name: 'Cancel at period end' }).click()
    await page.getByRole('status').getByText('will end').waitFor()
    await page.getByText('Ends on March 10, 2027').waitFor()
  },
})

describe('from checkout to the end of the period', () => {
  it('over HTTP, with plain forms', async () => {
    await live('ada', formHands, 'https://shop.example/welcome?from={CHECKOUT_SESSION_ID}')
  })

  it('in a browser', { timeout: 400_000 }, async (test) => {
    const path = await findBrowser()
    if (path === undefined) return test.skip(noBrowser)
    // The seller's own page, as plain as can be.
    const seller = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Welcome to the shop</h1>')
    })
    await new Promise<void>((resolve) => seller.listen(0, '127.0.0.1', resolve))
    const { port } = seller.address() as AddressInfo
    const browsing = await startBrowser(path)
    try {
      const page = await browsing.context.newPage()
      page.setDefaultTimeout(20_000)
      const problems: string[] = []
      page.on('console', (message) => message.type() === 'error' && problems.push(message.text()))
      const successUrl = `http://127.0.0.1:${port}/welcome?from={CHECKOUT_SESSION_ID}`
      await live('grace', browserHands(page), successUrl)
      // A refused card is answered 402 and a browser without an icon asks for one; nothing else may go wrong.
      const unexpected = problems.filter((text) => !/402|favicon|404/.test(text))
      assert.deepEqual(unexpected, [])
    } finally {
      await browsing.close()
      seller.closeAllConnections()
      seller.close()
    }
  })
})
