// Worked examples of what subscriptions make of a customer in the reference model: acme's plan gives 10 calls a month from
// 10 January 2026, Plus at the provider 100.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ms, startModel } from './reference-fixture.ts'
import type { ProviderSubscription } from './reference-subscriptions.ts'

type Shown = { products: { key: string; version: number; status: string }[] }

function start() {
  const fixture = startModel()
  const { model } = fixture
  const setPlus = (limit: number) =>
    model.setFeatureAccess('plus', { featureAccess: [{ featureKey: 'calls', hasAccess: true, limit }] })
  model.linkProduct({ productKey: 'plus', providerProductId: 'prod_plus', name: 'Plus' })
  model.linkProduct({ productKey: 'team', providerProductId: 'prod_team', name: 'Team' })
  setPlus(100)
  model.createCustomer({ customerId: 'buyer', usageStartedAt: ms('2026-01-10') }, 'cus_1')
  model.updateProduct('plan', { isDefault: true })

  const subscribe = (more: Partial<ProviderSubscription> = {}, providerProductId = 'prod_plus') =>
    model.syncSubscriptions('cus_1', [
      {
        subscriptionId: 'sub_1',
        status: 'active',
        startedAt: ms('2026-01-15'),
        billingAnchorAt: ms('2026-01-15'),
        canceledAt: null,
        items: [
          {
            providerProductId,
            providerPriceId: 'price_1',
            quantity: 2,
            currentPeriodStart: ms('2026-01-15'),
            currentPeriodEnd: ms('2026-02-15'),
          },
        ],
        ...more,
      },
    ])
  const held = () =>
    (model.getCustomer('buyer').body as Shown).products.map(({ key, version, status }) => [
      key,
      version,
      status,
    ])
  const calls = () => {
    const map = model.featureAccess('buyer').body as Record<string, ReturnType<typeof fixture.entry>>
    return map.calls as ReturnType<typeof fixture.entry>
  }
  return { ...fixture, setPlus, subscribe, held, calls }
}

describe('a subscription', () => {
  it('takes the place of the default product while it gives access', () => {
    const { subscribe, held, calls } = start()
    assert.deepEqual([held(), calls().limit], [[['plan', 1, 'active']], 10])
    subscribe()
    assert.deepEqual([held(), calls().limit], [[['plus', 1, 'active']], 100])
    subscribe({ status: 'past_due' })
    assert.deepEqual([held(), calls().limit], [[['plus', 1, 'past_due']], 100])
    for (const status of ['unpaid', 'paused', 'incomplete']) {
      subscribe({ status })
      const both = [
        ['plus', 1, status],
        ['plan', 1, 'active'],
      ]
      assert.deepEqual([held(), calls().limit], [both, 10])
    }
    subscribe({ status: 'canceled' })
    assert.deepEqual(held(), [['plan', 1, 'active']])
  })

  it('counts periods from its billing cycle anchor and cuts the one around its start', () => {
    const { subscribe, calls } = start()
    assert.equal(calls().usage.lastReset, ms('2026-01-10'))
    subscribe()
    assert.deepEqual([calls().usage.lastReset, calls().usage.nextReset], [ms('2026-01-15'), ms('2026-02-15')])
    subscribe({ status: 'trialing', billingAnchorAt: ms('2026-01-20') })
    assert.deepEqual([calls().usage.lastReset, calls().usage.nextReset], [ms('2026-01-15'), ms('2026-01-20')])
  })

  it('keeps its version until it is moved or switched to another product', () => {
    const { model, subscribe, held, setPlus, calls } = start()
    subscribe()
    model.createVersion('plus')
    model.createVersion('team')
    setPlus(5)
    subscribe({ canceledAt: ms('2026-01-16') })
    assert.deepEqual([held(), calls().limit], [[['plus', 1, 'active']], 100])
    assert.deepEqual(model.migrate('plus', { customerIds: ['buyer'] }).body, { migrated: 1 })
    assert.deepEqual([held(), calls().limit], [[['plus', 2, 'active']], 5])
    subscribe({}, 'prod_team')
    assert.deepEqual(held(), [['team', 2, 'active']])
  })

  it('of a provider customer that nobody has any more changes nothing', () => {
    const { model, subscribe, held } = start()
    model.deleteCustomer('buyer')
    model.createCustomer({ customerId: 'buyer' }, 'cus_2')
    subscribe()
    assert.deepEqual(held(), [['plan', 1, 'active']])
  })
})

describe('falling back', () => {
  const use = ({ model }: ReturnType<typeof start>, amount: number) =>
    model.recordUsage({ customerId: 'buyer', featureKey: 'calls', eventKey: `${amount}`, amount })

  it('cuts the period at the provider’s end of the subscription, or else when it is known', () => {
    for (const [endedAt, cutAt] of [
      [ms('2026-01-16'), ms('2026-01-16')],
      [null, ms('2026-01-17') + 12 * 3_600_000],
    ] as const) {
      const fixture = start()
      fixture.subscribe()
      use(fixture, 50)
      fixture.subscribe({ status: 'canceled', endedAt })
      const { used, lastReset, nextReset } = fixture.calls().usage
      assert.deepEqual([lastReset, nextReset], [cutAt, ms('2026-02-10')])
      // What was used at noon of the 17th came after the end that is told, and with the one that is not.
      assert.equal(used, 50)
    }
  })

  it('cuts nothing where a subscription goes on with an add-on, or the catalogue changes', () => {
    const fixture = start()
    fixture.subscribe()
    fixture.model.updateProduct('team', { isAddOn: true })
    fixture.subscribe({}, 'prod_team')
    assert.deepEqual(fixture.held(), [
      ['team', 1, 'active'],
      ['plan', 1, 'active'],
    ])
    assert.equal(fixture.calls().usage.lastReset, ms('2026-01-10'))
  })
})

describe('units', () => {
  it('multiply the limits of a provider product by the quantity, where it says so', () => {
    const { model, subscribe, calls } = start()
    subscribe()
    assert.equal(calls().limit, 100)
    assert.equal(model.updateProduct('plus', { limitsPerUnit: true }).status, 200)
    assert.equal(calls().limit, 200)
    assert.equal(model.updateProduct('plan', { limitsPerUnit: true }).status, 400)
  })
})

describe('add-ons', () => {
  it('are held beside the default product, and are never the default', () => {
    const { model, subscribe, held } = start()
    model.updateProduct('plus', { isAddOn: true })
    subscribe()
    assert.deepEqual(held(), [
      ['plus', 1, 'active'],
      ['plan', 1, 'active'],
    ])
    assert.equal(model.updateProduct('plan', { isAddOn: true }).status, 400)
  })
})
