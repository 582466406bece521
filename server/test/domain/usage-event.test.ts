// When an event counts, what is the same request again, and what totals it may lead to.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { maxAmount } from '../../src/domain/amount.ts'
import {
  checkTotal,
  decideOccurredAt,
  isInRange,
  isRepeatedRecord,
  type UsageEvent,
} from '../../src/domain/ledger/usage-event.ts'
import { now, units } from './ledger-samples.ts'
import { event } from './task-samples.ts'

describe('checkTotal', () => {
  const most = maxAmount
  const rows: [what: string, before: bigint, after: bigint, allowed: boolean][] = [
    ['up to the largest amount', 0n, most, true],
    ['down to the smallest', 0n, -most, true],
    ['beyond the largest', most, most + 1n, false],
    ['beyond the smallest', -most, -most - 1n, false],
    ['from beyond, closer', most + 9n, most + 8n, true],
    ['from below, closer', -most - 9n, -most - 8n, true],
    ['from beyond, further', most + 9n, most + 10n, false],
    ['from beyond to as far below', most + 9n, -most - 9n, false],
    ['from beyond, back into the range', most + 9n, 0n, true],
  ]
  for (const [what, before, after, allowed] of rows) {
    it(`${what}: ${allowed ? 'allowed' : 'refused'}`, () => {
      if (allowed) checkTotal(before, after)
      else assert.throws(() => checkTotal(before, after), { code: 'total_out_of_range' })
    })
  }

  it('has a range that includes both of its ends', () => {
    assert.deepEqual([most, -most, most + 1n, -most - 1n].map(isInRange), [true, true, false, false])
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
  const edited = { amount: units(9), firstAmount: units(2) }
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
      assert.equal(isRepeatedRecord(event(9, { ...edited, ...more }), units(amount), at), repeated))
  }
})
