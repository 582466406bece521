// Charts, running totals and standings, by truth tables.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { FeatureAccess } from '../../src/domain/access/feature-access.ts'
import { computeStandings } from '../../src/domain/access/standing.ts'
import { amountFromNumber } from '../../src/domain/amount.ts'
import type { Feature } from '../../src/domain/catalogue/catalogue.ts'
import { buildChart, decideRange } from '../../src/domain/statistics/chart.ts'
import { cutIntoBuckets, sumWithinPeriods } from '../../src/domain/statistics/running-total.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
// Clocks in Europe went forward in this night: a local day of 23 hours, a day of UTC as any other.
const now = Date.UTC(2026, 2, 29, 12, 34)

describe('the range of a chart', () => {
  it('has whole buckets of UTC, also in the night in which clocks change', () => {
    assert.deepEqual(decideRange('day', { from: now - dayMs, to: now }, now), {
      from: Date.UTC(2026, 2, 28),
      to: Date.UTC(2026, 2, 30),
      bucketMs: dayMs,
    })
    const hours = decideRange('hour', { from: Date.UTC(2026, 2, 29), to: Date.UTC(2026, 2, 30) }, now)
    assert.equal((hours.to - hours.from) / hourMs, 24)
  })

  it('ends with the bucket of now and has a usual length unless told', () => {
    assert.deepEqual(decideRange('hour', {}, now), {
      from: Date.UTC(2026, 2, 27, 13),
      to: Date.UTC(2026, 2, 29, 13),
      bucketMs: hourMs,
    })
  })

  it('is refused when it is empty or too long', () => {
    assert.throws(() => decideRange('day', { from: now, to: now - dayMs }, now), /from must lie before to/)
    assert.throws(() => decideRange('hour', { from: now - 63 * dayMs }, now), /at most 1488 buckets/)
  })
})

describe('a chart', () => {
  const range = { from: 0, to: 2 * hourMs, bucketMs: hourMs }

  it('names the eight largest series, and has the rest as other', () => {
    const values = Array.from({ length: 10 }, (_, index) => ({ at: 0, key: `s${index}`, value: index + 1 }))
    const { series, points } = buildChart(range, values)
    assert.deepEqual(
      series.map((each) => each.key),
      ['s9', 's8', 's7', 's6', 's5', 's4', 's3', 's2', 'other'],
    )
    assert.deepEqual([series.at(-1)?.total, points[0]?.values.other, points[1]?.values.other], [3, 3, 0])
  })

  it('has no dust of floating point, and no other where nothing is left', () => {
    const values = [
      { at: 0, key: 'a', value: 0.1 },
      { at: 0, key: 'a', value: 0.2 },
      { at: 0, key: 'other', value: 0.3 },
      { at: 0, key: 'other', value: -0.1 - 0.2 },
    ]
    assert.deepEqual(buildChart(range, values).series, [{ key: 'a', total: 0.3 }])
  })
})

describe('running totals', () => {
  it('begin anew with each period, in buckets cut at its ends', () => {
    const periods = [
      { start: 500, end: 2_500 },
      { start: 2_500, end: 5_000 },
    ]
    const buckets = cutIntoBuckets(periods, 1_000, 3_200)
    assert.deepEqual(
      buckets.map(({ start, end }) => [start, end]),
      [
        [500, 1_000],
        [1_000, 2_000],
        [2_000, 2_500],
        [2_500, 3_000],
        [3_000, 3_201],
      ],
    )
    const points = sumWithinPeriods(periods, buckets, [1, 0, 2, 4, -9], { base: 0, now: 3_200 })
    assert.deepEqual(points, [
      { at: 500, used: 0 },
      { at: 999, used: 1 },
      { at: 2_499, used: 3 },
      { at: 2_499, used: 3 },
      { at: 2_500, used: 0 },
      { at: 2_999, used: 4 },
      { at: 3_200, used: 0 },
      { at: 3_200, used: 0 },
    ])
  })
})

describe('standings', () => {
  const access = (
    featureNo: number,
    {
      limit,
      used,
      bonus = 0,
      hasAccess = true,
    }: { limit?: number; used: number; bonus?: number; hasAccess?: boolean },
  ): FeatureAccess => ({
    feature: { featureNo } as Feature,
    allowance: { hasAccess, isUnlimited: limit === undefined, limit: amountFromNumber(limit ?? 0) },
    usage: {
      used: amountFromNumber(used),
      remaining: undefined,
      bonusUsed: 0n,
      bonusRemaining: amountFromNumber(bonus),
      hasReachedLimit: false,
      nextReset: 5,
      lastReset: 1,
    },
  })
  const shares = (...list: FeatureAccess[]) =>
    computeStandings(list).map(({ featureNo, share, isHottest }) => [featureNo, share, isHottest])

  it('are shares of limit and bonuses, the largest of them the hottest', () => {
    assert.deepEqual(
      shares(access(1, { limit: 10, used: 4 }), access(2, { limit: 10, used: 9, bonus: 10 })),
      [
        [1, 0.4, false],
        [2, 0.45, true],
      ],
    )
  })

  it('have none where nothing is limited, and one where nothing may be used and was', () => {
    assert.deepEqual(shares(access(1, { used: 4 }), access(2, { limit: 0, used: 0 })), [
      [1, undefined, true],
      [2, undefined, false],
    ])
    assert.deepEqual(shares(access(1, { limit: 0, used: 3, hasAccess: false })), [[1, 1, true]])
  })

  it('are never empty, so that every customer is found by its hottest', () => {
    assert.deepEqual(shares(access(1, { limit: 0, used: 0, hasAccess: false })), [[0, undefined, true]])
  })
})
