// How long whoever fails to sign in waits.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  type Attempts,
  countAttempt,
  forgottenAfterMs,
  takeBackAttempt,
} from '../../src/domain/people/throttle.ts'

const rule = { free: 3, longestMs: 10_000 }

/** Tries as soon as it may, so often; returns how long each had to wait. */
function tryAgain(times: number): { waits: number[]; attempts: Attempts } {
  let now = 1_000_000
  let attempts: Attempts | undefined
  const waits: number[] = []
  for (let index = 0; index < times; index++) {
    const first = countAttempt(attempts, rule, now)
    const waitMs = 'waitMs' in first ? first.waitMs : 0
    waits.push(waitMs)
    now += waitMs
    const decision = countAttempt(attempts, rule, now)
    assert.ok('counted' in decision)
    attempts = decision.counted
  }
  return { waits, attempts: attempts as Attempts }
}

describe('countAttempt', () => {
  it('lets some go, then makes each wait twice as long up to a bound', () => {
    assert.deepEqual(tryAgain(9).waits, [0, 0, 0, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000])
  })

  it('does not count whoever has to wait', () => {
    const before = { attempts: 9, lastAt: 100, blockedUntil: 200 }
    assert.deepEqual(countAttempt(before, rule, 150), { waitMs: 50 })
    assert.deepEqual(countAttempt(before, rule, 200), {
      counted: { attempts: 10, lastAt: 200, blockedUntil: 200 + 10_000 },
    })
  })

  it('forgets after an hour', () => {
    const before = { attempts: 9, lastAt: 0, blockedUntil: 0 }
    const decision = countAttempt(before, rule, forgottenAfterMs)
    assert.deepEqual(decision, {
      counted: { attempts: 1, lastAt: forgottenAfterMs, blockedUntil: forgottenAfterMs },
    })
  })
})

describe('takeBackAttempt', () => {
  it('leaves what others failed', () => {
    const blocked = { attempts: 5, lastAt: 100, blockedUntil: 900 }
    assert.deepEqual(takeBackAttempt(blocked, rule), { attempts: 4, lastAt: 100, blockedUntil: 900 })
    const last = { attempts: 3, lastAt: 100, blockedUntil: 900 }
    assert.deepEqual(takeBackAttempt(last, rule), { attempts: 2, lastAt: 100, blockedUntil: 0 })
  })
})
