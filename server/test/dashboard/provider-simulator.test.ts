// Playing the account's owner at the simulated provider: only where it is simulated, and only in that environment.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { eventually } from '../billing/shop-fixture.ts'
import { startDashboardService } from './dashboard-fixture.ts'
import { addSubscriber, type DashboardShop, openDashboardShop } from './provider-fixture.ts'

/** A period that began this very second would be the same after it. */
const tenDaysAgo = () => ({ backdate_start_date: Math.floor(Date.now() / 1000) - 10 * 86_400 })

describe('the simulator on the dashboard', () => {
  let shop: DashboardShop
  before(async () => {
    shop = await openDashboardShop()
  })
  after(() => shop.close())

  const post = (path: string, body: unknown = {}) => shop.admin.request('POST', path, { body })
  const held = async (customerId: string) => {
    const { body } = await shop.get(`/v1/customers/${customerId}`)
    return body.products.map((each: { key: string; status: string }) => [each.key, each.status])
  }

  it('makes a product with prices, of its own environment, that can be linked and bought', async () => {
    const prices = [
      { unitAmount: 1_200, currency: 'usd', interval: 'month', trialDays: 7 },
      { unitAmount: 12_000, currency: 'usd', interval: 'month', intervalCount: 12 },
    ]
    const made = await post('test/simulator/products', { name: 'Team', prices })
    assert.equal(made.status, 201, made.text)
    const { providerProductId, providerPriceIds } = made.body
    assert.equal(providerPriceIds.length, 2)
    const linked = await shop.post('/v1/products', { productKey: 'team', providerProductId })
    assert.equal(linked.status, 201, linked.text)
    assert.deepEqual(
      linked.body.prices
        .map((price: { unitAmount: number; isDefault: boolean }) => [price.unitAmount, price.isDefault])
        .sort(([one]: [number], [other]: [number]) => one - other),
      [
        [1_200, true],
        [12_000, false],
      ],
    )
    const elsewhere = { productKey: 'team', providerProductId }
    assert.equal((await shop.post('/v1/products', elsewhere, { key: shop.keys.live })).status, 400)
    for (const wrong of [{ currency: 'USD' }, { interval: 'decade' }, { unitAmount: -1 }, { trialDays: 0 }]) {
      const answer = await post('test/simulator/products', {
        name: 'x',
        prices: [{ ...prices[0], ...wrong }],
      })
      assert.equal(answer.status, 400, JSON.stringify(wrong))
      assert.match(answer.body.error, new RegExp(Object.keys(wrong)[0] as string))
    }
  })

  it('advances a subscription: a new period begins, is charged for, and usage starts anew', async () => {
    const { subscriptionId } = await addSubscriber(shop, 'advanced', tenDaysAgo())
    const event = { customerId: 'advanced', featureKey: 'api_calls', eventKey: 'a', amount: 7 }
    await shop.post('/v1/usage', { ...event, occurredAt: Date.now() - 86_400_000 })
    const before = await shop.get('/v1/feature-access?customerId=advanced')
    assert.equal(before.body.api_calls.usage.used, 7)
    const advanced = await post(`test/simulator/subscriptions/${subscriptionId}/advance`)
    assert.equal(advanced.status, 200, advanced.text)
    assert.ok(advanced.body.currentPeriodEnd > Date.now() + 27 * 86_400_000)
    const access = await shop.get('/v1/feature-access?customerId=advanced')
    assert.equal(access.body.api_calls.usage.used, 0)
    const invoices = await shop.stripe.invoices.list({ subscription: subscriptionId })
    assert.deepEqual(
      invoices.data.map(({ status }) => status),
      ['paid', 'paid'],
    )
    assert.equal((await shop.get('/v1/test-clock')).body.frozen, false)
  })

  it('ends a trial, and ends what is set to end', async () => {
    const trial = await addSubscriber(shop, 'trial', { trial_period_days: 14 })
    assert.deepEqual(await held('trial'), [['pro', 'trialing']])
    await post(`test/simulator/subscriptions/${trial.subscriptionId}/advance`)
    assert.deepEqual(await held('trial'), [['pro', 'active']])
    const leaving = await addSubscriber(shop, 'leaving', { cancel_at_period_end: true })
    const ended = await post(`test/simulator/subscriptions/${leaving.subscriptionId}/advance`)
    assert.deepEqual(ended.body, { currentPeriodEnd: null })
    assert.deepEqual(await held('leaving'), [['free', 'active']])
  })

  it('fails the next payment, which is then tried again for a while', async () => {
    const { subscriptionId } = await addSubscriber(shop, 'failing', tenDaysAgo())
    assert.equal((await post('test/simulator/customers/failing/fail-next-payment')).status, 200)
    assert.deepEqual(await held('failing'), [['pro', 'active']])
    await post(`test/simulator/subscriptions/${subscriptionId}/advance`)
    assert.deepEqual(await held('failing'), [['pro', 'past_due']])
    await shop.put('/v1/test-clock', { now: Date.now() + 15 * 86_400_000 })
    await eventually(
      () => held('failing'),
      (products) => assert.deepEqual(products, [['free', 'active']]),
    )
    await shop.put('/v1/test-clock', { now: null })
  })

  it('cancels a subscription at once, and names who did', async () => {
    const { subscriptionId } = await addSubscriber(shop, 'cancelled')
    assert.equal((await post(`test/simulator/subscriptions/${subscriptionId}/cancel`)).status, 200)
    assert.deepEqual(await held('cancelled'), [['free', 'active']])
    assert.equal((await post(`test/simulator/subscriptions/${subscriptionId}/cancel`)).status, 404)
    const log = await shop.admin.request('GET', 'test/audit-log?subject=cancelled&action=simulator')
    assert.deepEqual(
      log.body.entries.map(({ actor, action }: { actor: string; action: string }) => [actor, action]),
      [['person:ada@example.com', 'simulator.cancel_subscription']],
    )
  })

  it('knows only what is of its environment', async () => {
    const { subscriptionId } = await addSubscriber(shop, 'elsewhere')
    for (const path of [
      `live/simulator/subscriptions/${subscriptionId}/advance`,
      `live/simulator/subscriptions/${subscriptionId}/cancel`,
      'live/simulator/customers/elsewhere/fail-next-payment',
      'test/simulator/subscriptions/nobodys/advance',
      'test/simulator/customers/nobody/fail-next-payment',
    ])
      assert.equal((await post(path)).status, 404, path)
    assert.deepEqual(await held('elsewhere'), [['pro', 'active']])
  })

  it('is not there where the provider is an account, or none', async () => {
    const service = await startDashboardService({
      variables: { STRIPE_TEST_SECRET_KEY: `sk_test_${'0'.repeat(24)}`, TOLLKEEPER_SIMULATE_LIVE: '0' },
    })
    try {
      for (const environment of ['test', 'live']) {
        const prices = [{ unitAmount: 1, currency: 'usd', interval: 'month' }]
        for (const [path, body] of [
          ['products', { name: 'x', prices }],
          ['subscriptions/s/advance', {}],
          ['subscriptions/s/cancel', {}],
          ['customers/c/fail-next-payment', {}],
        ] as const) {
          const answer = await service.admin.request('POST', `${environment}/simulator/${path}`, { body })
          assert.deepEqual([answer.status, answer.headers['x-error-code']], [404, 'no_simulator'], path)
        }
      }
      const status = await service.admin.request('GET', 'test/provider')
      assert.equal(status.body.mode, 'account')
      assert.match(status.body.dashboardUrl, /^https:\/\/dashboard\./)
      const demo = await service.admin.request('POST', 'test/demo', { body: {} })
      assert.deepEqual([demo.status, demo.headers['x-error-code']], [409, 'demo_needs_simulator'])
    } finally {
      await service.close()
    }
  })
})
