// Whether an amount may be added, when it counts, and what is the same request again.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { noAllowance } from '../../src/domain/access/allowance.ts'
import { maxAmount } from '../../src/domain/amount.ts'
import {
  checkTotal,
  decideOccurredAt,
  findRefusal,
  isRepeatedRecord,
  type PeriodStanding,
  type UsageEvent,
} from '../../src/domain/ledger/usage-event.ts'
import { bonus, counter, limited, now, units, unlimited } from './ledger-samples.ts'

const standing = (total: number, more: Partial<PeriodStanding> = {}): PeriodStanding => ({
  allowance: limited(10),
  counter: counter(total),
  bonuses: [],
  now,
  ...more,
})

describe('findRefusal', () => {
  const five = [bonus('a', 5)]
  const rows: [
    what: string,
    PeriodStanding,
    amount: number,
    enforced: boolean,
    refusal: string | undefined,
  ][] = [
    ['over the limit, not enforced', standing(10), 5, false, undefined],
    ['what just fits', standing(8), 2, true, undefined],
    ['what does not fit whole', standing(8), 2.000001, true, 'limit_reached'],
    ['nothing, at the limit', standing(10), 0, true, undefined],
    ['giving back, over the limit', standing(30), -1, true, undefined],
    ['into a bonus', standing(10, { bonuses: five }), 5, true, undefined],
    ['beyond a bonus', standing(10, { bonuses: five }), 5.1, true, 'limit_reached'],
    [
      'into a closed period, whatever bonuses there are',
      standing(10, { bonuses: undefined }),
      1,
      true,
      'limit_reached',
    ],
    [
      'into a closed period whose draws covered usage',
      standing(12, { counter: counter(12, 'a5'), bonuses: undefined }),
      3,
      true,
      undefined,
    ],
    ['without access', standing(0, { allowance: noAllowance }), 1, true, 'no_access'],
    ['nothing, without access', standing(0, { allowance: noAllowance }), 0, true, undefined],
    ['unlimited', standing(99, { allowance: unlimited }), 1e9, true, undefined],
    ['below zero', standing(1), -1.000001, false, 'below_zero'],
    ['to zero', standing(1), -1, false, undefined],
    ['back towards zero from below', standing(-5), 2, false, undefined],
    ['from below zero, further down', standing(-5), -1, false, 'below_zero'],
    ['too much altogether, but refused already', standing(1), 1e12, true, 'limit_reached'],
  ]
  for (const [what, each, amount, enforced, refusal] of rows) {
    it(`${what}: ${refusal ?? 'may be added'}`, () => {
      assert.equal(findRefusal(each, units(amount), enforced), refusal)
    })
  }

  it('throws when the total would leave the range of amounts', () => {
    assert.throws(() => findRefusal(standing(1), maxAmount, false), { code: 'total_out_of_range' })
    assert.throws(() => checkTotal(-maxAmount - 1n), { code: 'total_out_of_range' })
    checkTotal(maxAmount)
    checkTotal(-maxAmount)
  })
})

describe('decideOccurredAt', () => {
  const rows: [sent: number | undefined, expected: number][] = [
    [undefined, now],
    [now - 1, now - 1],
    [now, now],
    [now + 1, now],
    [now + 300_000, now],
  ]
  for (const [sent, expected] of rows) {
    it(`takes ${sent === undefined ? 'nothing' : `now ${sent - now >= 0 ? '+' : '−'} ${Math.abs(sent - now)} ms`}`, () =>
      assert.equal(decideOccurredAt(sent, now), expected))
  }
  it('refuses more than 5 minutes ahead', () =>
    assert.throws(() => decideOccurredAt(now + 300_001, now), { kind: 'invalid' }))
})

describe('isRepeatedRecord', () => {
  const event = (more: Partial<UsageEvent>): UsageEvent => ({
    featureNo: 1,
    keyHash: 'k',
    eventNo: 1,
    occurredAt: now,
    amount: units(9),
    firstAmount: units(2),
    sentUsed: undefined,
    sentOccurredAt: undefined,
    eventKey: 'k',
    metadata: {},
    deletedAt: undefined,
    ...more,
  })
  const rows: [
    what: string,
    Partial<UsageEvent>,
    amount: number,
    at: number | undefined,
    repeated: boolean,
  ][] = [
    ['the first amount, however it was edited', {}, 2, undefined, true],
    ['the edited amount', {}, 9, undefined, false],
    ['a set', { sentUsed: units(2) }, 2, undefined, false],
    ['a time where none was sent', {}, 2, now - 1, true],
    ['no time where one was sent', { sentOccurredAt: now - 1 }, 2, undefined, true],
    ['the same time', { sentOccurredAt: now - 1 }, 2, now - 1, true],
    ['another time', { sentOccurredAt: now - 1 }, 2, now - 2, false],
    ['a deleted event', { deletedAt: now }, 2, undefined, true],
  ]
  for (const [what, more, amount, at, repeated] of rows) {
    it(`${what}: ${repeated ? 'the same again' : 'another one'}`, () =>
      assert.equal(isRepeatedRecord(event(more), units(amount), at), repeated))
  }
})
