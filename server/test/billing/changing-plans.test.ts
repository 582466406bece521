// A customer's way through the plans: Basic with five seats, Pro by the confirm page, an add-on beside it, the end of both, and the
// free plan again; once with plain forms and once in a real browser.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { findBrowser, noBrowser, startBrowser } from '../browser.ts'
import { eventually, linkNew, openShop, type Shop, stockShop, submit } from './shop-fixture.ts'

const boughtAt = Date.parse('2027-02-10T09:30:00Z')
const changedAt = Date.parse('2027-02-24T09:30:00Z')
const periodEnd = Date.parse('2027-03-10T09:30:00Z')
const oneDay = 86_400_000

/** What a customer does by hand; paying and confirming return where they ended. */
type Hands = {
  pay(url: string, product: string): Promise<string>
  confirm(url: string): Promise<string>
  cancelBoth(url: string): Promise<void>
}

let shop: Shop
before(async () => {
  shop = await openShop()
  await stockShop(shop)
  await linkNew(shop, 'basic', 1_000)
  await linkNew(shop, 'exports', 500)
  await change('basic', { limitsPerUnit: true })
  await change('exports', { isAddOn: true })
  const featureAccess = [{ featureKey: 'api_calls', hasAccess: true, limit: 20 }]
  const answer = await shop.put('/v1/products/basic/feature-access', { featureAccess })
  assert.equal(answer.status, 200, answer.text)
})

async function change(productKey: string, body: object): Promise<void> {
  const { status, text } = await shop.put(`/v1/products/${productKey}`, body)
  assert.equal(status, 200, text)
}

after(() => shop.close())

async function setClock(now: number): Promise<void> {
  assert.equal((await shop.put('/v1/test-clock', { now })).status, 200)
}

const read = async (customerId: string) => (await shop.get(`/v1/customers/${customerId}`)).body

const held = async (customerId: string) =>
  (await read(customerId)).products
    .map(({ key, prices }: { key: string; prices: { quantity: number }[] }) => [key, prices[0]?.quantity])
    .sort()

async function live(customerId: string, hands: Hands, successUrl: string): Promise<void> {
  const buy = async (flow: string, body: object) => {
    const answer = await shop.post(`/v1/customers/${customerId}/checkout`, { successUrl, ...body })
    assert.deepEqual([answer.status, answer.body.flow], [200, flow], answer.text)
    return answer.body.url as string
  }
  await setClock(boughtAt)
  // Months of its own are counted from the 25th, those of the subscription from the 10th.
  const usageStartedAt = Date.parse('2027-01-25T00:00:00Z')
  assert.equal((await shop.post('/v1/customers', { customerId, usageStartedAt })).status, 201)
  assert.deepEqual(await held(customerId), [['free', undefined]])

  const basic = await buy('checkout', { productKey: 'basic', quantity: 5 })
  assert.match(await hands.pay(basic, 'basic'), /\/welcome$/)
  assert.deepEqual(await held(customerId), [['basic', 5]])
  assert.equal((await read(customerId)).featureAccess.api_calls.limit, 100)
  const again = await shop.post(`/v1/customers/${customerId}/checkout`, { productKey: 'basic' })
  assert.deepEqual([again.status, again.headers['x-error-code']], [409, 'already_subscribed'])

  await setClock(changedAt)
  assert.match(await hands.confirm(await buy('change', { productKey: 'pro' })), /\/welcome$/)
  // At once: whoever arrives at the success address has the new product already, and the old one no longer.
  assert.deepEqual(await held(customerId), [['pro', 5]])
  const { products, featureAccess } = await read(customerId)
  assert.deepEqual([products[0].startedAt, products[0].currentPeriodEnd], [boughtAt, periodEnd])
  assert.equal(featureAccess.sso.hasAccess, true)

  const exports = await buy('checkout', { productKey: 'exports' })
  assert.match(await hands.pay(exports, 'exports'), /\/welcome$/)
  assert.deepEqual(await held(customerId), [
    ['exports', 1],
    ['pro', 5],
  ])
  const event = { customerId, featureKey: 'api_calls', eventKey: 'much', amount: 90 }
  assert.equal((await shop.post('/v1/usage', event)).body.used, 90)

  const portal = await shop.post(`/v1/customers/${customerId}/customer_portal`)
  await hands.cancelBoth(portal.body.url)
  await eventually(
    () => read(customerId),
    (customer) =>
      assert.deepEqual(
        customer.products.map(({ canceledAt }: { canceledAt: number }) => canceledAt),
        [changedAt, changedAt],
      ),
  )
  const blocked = await shop.post(`/v1/customers/${customerId}/checkout`, { productKey: 'basic' })
  assert.deepEqual([blocked.status, blocked.headers['x-error-code']], [409, 'change_not_possible'])

  await setClock(periodEnd - oneDay)
  assert.equal((await shop.post('/v1/usage', { ...event, eventKey: 'late' })).body.used, 180)
  await setClock(periodEnd + oneDay)
  assert.deepEqual(await held(customerId), [
    ['exports', 1],
    ['free', undefined],
  ])
  // What was used on Pro lies in this month of the free plan, too, and is not held against it.
  const fallen = (await read(customerId)).featureAccess.api_calls
  assert.deepEqual([fallen.limit, fallen.usage.used, fallen.usage.lastReset], [10, 0, periodEnd])

  // The add-on began with the change, so its period is the last to end.
  await setClock(Date.parse('2027-03-24T09:30:00Z') + oneDay)
  await eventually(
    () => held(customerId),
    (products) => assert.deepEqual(products, [['free', undefined]]),
  )
  const { usage, limit } = (await read(customerId)).featureAccess.api_calls
  assert.deepEqual([limit, usage.used, usage.remaining], [10, 0, 10])
  assert.match(await hands.pay(await buy('checkout', { productKey: 'basic' }), 'basic'), /\/welcome$/)
  assert.deepEqual(await held(customerId), [['basic', 1]])
}

