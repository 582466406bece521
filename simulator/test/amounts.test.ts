// What a change of a subscription costs, by hand-worked examples.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { StoredItem, StoredPrice, StoredSubscription } from '../src/objects.ts'
import { computeProration, selectDueNow } from '../src/subscriptions/amounts.ts'

const at = (date: string) => Date.parse(date) / 1000
const start = at('2026-04-01T00:00:00Z')
const end = at('2026-05-01T00:00:00Z')

const price = (id: string, amount: string, interval: 'month' | 'year' = 'month') =>
  ({ id, unit_amount_decimal: amount, recurring: { interval, interval_count: 1 } }) as StoredPrice
const prices = new Map(
  [price('basic', '1000'), price('pro', '3000'), price('year', '12000', 'year')].map((one) => [one.id, one]),
)

const item = (id: string, priceId: string, quantity: number | undefined, period = { start, end }) =>
  ({
    id,
    price: priceId,
    ...(quantity !== undefined && { quantity }),
    current_period_start: period.start,
    current_period_end: period.end,
  }) as StoredItem
const holding = (items: StoredItem[], fields: Partial<StoredSubscription> = {}) =>
  ({ status: 'active', billing_cycle_anchor: start, items: { data: items }, ...fields }) as StoredSubscription

const amounts = (before: StoredSubscription, after: StoredSubscription, now: number) =>
  computeProration(before, after, prices, now).map((line) => line.amount)

describe('a change', () => {
  const basic = holding([item('si_1', 'basic', 1)])
  const third = at('2026-04-11T00:00:00Z')

  it('gives back the unused time and charges the time that is left', () => {
    assert.deepEqual(amounts(basic, holding([item('si_1', 'pro', 2)]), third), [-667, 4_000])
    assert.deepEqual(amounts(basic, holding([item('si_1', 'pro', 1)]), start), [-1_000, 3_000])
    assert.deepEqual(amounts(basic, holding([item('si_1', 'pro', 1)]), end), [0, 0])
  })

  it('of nothing costs nothing, and of a trial neither', () => {
    assert.deepEqual(amounts(basic, basic, third), [])
    const trial = { status: 'trialing' as const }
    const [was, becomes] = [
      holding([item('si_1', 'basic', 1)], trial),
      holding([item('si_1', 'pro', 1)], trial),
    ]
    assert.deepEqual(amounts(was, becomes, third), [])
  })

  it('to another interval charges the whole new period', () => {
    const year = { start: third, end: at('2027-04-11T00:00:00Z') }
    const after = holding([item('si_1', 'year', 1, year)], { billing_cycle_anchor: third })
    assert.deepEqual(amounts(basic, after, third), [-667, 12_000])
  })

  it('that adds or removes an item is prorated over the whole period', () => {
    const both = holding([item('si_1', 'basic', 1), item('si_2', 'pro', 1, { start: third, end })])
    assert.deepEqual(amounts(basic, both, third), [2_000])
    assert.deepEqual(amounts(both, basic, third), [-2_000])
    const metered = holding([item('si_1', 'basic', 1), item('si_3', 'pro', undefined)])
    assert.deepEqual(amounts(basic, metered, third), [0])
  })

  it('is due at once as its behavior says', () => {
    const select = (after: StoredSubscription, behavior: 'none' | 'create_prorations' | 'always_invoice') =>
      selectDueNow(computeProration(basic, after, prices, third), behavior).map((line) => line.amount)
    const same = holding([item('si_1', 'pro', 1)])
    assert.deepEqual(select(same, 'none'), [])
    assert.deepEqual(select(same, 'create_prorations'), [])
    assert.deepEqual(select(same, 'always_invoice'), [-667, 2_000])
    const year = { start: third, end: at('2027-04-11T00:00:00Z') }
    const anew = holding([item('si_1', 'year', 1, year)], { billing_cycle_anchor: third })
    assert.deepEqual(select(anew, 'none'), [12_000])
    assert.deepEqual(select(anew, 'create_prorations'), [-667, 12_000])
  })
})
