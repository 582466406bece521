// The simulator's billing cycle: periods from the anchor with month ends clamped.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Recurring } from '../src/objects.ts'
import { computeBoundary, computePeriod } from '../src/subscriptions/billing-cycle.ts'

const seconds = (date: string) => Date.parse(date) / 1000
const dates = (anchor: string, recurring: Recurring, count: number) =>
  Array.from({ length: count }, (_, n) =>
    new Date(computeBoundary(seconds(anchor), recurring, n) * 1000).toISOString().slice(0, 19),
  )

describe('a boundary', () => {
  it('clamps to the end of the month and comes back to the anchor day', () => {
    assert.deepEqual(dates('2026-01-31T23:59:59Z', { interval: 'month', interval_count: 1 }, 5), [
      '2026-01-31T23:59:59',
      '2026-02-28T23:59:59',
      '2026-03-31T23:59:59',
      '2026-04-30T23:59:59',
      '2026-05-31T23:59:59',
    ])
  })

  it('clamps a leap day, and counts several months, weeks and days', () => {
    assert.deepEqual(
      dates('2024-02-29T00:00:00Z', { interval: 'year', interval_count: 1 }, 5).at(1),
      '2025-02-28T00:00:00',
    )
    assert.deepEqual(
      dates('2024-02-29T00:00:00Z', { interval: 'year', interval_count: 1 }, 5).at(4),
      '2028-02-29T00:00:00',
    )
    assert.deepEqual(dates('2026-11-30T06:00:00Z', { interval: 'month', interval_count: 3 }, 3), [
      '2026-11-30T06:00:00',
      '2027-02-28T06:00:00',
      '2027-05-30T06:00:00',
    ])
    assert.deepEqual(
      dates('2026-03-28T06:00:00Z', { interval: 'week', interval_count: 2 }, 2).at(1),
      '2026-04-11T06:00:00',
    )
    assert.deepEqual(
      dates('2026-03-28T06:00:00Z', { interval: 'day', interval_count: 1 }, 2).at(1),
      '2026-03-29T06:00:00',
    )
  })
})

describe('a period', () => {
  it('holds its instant, half-open, before and after the anchor', () => {
    const anchor = seconds('2026-01-31T12:00:00Z')
    for (const interval of ['day', 'week', 'month', 'year'] as const) {
      for (const interval_count of [1, 3]) {
        const recurring = { interval, interval_count }
        for (let n = -30; n < 30; n++) {
          const start = computeBoundary(anchor, recurring, n)
          const end = computeBoundary(anchor, recurring, n + 1)
          assert.deepEqual(computePeriod(anchor, recurring, start), { start, end })
          assert.deepEqual(computePeriod(anchor, recurring, end - 1), { start, end })
        }
      }
    }
  })
})
