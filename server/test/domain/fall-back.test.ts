// When a customer falls back to the default product, by truth table.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { computePeriodRule } from '../../src/domain/access/allowance.ts'
import { decideFallBack } from '../../src/domain/access/fall-back.ts'
import { computeHeldProducts } from '../../src/domain/access/held-products.ts'
import { catalogue, entry, feature, now, product, state, subscription } from './ledger-samples.ts'

const plan = product('plan', [[entry(1)]])
const extra = product('extra', [[entry(1)]], { isAddOn: true })
const pro = product('pro', [[entry(10)]], { providerProductId: 'pro' })
const soldExtra = product('sold-extra', [[entry(1)]], { providerProductId: 'more', isAddOn: true })
const free = product('free', [[entry(3), entry('denied', 'seats')]], { isDefault: true })
const all = catalogue([plan, extra, pro, soldExtra, free])

const assigned = (...productIds: string[]) =>
  productIds.map((productId) => ({ productId, version: 1, startedAt: 1 }))
const nothing = { assignments: [], subscriptions: [] }
const onPro = (status: string) => ({ assignments: [], subscriptions: [subscription('pro', status)] })
const decide = (...[before, after, ended]: [typeof nothing | object, typeof nothing | object, number?]) =>
  decideFallBack(all, { ...nothing, ...before }, { ...nothing, ...after }, now, (id) =>
    id === 'sub_pro' ? ended : undefined,
  )
const both = (at: number) => ({ mainEndedAt: at, fellBackAt: at })

describe('decideFallBack', () => {
  it('is now where the last assigned main product was removed', () => {
    assert.deepEqual(decide({ assignments: assigned('plan') }, nothing), both(now))
    const kept = { assignments: assigned('extra') }
    assert.deepEqual(decide({ assignments: assigned('plan', 'extra') }, kept), both(now))
  })

  it('is the end of the subscription where the provider tells it, else now', () => {
    assert.deepEqual(decide(onPro('active'), nothing, now - 7), both(now - 7))
    assert.deepEqual(decide(onPro('active'), nothing), both(now))
    for (const status of ['unpaid', 'paused', 'incomplete'])
      assert.deepEqual(decide(onPro('past_due'), onPro(status)), both(now))
  })

  it('is the latest of those that went together', () => {
    const two = { ...onPro('active'), assignments: assigned('plan') }
    assert.deepEqual(decide(two, nothing, now - 7), both(now))
    assert.equal(decide(two, { assignments: assigned('plan') }, now - 7), undefined)
  })

  it('is none while a main product gives access, and where none did', () => {
    assert.equal(decide({ assignments: assigned('plan') }, onPro('trialing')), undefined)
    assert.equal(decide({ assignments: assigned('extra') }, nothing), undefined)
    assert.equal(decide(onPro('paused'), nothing), undefined)
    assert.equal(decide(nothing, nothing), undefined)
  })

  it('is no cut where a subscription goes on with another product, but the end of the main one', () => {
    const [{ items } = { items: [] }] = [subscription('more', 'active')]
    const goesOn = onPro('active').subscriptions.map((each) => ({ ...each, items }))
    const swapped = { subscriptions: goesOn }
    assert.deepEqual(decide(onPro('active'), swapped), { mainEndedAt: now, fellBackAt: undefined })
    const other = { ...subscription('pro', 'active'), subscriptionId: 'sub_other' }
    const two = { subscriptions: [...onPro('active').subscriptions, other] }
    const swappedOther = { subscriptions: [{ ...other, items }] }
    assert.deepEqual(decide(two, swappedOther, now - 7), { mainEndedAt: now, fellBackAt: now - 7 })
    assert.equal(decide(swapped, nothing), undefined)
  })
})

describe('the cut of falling back', () => {
  const cutOf = (
    of: Parameters<typeof state>[0],
    key = 'calls',
    resetAnchor: 'calendar' | 'billing_cycle' = 'calendar',
  ) => {
    const { customer } = state()
    const held = computeHeldProducts(all, state({ customer: { ...customer, fellBackAt: 77 }, ...of }), now)
    const { cutAt, fellBackAt } = computePeriodRule(
      feature({ featureKey: key, usageResetAnchor: resetAnchor }),
      held,
      1,
    )
    return [cutAt, fellBackAt]
  }

  it('is made only of features that the default product grants', () => {
    assert.deepEqual(cutOf({}), [undefined, 77])
    assert.deepEqual(cutOf({}, 'seats'), [undefined, undefined])
  })

  it('is made only while the default is held as a fall-back', () => {
    assert.deepEqual(cutOf({ assignments: assigned('plan') }), [undefined, undefined])
    assert.deepEqual(cutOf({ assignments: assigned('free') }), [undefined, undefined])
  })

  it('is made beside the cut of an add-on’s subscription', () => {
    const subscriptions = [subscription('more', 'active', { startedAt: 5 })]
    assert.deepEqual(cutOf({ subscriptions }, 'calls', 'billing_cycle'), [5, 77])
  })
})