async function follow(location: string | null): Promise<string> {
  const response = await fetch(location ?? '', { redirect: 'manual' })
  assert.equal(response.status, 303)
  return response.headers.get('location') ?? ''
}

const formHands: Hands = {
  async pay(url) {
    return follow((await submit(url, { card_number: '4242 4242 4242 4242' })).location)
  },
  async confirm(url) {
    assert.match(await (await fetch(url)).text(), /Amount due today/)
    return follow((await submit(`${url}/confirm`, {})).location)
  },
  async cancelBoth(url) {
    const page = await (await fetch(url)).text()
    const ids = new Set([...page.matchAll(/name="subscription" value="(\w+)"/g)].map((match) => match[1]))
    assert.equal(ids.size, 2)
    for (const subscription of ids)
      assert.equal((await submit(`${url}/cancel`, { subscription: subscription as string })).status, 303)
  },
}

const browserHands = (page: Page): Hands => ({
  async pay(url, product) {
    await page.goto(url)
    await page.getByRole('heading', { name: `Subscribe to ${product}` }).waitFor()
    await page.getByLabel('Card number').fill('4242 4242 4242 4242')
    await page.getByRole('button', { name: 'Subscribe' }).click()
    await page.getByText('Welcome to the shop').waitFor()
    return page.url()
  },
  async confirm(url) {
    await page.goto(url)
    await page.getByRole('heading', { name: 'Confirm your updates' }).waitFor()
    await page.getByText('pro × 5').waitFor()
    await page.getByText('Amount due today').waitFor()
    await page.getByRole('button', { name: 'Confirm' }).click()
    await page.getByText('Welcome to the shop').waitFor()
    return page.url()
  },
  async cancelBoth(url) {
    await page.goto(url)
    for (let left = 2; left > 0; left--) {
      await page.getByRole('button', { name: 'Cancel at period end' }).first().click()
      await page.getByRole('status').getByText('will end').waitFor()
    }
    assert.equal(await page.getByRole('button', { name: 'Cancel at period end' }).count(), 0)
  },
})

describe('from Basic over Pro back to Free', () => {
  it('over HTTP, with plain forms', async () => {
    await live('ada', formHands, 'https://shop.example/welcome')
  })

  it('in a browser', { timeout: 400_000 }, async (test) => {
    const path = await findBrowser()
    if (path === undefined) return test.skip(noBrowser)
    const seller = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Welcome to the shop</h1>')
    })
    await new Promise<void>((resolve) => seller.listen(0, '127.0.0.1', resolve))
    const browsing = await startBrowser(path)
    try {
      const page = await browsing.context.newPage()
      page.setDefaultTimeout(20_000)
      const { port } = seller.address() as AddressInfo
      await live('grace', browserHands(page), `http://127.0.0.1:${port}/welcome`)
    } finally {
      await browsing.close()
      seller.closeAllConnections()
      seller.close()
    }
  })
})
