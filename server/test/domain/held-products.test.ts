// What a customer holds: subscriptions, assignments, and the default product where nothing gives access.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { computeHeldProducts } from '../../src/domain/access/held-products.ts'
import { catalogue, entry, month, now, product, startedAt, state, subscription } from './ledger-samples.ts'

const plan = product('plan', [[entry(1)], [entry(2)]])
const pro = product('pro', [[entry(10)], [entry(20)]], { providerProductId: 'prod' })
const free = product('free', [[entry(3)], [entry(4)]], { isDefault: true })
const all = catalogue([plan, pro, free])

const assigned = { productId: 'plan', version: 1, startedAt: now - 5 }
const held = (more: Parameters<typeof state>[0], from = all) =>
  computeHeldProducts(from, state(more), now).map(({ product: each, version, status }) => [
    each.productKey,
    version,
    status,
  ])

describe('computeHeldProducts', () => {
  it('holds an assigned product at its version, active, in the month around now', () => {
    const [first] = computeHeldProducts(all, state({ assignments: [assigned] }), now)
    const { product: each, version, status, startedAt: since, currentPeriod } = first ?? {}
    assert.deepEqual([each?.productKey, version, status, since], ['plan', 1, 'active', now - 5])
    assert.deepEqual(currentPeriod, month)
  })

  it('holds the default, at its latest version and since usageStartedAt, only where nothing else gives access', () => {
    assert.deepEqual(held({}), [['free', 2, 'active']])
    assert.equal(computeHeldProducts(all, state(), now)[0]?.startedAt, startedAt)
    assert.deepEqual(held({ assignments: [assigned] }), [['plan', 1, 'active']])
    assert.deepEqual(held({ subscriptions: [subscription('prod', 'past_due')] }), [['pro', 1, 'past_due']])
    assert.deepEqual(held({}, catalogue([plan, pro])), [])
  })

  it('lists a subscription that gives no access beside the default', () => {
    assert.deepEqual(held({ subscriptions: [subscription('prod', 'paused')] }), [
      ['pro', 1, 'paused'],
      ['free', 2, 'active'],
    ])
  })

  it('drops subscriptions that have ended and items of products that are not linked', () => {
    for (const status of ['canceled', 'incomplete_expired'])
      assert.deepEqual(held({ subscriptions: [subscription('prod', status)] }), [['free', 2, 'active']])
    assert.deepEqual(held({ subscriptions: [subscription('stranger', 'active')] }), [['free', 2, 'active']])
  })

  it('holds the version that the subscription began with', () => {
    assert.deepEqual(held({ subscriptions: [subscription('prod', 'active', {}, 2)] }), [['pro', 2, 'active']])
  })
})

describe('add-ons', () => {
  const extra = product('extra', [[entry(7)]], { isAddOn: true })
  const soldExtra = product('sold-extra', [[entry(7)]], { providerProductId: 'more', isAddOn: true })
  const withAddOns = catalogue([plan, pro, free, extra, soldExtra])
  const assignedExtra = { productId: 'extra', version: 1, startedAt: now - 5 }

  it('are held beside the default product and never displace it', () => {
    assert.deepEqual(held({ assignments: [assignedExtra] }, withAddOns), [
      ['extra', 1, 'active'],
      ['free', 2, 'active'],
    ])
    assert.deepEqual(held({ subscriptions: [subscription('more', 'active')] }, withAddOns), [
      ['sold-extra', 1, 'active'],
      ['free', 2, 'active'],
    ])
  })

  it('leave the default away where a main product gives access', () => {
    assert.deepEqual(held({ assignments: [assigned, assignedExtra] }, withAddOns), [
      ['plan', 1, 'active'],
      ['extra', 1, 'active'],
    ])
  })
})

describe('the default product as a fall-back', () => {
  const startOf = (usageStartedAt: number, mainEndedAt: number | undefined, fellBackAt = mainEndedAt) => {
    const { customer } = state()
    const [first] = computeHeldProducts(
      all,
      state({ customer: { ...customer, usageStartedAt, mainEndedAt, fellBackAt } }),
      now,
    )
    return [first?.startedAt, first?.fellBackAt]
  }

  it('is held since the later of usageStartedAt and the instant the last main product went', () => {
    assert.deepEqual(startOf(5, undefined), [5, undefined])
    assert.deepEqual(startOf(5, 9), [9, 9])
    assert.deepEqual(startOf(9, 5), [9, 5])
    assert.deepEqual(startOf(5, 9, 7), [9, 7])
  })

  it('is none where the default product is assigned', () => {
    const { customer } = state()
    const assignments = [{ productId: 'free', version: 1, startedAt: 7 }]
    const [only, ...rest] = computeHeldProducts(
      all,
      state({ customer: { ...customer, mainEndedAt: 6, fellBackAt: 6 }, assignments }),
      now,
    )
    assert.deepEqual([only?.startedAt, only?.fellBackAt, rest.length], [7, undefined, 0])
  })
})
