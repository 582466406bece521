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
