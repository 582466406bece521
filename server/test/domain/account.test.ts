// A customer's use of a feature at a moment: settling moves counters and bonuses together, and what is not at hand is told.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { noAllowance } from '../../src/domain/access/allowance.ts'
import {
  type Account,
  computeRemainingAt,
  settleDraws,
  withPeriods,
} from '../../src/domain/ledger/account.ts'
import { Lack, type Need, noFacts } from '../../src/domain/ledger/facts.ts'
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
  unlimited,
} from './ledger-samples.ts'
import { facts } from './task-samples.ts'

const day = { start: Date.UTC(2026, 0, 17), end: Date.UTC(2026, 0, 18) }
const monthBefore = { start: Date.UTC(2025, 11, 10), end: startedAt }

const account = (more: Parameters<typeof state>[0], rest: Partial<Account> = {}): Account => ({
  state: state(more),
  facts: noFacts,
  feature: feature(),
  allowance: limited(10),
  rule: { interval: 'month', resetAnchor: 'billing_cycle', billingAnchorAt: startedAt },
  now,
  current: month,
  eventNo: 2,
  ...rest,
})

describe('settleDraws', () => {
  it('moves counter and bonuses together', () => {
    const { state: after, moves } = settleDraws(
      account({ counters: [counter(13)], bonuses: [bonus('a', 2), bonus('b', 2)] }),
    )
    assert.equal(spell(moves), 'a2 b1')
    assert.equal(spell(after.counters[0]?.draws ?? []), 'a2 b1')
    assert.deepEqual(
      after.bonuses.map((each) => each.drawn),
      [units(2), units(1)],
    )
  })

  it('returns the very state when nothing moves', () => {
    const before = account({ counters: [counter(9), counter(9, '', day)], bonuses: [bonus('a', 2)] })
    assert.equal(settleDraws(before).state, before.state)
  })

  it('lets go of other spans that overlap, for their draws are not known', () => {
    const counters = [
      counter(13),
      counter(13, '', day),
      counter(0, '', monthBefore),
      { ...counter(0), featureNo: 2 },
    ]
    const { state: after } = settleDraws(account({ counters, bonuses: [bonus('a', 2)] }))
    assert.deepEqual(
      after.counters.map((each) => [each.featureNo, each.period]),
      [
        [1, month],
        [1, monthBefore],
        [2, month],
      ],
    )
  })

  it('leaves bonuses of other features alone', () => {
    const { moves } = settleDraws(
      account({ counters: [counter(13)], bonuses: [bonus('a', 2, { featureNo: 2 })] }),
    )
    assert.deepEqual(moves, [])
  })
})

describe('withPeriods', () => {
  const lacksOf = (each: Account, instants: number[]): readonly Need[] => {
    try {
      withPeriods(each, instants)
    } catch (error) {
      if (error instanceof Lack) return error.needs
      throw error
    }
    return []
  }
  const { customer } = state()
  const used = { customer: { ...customer, lastEventAt: now, usedFeatures: [1] } }

  it('returns the very account when all is at hand', () => {
    const before = account({ counters: [counter(1)] })
    assert.equal(withPeriods(before, [now, now + 1]), before)
  })

  it('starts at zero what is known to be empty, once', () => {
    const after = withPeriods(account({}), [now, now + 1, now])
    assert.deepEqual(after.state.counters, [counter(0)])
  })

  it('tells what is not known, all of it at once', () => {
    assert.deepEqual(lacksOf(account(used), [now, startedAt - 1]), [
      { kind: 'counter', featureNo: 1, at: now, period: month },
      { kind: 'counter', featureNo: 1, at: startedAt - 1, period: monthBefore },
    ])
  })

  it('tells of a time before the state’s own, though the period is at hand: other spans there are not', () => {
    const before = account({ ...used, counters: [counter(1)] })
    assert.deepEqual(lacksOf(before, [now - 1]), [
      { kind: 'counter', featureNo: 1, at: now - 1, period: month },
    ])
    const looked = { ...before, facts: facts({}, [now - 1]) }
    assert.equal(withPeriods(looked, [now - 1]), looked)
  })
})

describe('computeRemainingAt', () => {
  const bonuses = [bonus('a', 5, { drawn: units(1) })]
  const counters = [counter(8), counter(12, 'a1', monthBefore)]

  it('counts bonuses in the current period only', () => {
    assert.equal(computeRemainingAt(account({ counters, bonuses }), now), units(6))
    assert.equal(computeRemainingAt(account({ counters, bonuses }), startedAt - 1), 0n)
  })

  it('counts what a closed period drew as covered', () => {
    const covered = [counter(8), counter(12, 'a5', monthBefore)]
    assert.equal(computeRemainingAt(account({ counters: covered, bonuses }), startedAt - 1), units(3))
  })

  it('is nothing without access, and not told when unlimited', () => {
    assert.equal(computeRemainingAt(account({ counters, bonuses }, { allowance: noAllowance }), now), 0n)
    assert.equal(computeRemainingAt(account({ counters, bonuses }, { allowance: unlimited }), now), undefined)
  })
})
