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

describe('decideFallBack', () => {
  it('is now where the last assigned main product was removed', () => {
    assert.equal(decide({ assignments: assigned('plan') }, nothing), now)
    assert.equal(decide({ assignments: assigned('plan', 'extra') }, { assignments: assigned('extra') }), now)
  })

  it('is the end of the subscription where the provider tells it, else now', () => {
    assert.equal(decide(onPro('active'), nothing, now - 7), now - 7)
    assert.equal(decide(onPro('active'), nothing), now)
    for (const status of ['unpaid', 'paused', 'incomplete'])
      assert.equal(decide(onPro('past_due'), onPro(status)), now)
  })

  it('is the latest of those that went together', () => {
    const both = { ...onPro('active'), assignments: assigned('plan') }
    assert.equal(decide(both, nothing, now - 7), now)
    assert.equal(decide(both, { assignments: assigned('plan') }, now - 7), undefined)
  })

  it('is none while a main product gives access, and where none did', () => {
    assert.equal(decide({ assignments: assigned('plan') }, onPro('trialing')), undefined)
    assert.equal(decide({ assignments: assigned('extra') }, nothing), undefined)
    assert.equal(decide(onPro('paused'), nothing), undefined)
    assert.equal(decide(nothing, nothing), undefined)
  })

  it('is none where a subscription goes on with another product', () => {
    const [before] = onPro('active').subscriptions
    const [{ items } = { items: [] }] = [subscription('more', 'active')]
    const after = { subscriptions: [{ ...before, items }] }
    assert.equal(decide(onPro('active'), after), undefined)
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
