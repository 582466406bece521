// What a state lets go of, and when a bonus can be drawn on.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isExpired, isOpen, pruneState } from '../../src/domain/ledger/state.ts'
import { bonus, counter, now, startedAt, state, units } from './ledger-samples.ts'

const dayBefore = { start: Date.UTC(2026, 0, 16), end: Date.UTC(2026, 0, 17) }

describe('expiry', () => {
  it('comes with its millisecond', () => {
    for (const [expiresAt, expired] of [
      [now - 1, true],
      [now, true],
      [now + 1, false],
      [undefined, false],
    ] as const)
      assert.equal(isExpired({ expiresAt }, now), expired)
  })

  it('closes a bonus as being spent does', () => {
    assert.equal(isOpen(bonus('a', 2, { drawn: units(1) }), now), true)
    assert.equal(isOpen(bonus('a', 2, { drawn: units(2) }), now), false)
    assert.equal(isOpen(bonus('a', 2, { expiresAt: now }), now), false)
  })
})

describe('pruneState', () => {
  const full = { drawn: units(2) }
  const before = state({
    asOf: startedAt,
    counters: [counter(1, 'a1'), counter(1, 'b2', dayBefore)],
    bonuses: [bonus('a', 2, full), bonus('b', 2, full), bonus('c', 2), bonus('d', 2, { expiresAt: now })],
  })

  it('keeps what is not over, and bonuses that are open or drawn on in it', () => {
    const after = pruneState(before, now)
    assert.deepEqual([after.asOf, after.counters.length], [now, 1])
    assert.deepEqual(
      after.bonuses.map((each) => each.bonusId),
      ['a', 'c'],
    )
    assert.equal(pruneState(before, dayBefore.end).counters.length, 1)
  })

  it('returns the very state when nothing is over, so that it serves earlier times as before', () => {
    assert.equal(pruneState(before, dayBefore.end - 1), before)
  })
})
