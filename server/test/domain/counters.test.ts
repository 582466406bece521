// Counters of a state: those that contain the instant follow, and what is not at hand is known to be empty or not known.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  addToCounters,
  findCounter,
  findOrStartCounter,
  getCounter,
  overlapsOther,
  withCounters,
} from '../../src/domain/ledger/counters.ts'
import { bonus, counter, month, now, startedAt, state, units } from './ledger-samples.ts'

const day = { start: Date.UTC(2026, 0, 17), end: Date.UTC(2026, 0, 18) }
const dayBefore = { start: Date.UTC(2026, 0, 16), end: Date.UTC(2026, 0, 17) }
const monthBefore = { start: Date.UTC(2025, 11, 10), end: startedAt }

describe('addToCounters', () => {
  it('reaches every span of the feature that contains the instant, to the millisecond', () => {
    const before = state({
      counters: [
        counter(1),
        counter(2, '', day),
        counter(3, '', dayBefore),
        { ...counter(4), featureNo: 2 },
        counter(5, '', monthBefore),
      ],
    })
    const totals = (at: number) =>
      addToCounters(before, 1, at, units(10)).counters.map(({ total }) => Number(total / 1_000_000n))
    assert.deepEqual(totals(now), [11, 12, 3, 4, 5])
    assert.deepEqual(totals(day.start), [11, 12, 3, 4, 5])
    assert.deepEqual(totals(day.start - 1), [11, 2, 13, 4, 5])
    assert.deepEqual(totals(startedAt), [11, 2, 3, 4, 5])
    assert.deepEqual(totals(startedAt - 1), [1, 2, 3, 4, 15])
  })

  it('returns the very state for nothing, and keeps the very counters that it does not reach', () => {
    const before = state({ counters: [counter(1), counter(5, '', monthBefore)] })
    assert.equal(addToCounters(before, 1, now, 0n), before)
    assert.equal(addToCounters(before, 1, now, 1n).counters[1], before.counters[1])
  })
})

describe('overlapsOther', () => {
  it('is false for the period itself and for its neighbours', () => {
    for (const [period, expected] of [
      [month, false],
      [monthBefore, false],
      [{ start: month.end, end: month.end + 1 }, false],
      [day, true],
      [{ start: startedAt - 1, end: startedAt + 1 }, true],
      [{ start: month.start, end: month.end + 1 }, true],
    ] as const)
      assert.equal(overlapsOther(counter(0, '', period), 1, month), expected)
    assert.equal(overlapsOther({ ...counter(0, '', day), featureNo: 2 }, 1, month), false)
  })
})

describe('withCounters', () => {
  it('brings the bonuses that the draws are on, once and unless they are known', () => {
    const known = bonus('a', 2, { drawn: units(1) })
    const after = withCounters(
      state({ bonuses: [known] }),
      [counter(1), counter(2, '', day)],
      [bonus('a', 2), bonus('b', 2), bonus('b', 3)],
    )
    assert.equal(after.counters.length, 2)
    assert.deepEqual(
      after.bonuses.map((each) => [each.bonusId, each.amount, each.drawn]),
      [
        ['a', units(2), units(1)],
        ['b', units(2), 0n],
      ],
    )
  })

  it('returns the very state when there is nothing to bring', () => {
    const before = state()
    assert.equal(withCounters(before, [], [bonus('a', 1)]), before)
  })
})

describe('finding a counter', () => {
  it('goes by feature and the whole span', () => {
    const before = state({ counters: [{ ...counter(9), featureNo: 2 }, counter(8, '', day), counter(7)] })
    assert.equal(getCounter(before, 1, month).total, units(7))
    assert.equal(findCounter(before, 1, { ...month, end: month.end - 1 }), undefined)
  })

  it('throws rather than guess when there is none', () => {
    assert.throws(() => getCounter(state(), 1, month), /the counter of feature 1 from \d+ is not at hand/)
  })
})

describe('a counter that is not at hand', () => {
  const { customer } = state()
  const lastAt = (lastEventAt: number | undefined, usedFeatures = [1]) =>
    state({ customer: { ...customer, lastEventAt, usedFeatures } })

  it('is zero where nothing can be in it', () => {
    for (const before of [lastAt(undefined), lastAt(startedAt - 1), lastAt(now, [2])])
      assert.deepEqual(findOrStartCounter(before, 1, month), counter(0))
  })

  it('is not known where there may be something, to the millisecond', () => {
    for (const before of [lastAt(startedAt), lastAt(now), lastAt(month.end)])
      assert.equal(findOrStartCounter(before, 1, month), undefined)
  })

  it('is never started beside one that is', () => {
    assert.equal(findOrStartCounter(state({ counters: [counter(5)] }), 1, month)?.total, units(5))
  })
})
