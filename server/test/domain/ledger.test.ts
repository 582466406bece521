// What writes do to a customer's state: counters that contain the instant follow, draws are settled, what is over is let go.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  addToCounters,
  overlapsOther,
  pruneState,
  settleDraws,
  withCounter,
} from '../../src/domain/ledger/counters.ts'
import {
  bonus,
  counter,
  feature,
  limited,
  month,
  now,
  spell,
  startedAt,
  state,
  units,
} from './ledger-samples.ts'

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
})

describe('settleDraws', () => {
  const tracked = { feature: feature(), allowance: limited(10), period: month }

  it('moves counter and bonuses together', () => {
    const before = state({ counters: [counter(13)], bonuses: [bonus('a', 2), bonus('b', 2)] })
    const { state: after, moves } = settleDraws(before, tracked, now)
    assert.equal(spell(moves), 'a2 b1')
    assert.equal(spell(after.counters[0]?.draws ?? []), 'a2 b1')
    assert.deepEqual(
      after.bonuses.map((each) => each.drawn),
      [units(2), units(1)],
    )
  })

  it('returns the very state when nothing moves', () => {
    const before = state({ counters: [counter(9), counter(9, '', day)], bonuses: [bonus('a', 2)] })
    assert.equal(settleDraws(before, tracked, now).state, before)
  })

  it('lets go of other spans that overlap, for their draws are not known', () => {
    const counters = [
      counter(13),
      counter(13, '', day),
      counter(0, '', monthBefore),
      { ...counter(0), featureNo: 2 },
    ]
    const { state: after } = settleDraws(state({ counters, bonuses: [bonus('a', 2)] }), tracked, now)
    assert.deepEqual(
      after.counters.map((each) => [each.featureNo, each.period]),
      [
        [1, month],
        [1, monthBefore],
        [2, month],
      ],
    )
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

describe('withCounter', () => {
  it('brings the bonuses that the draws are on, unless they are known', () => {
    const known = bonus('a', 2, { drawn: units(1) })
    const after = withCounter(state({ bonuses: [known] }), counter(1), [bonus('a', 2), bonus('b', 2)])
    assert.deepEqual(
      after.bonuses.map((each) => [each.bonusId, each.drawn]),
      [
        ['a', units(1)],
        ['b', 0n],
      ],
    )
  })
})

describe('pruneState', () => {
  it('keeps what is not over, and bonuses that are open or drawn on in it', () => {
    const full = { drawn: units(2) }
    const before = state({
      asOf: startedAt,
      counters: [counter(1, 'a1'), counter(1, 'b2', dayBefore)],
      bonuses: [bonus('a', 2, full), bonus('b', 2, full), bonus('c', 2), bonus('d', 2, { expiresAt: now })],
    })
    const after = pruneState(before, now)
    assert.deepEqual([after.asOf, after.counters.length], [now, 1])
    assert.deepEqual(
      after.bonuses.map((each) => each.bonusId),
      ['a', 'c'],
    )
    assert.equal(pruneState(before, dayBefore.end - 1), before)
  })
})
