// What products held together allow, and which anchor divides usage into periods.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { computeAllowance, computePeriodRule } from '../../src/domain/access/allowance.ts'
import { computeHeldProducts } from '../../src/domain/access/held-products.ts'
import {
  catalogue,
  entry,
  feature,
  now,
  product,
  startedAt,
  state,
  subscription,
  units,
} from './ledger-samples.ts'

type Grant = number | 'unlimited' | 'denied'

function heldOf(grants: Grant[]) {
  const products = grants.map((grant, index) => product(`p${index}`, [[entry(grant)]]))
  const assignments = products.map(({ productId }) => ({ productId, version: 1, startedAt }))
  return computeHeldProducts(catalogue(products), state({ assignments }), now)
}

describe('computeAllowance', () => {
  const rows: [grants: Grant[], hasAccess: boolean, isUnlimited: boolean, limit: number][] = [
    [[], false, false, 0],
    [['denied'], false, false, 0],
    [[0], true, false, 0],
    [[10], true, false, 10],
    [[10, 2.5], true, false, 12.5],
    [[10, 'denied'], true, false, 10],
    [['unlimited'], true, true, 0],
    [[10, 'unlimited'], true, true, 10],
  ]
  for (const [grants, hasAccess, isUnlimited, limit] of rows) {
    it(`of ${JSON.stringify(grants)}`, () => {
      assert.deepEqual(computeAllowance(heldOf(grants), 'calls'), {
        hasAccess,
        isUnlimited,
        limit: units(limit),
      })
    })
  }

  it('counts the same product bought twice twice, and a quantity not at all', () => {
    const pro = product('pro', [[entry(10)]], { providerProductId: 'prod' })
    const subscriptions = ['one', 'two'].map((subscriptionId) => ({
      ...subscription('prod', 'active'),
      subscriptionId,
    }))
    const held = computeHeldProducts(catalogue([pro]), state({ subscriptions }), now)
    assert.equal(computeAllowance(held, 'calls').limit, units(20))
  })

  it('takes nothing from a subscription that gives no access', () => {
    const pro = product('pro', [[entry(10)]], { providerProductId: 'prod' })
    for (const [status, hasAccess] of [
      ['trialing', true],
      ['active', true],
      ['past_due', true],
      ['unpaid', false],
      ['paused', false],
      ['incomplete', false],
      ['incomplete_expired', false],
      ['canceled', false],
    ] as const) {
      const held = computeHeldProducts(
        catalogue([pro]),
        state({ subscriptions: [subscription('prod', status)] }),
        now,
      )
      assert.equal(computeAllowance(held, 'calls').hasAccess, hasAccess, status)
    }
  })
})

describe('computePeriodRule', () => {
  const pro = product('pro', [[entry(10)]], { providerProductId: 'pro' })
  const team = product('team', [[entry(10)]], { providerProductId: 'team' })
  const other = product('other', [[entry(10, 'mails')]], { providerProductId: 'other' })
  const ruleOf = (subscriptions: ReturnType<typeof subscription>[]) =>
    computePeriodRule(
      feature(),
      computeHeldProducts(catalogue([pro, team, other]), state({ subscriptions }), now),
      startedAt,
    )

  it('counts from usageStartedAt without a subscription', () => {
    assert.deepEqual(ruleOf([]), {
      interval: 'month',
      resetAnchor: 'billing_cycle',
      billingAnchorAt: startedAt,
      fellBackAt: undefined,
    })
  })

  it('counts from the anchor of the oldest subscription that grants the feature, cut at its start', () => {
    const { billingAnchorAt, cutAt } = ruleOf([
      subscription('other', 'active', { startedAt: 1, billingAnchorAt: 2 }),
      subscription('pro', 'canceled', { startedAt: 3, billingAnchorAt: 4 }),
      subscription('team', 'trialing', { startedAt: 20, billingAnchorAt: 30 }),
      subscription('pro', 'active', { startedAt: 5, billingAnchorAt: 6 }),
    ])
    assert.deepEqual([billingAnchorAt, cutAt], [6, 5])
  })
})

describe('units', () => {
  const seats = product('seats', [[entry(5)]], { providerProductId: 'seats', limitsPerUnit: true })
  const sample = subscription('seats', 'active').items
  const item = (itemId: string, quantity: number, isMetered = false) =>
    ({ ...sample[0], itemId, quantity, isMetered }) as (typeof sample)[number]
  const limitOf = (items: typeof sample, from = seats) =>
    computeAllowance(
      computeHeldProducts(
        catalogue([from]),
        state({ subscriptions: [subscription('seats', 'active', { items })] }),
        now,
      ),
      'calls',
    ).limit

  it('multiplies a limit by the sum over licensed items', () => {
    assert.equal(limitOf([item('a', 3), item('b', 4)]), units(35))
    assert.equal(limitOf([item('a', 3), item('b', 400, true)]), units(15))
  })

  it('multiplies by one where all items are metered, and nothing without limitsPerUnit', () => {
    assert.equal(limitOf([item('a', 9, true)]), units(5))
    assert.equal(limitOf([item('a', 9)], { ...seats, limitsPerUnit: false }), units(5))
  })

  it('gives a limit of 0 for a quantity of 0, and never more than the largest amount', () => {
    assert.equal(limitOf([item('a', 0)]), 0n)
    assert.equal(limitOf([item('a', 1e12)]), units(1e12))
  })

  it('counts each subscription by itself', () => {
    const [one, two] = [1, 2].map((quantity) =>
      subscription('seats', 'active', { subscriptionId: `${quantity}`, items: [item('a', quantity)] }),
    )
    const held = computeHeldProducts(
      catalogue([seats]),
      state({ subscriptions: [one, two].flatMap((each) => each ?? []) }),
      now,
    )
    assert.equal(computeAllowance(held, 'calls').limit, units(15))
  })
})
