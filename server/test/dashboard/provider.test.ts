// The provider as the dashboard shows it: how it stands, its events, what differs from it, and bringing the two together.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { eventually } from '../billing/shop-fixture.ts'
import { addSubscriber, type DashboardShop, openDashboardShop } from './provider-fixture.ts'

type Difference = { kind: string; id: string; field?: string; ours?: string; theirs?: string }

describe('the provider on the dashboard', () => {
  let shop: DashboardShop
  before(async () => {
    shop = await openDashboardShop()
  })
  after(() => shop.close())

  const get = async (path: string) => {
    const answer = await shop.admin.request('GET', path)
    assert.equal(answer.status, 200, answer.text)
    return answer.body
  }
  const post = (path: string, body: unknown = {}) => shop.admin.request('POST', path, { body })

  const settle = () =>
    eventually(
      () => get('test/provider'),
      ({ inbox }) => assert.deepEqual([inbox.waiting, inbox.failing], [0, 0]),
      20_000,
    )

  async function compareAll(): Promise<Difference[]> {
    const found: Difference[] = []
    let cursor: string | null = null
    do {
      const answer = await post('test/provider/compare', cursor === null ? {} : { cursor })
      assert.equal(answer.status, 200, answer.text)
      found.push(...answer.body.differences)
      cursor = answer.body.nextCursor
    } while (cursor !== null)
    return found
  }

  it('says what it is, what came and how late, and where webhooks go', async () => {
    await addSubscriber(shop, 'shown')
    const status = await settle()
    assert.equal(status.mode, 'simulator')
    assert.match(status.simulatorUrl, /^http:\/\/127\.0\.0\.1:\d+$/)
    assert.match(status.webhookUrl, /\/provider\/webhooks\/test$/)
    assert.ok(status.inbox.doneToday > 0 && status.lastEventAt > Date.now() - 60_000)
    const [lag] = status.lagPerHour
    assert.ok(lag.count > 0 && lag.p50Ms <= lag.maxMs, JSON.stringify(lag))
    assert.deepEqual([status.catalogueImport, status.unlinked], [{ isRunning: false }, { count: 0 }])
  })

  it('has none where nothing is configured', async () => {
    const bare = await openDashboardShop({ TOLLKEEPER_SIMULATE_LIVE: '0' })
    try {
      const { body } = await bare.admin.request('GET', 'live/provider')
      assert.deepEqual([body.mode, body.simulatorUrl], ['none', undefined])
      const compared = await bare.admin.request('POST', 'live/provider/compare', { body: {} })
      assert.deepEqual([compared.status, compared.headers['x-error-code']], [400, 'provider_not_configured'])
    } finally {
      await bare.close()
    }
  })

  it('lists events page by page, by their state, each once and with its customer', async () => {
    await addSubscriber(shop, 'listed')
    await settle()
    const seen: string[] = []
    const customers: string[] = []
    let cursor = ''
    for (;;) {
      const { events, nextCursor } = await get(`test/provider/events?state=done&limit=3${cursor}`)
      for (const event of events) {
        seen.push(event.eventId)
        if (event.customerId !== undefined) customers.push(event.customerId)
        assert.notEqual(event.doneAt, null)
      }
      if (nextCursor === null) break
      cursor = `&cursor=${nextCursor}`
    }
    const [{ n } = { n: 0 }] = await shop.query(
      `select count(*)::int as n from provider_event where environment = 'test' and done_at is not null`,
    )
    assert.equal(seen.length, n)
    assert.equal(new Set(seen).size, seen.length)
    assert.ok(customers.includes('listed'))
    assert.equal((await shop.admin.request('GET', 'test/provider/events?state=odd')).status, 400)
    assert.deepEqual((await get('live/provider/events')).events, [])
  })

  it('works off a failed event when it is retried, and refuses a done one and an unknown one', async () => {
    const { customer } = await addSubscriber(shop, 'retried')
    await settle()
    const farAhead = Date.now() + 3_600_000
    await shop.query(
      `insert into provider_event (environment, event_id, type, subject_kind, subject_id, created_at, received_at, due_at,
         attempts, last_error)
       values ('test', 'evt_failed', 'customer.updated', 'customer', $1, $2, $2, $3, 4, 'It was away')`,
      [customer, Date.now(), farAhead],
    )
    const [failing] = (await get('test/provider/events?state=failing')).events
    assert.deepEqual([failing.eventId, failing.attempts, failing.lastError], ['evt_failed', 4, 'It was away'])
    assert.equal((await get('test/provider')).inbox.failing, 1)
    const other = await post('live/provider/events/evt_failed/retry')
    assert.equal(other.status, 404)
    assert.equal((await post('test/provider/events/evt_failed/retry')).status, 200)
    await settle()
    const again = await post('test/provider/events/evt_failed/retry')
    assert.deepEqual([again.status, again.headers['x-error-code']], [409, 'provider_event_done'])
  })

  it('finds a planted difference of a customer, and a re-sync mends it', async () => {
    const { subscriptionId } = await addSubscriber(shop, 'different')
    await settle()
    assert.deepEqual(await compareAll(), [])
    await shop.query('update subscription set status = $2 where subscription_id = $1', [
      subscriptionId,
      'past_due',
    ])
    await shop.query(
      `update customer set name = 'Other', revision = revision + 1 where customer_id = 'different'`,
    )
    const found = await compareAll()
    assert.deepEqual(
      found.map(({ kind, id, field, ours, theirs }) => [kind, id, field, ours, theirs]),
      [
        ['customer', 'different', 'name', 'Other', 'none'],
        ['customer', 'different', 'status', 'past_due', 'active'],
      ],
    )
    assert.deepEqual((await post('test/customers/different/sync')).body, { changed: true })
    assert.deepEqual(await compareAll(), [])
    assert.deepEqual((await post('test/customers/different/sync')).body, { changed: false })
    assert.equal((await post('test/customers/nobody/sync')).status, 404)
  })

  it('finds products that are not linked or no longer sold, and changed prices', async () => {
    const product = await shop.stripe.products.create({
      name: 'Extra',
      default_price_data: { currency: 'usd', unit_amount: 500, recurring: { interval: 'month' } },
    })
    const [unlinked] = await compareAll()
    assert.deepEqual([unlinked?.kind, unlinked?.id], ['product', product.id])
    await shop.post('/v1/products', { productKey: 'extra', providerProductId: product.id })
    await settle()
    assert.deepEqual(await compareAll(), [])
    await shop.query('update price set unit_amount = 400 where provider_price_id = $1', [
      product.default_price,
    ])
    // The catalogue is held in memory by its revision.
    await shop.put('/v1/products/extra/feature-access', { featureAccess: [] })
    const [changed] = await compareAll()
    assert.deepEqual(
      [changed?.id, changed?.field, changed?.ours, changed?.theirs],
      ['extra', 'unitAmount', '400', '500'],
    )
    await shop.post('/v1/products/sync')
    assert.deepEqual(await compareAll(), [])
  })

  it('shows what a customer is there', async () => {
    const { customer, subscriptionId } = await addSubscriber(shop, 'subscribed')
    const shown = await get('test/customers/subscribed/provider')
    assert.deepEqual([shown.providerCustomerId, shown.hasPaymentMethod], [customer, true])
    const [subscription] = shown.subscriptions
    assert.deepEqual(
      [subscription.subscriptionId, subscription.status, subscription.phase],
      [subscriptionId, 'active', 'granting'],
    )
    const [item] = subscription.items
    assert.deepEqual(
      [item.productKey, item.productName, item.quantity, item.unitAmount, item.recurringInterval],
      ['pro', 'pro', 1, 2900, 'month'],
    )
    assert.deepEqual(shown.checkouts, [])
    await shop.post('/v1/customers', { customerId: 'buyer' })
    await shop.post('/v1/customers/buyer/checkout', { productKey: 'pro' })
    const [checkout] = (await get('test/customers/buyer/provider')).checkouts
    assert.equal(checkout.state, 'current')
    assert.equal((await shop.admin.request('GET', 'test/customers/nobody/provider')).status, 404)
    assert.equal((await shop.admin.request('GET', 'live/customers/buyer/provider')).status, 404)
  })

  it('lets a reader look and compare, and change nothing', async () => {
    const reader = await shop.join('reader@example.com', 'read')
    assert.equal((await reader.request('GET', 'test/provider')).status, 200)
    assert.equal((await reader.request('POST', 'test/provider/compare', { body: {} })).status, 200)
    for (const path of [
      'test/customers/subscribed/sync',
      'test/provider/events/x/retry',
      'test/simulator/products',
      'test/demo',
    ])
      assert.equal((await reader.request('POST', path, { body: {} })).status, 403, path)
    assert.equal((await reader.request('DELETE', 'test/demo')).status, 403)
  })
})
