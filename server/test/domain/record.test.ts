// Whether an amount may be recorded: beside the limit, bonuses, access, zero and the range of amounts.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { maxAmount } from '../../src/domain/amount.ts'
import type { RecordInput } from '../../src/domain/ledger/record.ts'
import { bonus, counter, startedAt, units } from './ledger-samples.ts'
import { decide, decideOne, facts, holder, plan, record } from './task-samples.ts'

const monthBefore = { start: Date.UTC(2025, 11, 10), end: startedAt }
const closed = startedAt - 1

type Given = {
  grants?: number | 'unlimited' | 'denied'
  bonus?: number
  /** The total of the month before, into which the event goes, and what was drawn there. */
  before?: [total: number, drawn: string]
}

function recordInto(total: number, amount: bigint, enforceLimit: boolean, given: Given = {}) {
  const { grants = 10, before } = given
  const counters = [counter(total), counter(...(before ?? ([0, ''] as const)), monthBefore)]
  const bonuses = given.bonus === undefined ? [] : [bonus('a', given.bonus)]
  const sent: Partial<RecordInput> = { amount, enforceLimit, sentOccurredAt: before ? closed : undefined }
  const known = facts({}, before ? [closed] : [])
  return decideOne(holder({ counters, bonuses }), record('e', 0, sent), {
    facts: known,
    catalogue: plan(grants),
  })
}

describe('an amount', () => {
  const rows: [
    what: string,
    total: number,
    given: Given,
    amount: number,
    enforced: boolean,
    refusal: string | undefined,
  ][] = [
    ['over the limit, not enforced', 10, {}, 5, false, undefined],
    ['what just fits', 8, {}, 2, true, undefined],
    ['what does not fit whole', 8, {}, 2.000001, true, 'limit_reached'],
    ['nothing, at the limit', 10, {}, 0, true, undefined],
    ['giving back, over the limit', 30, {}, -1, true, undefined],
    ['into a bonus', 10, { bonus: 5 }, 5, true, undefined],
    ['beyond a bonus', 10, { bonus: 5 }, 5.1, true, 'limit_reached'],
    [
      'into a closed period, whatever bonuses there are',
      0,
      { bonus: 5, before: [10, ''] },
      1,
      true,
      'limit_reached',
    ],
    ['into a closed period whose draws covered usage', 0, { before: [12, 'a5'] }, 3, true, undefined],
    ['beyond what draws covered in a closed period', 0, { before: [12, 'a5'] }, 3.1, true, 'limit_reached'],
    ['without access', 0, { grants: 'denied' }, 1, true, 'no_access'],
    ['nothing, without access', 0, { grants: 'denied' }, 0, true, 'no_access'],
    ['giving back, without access', 5, { grants: 'denied' }, -1, true, undefined],
    ['without access, not enforced', 0, { grants: 'denied' }, 1, false, undefined],
    ['unlimited', 99, { grants: 'unlimited' }, 1e9, true, undefined],
    ['below zero', 1, {}, -1.000001, false, 'below_zero'],
    ['below zero, enforced and without access', 1, { grants: 'denied' }, -2, true, 'below_zero'],
    ['to zero', 1, {}, -1, false, undefined],
    ['back towards zero from below', -5, {}, 2, false, undefined],
    ['from below zero, further down', -5, {}, -1, false, 'below_zero'],
    ['too much altogether, but refused already', 1, {}, 1e12, true, 'limit_reached'],
  ]
  for (const [what, total, given, amount, enforced, refusal] of rows) {
    it(`${what}: ${refusal ?? 'may be added'}`, () => {
      const { outcome, change } = recordInto(total, units(amount), enforced, given)
      assert.deepEqual([outcome.reason, outcome.applied], [refusal, refusal === undefined])
      assert.equal(change.insertedEvents.length, refusal === undefined ? 1 : 0)
    })
  }

  it('may not take a total out of the range of amounts', () => {
    assert.throws(() => recordInto(1, maxAmount, false), { code: 'total_out_of_range' })
    assert.equal(recordInto(0, maxAmount, false).outcome.applied, true)
  })

  it('may bring a total closer that re-sorting put beyond the range, but no further', () => {
    const beyond = 2e12
    assert.equal(recordInto(beyond, units(-1), false).outcome.applied, true)
    assert.throws(() => recordInto(beyond, units(1), false), { code: 'total_out_of_range' })
  })

  it('that several want whole goes to as many as it fits', () => {
    const tasks = ['a', 'b', 'c'].map((key) => record(key, 4, { enforceLimit: true }))
    const { outcomes } = decide(holder({ counters: [counter(2)] }), tasks)
    assert.deepEqual(
      outcomes.map((outcome) => 'applied' in outcome && outcome.reason),
      [undefined, undefined, 'limit_reached'],
    )
  })
})
