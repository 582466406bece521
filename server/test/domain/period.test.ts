// Usage periods by truth table, and the laws every period keeps whatever the anchor.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import {
  allTime,
  calendarAnchorAt,
  computePeriod,
  computeUsagePeriod,
  type ResetInterval,
  resetIntervals,
} from '../../src/domain/access/period.ts'

const ms = (text: string) => Date.parse(text.includes('T') ? `${text}Z` : `${text}T00:00:00Z`)
const text = (at: number) => new Date(at).toISOString().replace('T00:00:00.000Z', '').replace('Z', '')
const shown = (period: { start: number; end: number }) => [text(period.start), text(period.end)]

describe('computePeriod', () => {
  const table: [ResetInterval, string, string, string, string][] = [
    ['month', '2026-01-31', '2026-01-31', '2026-01-31', '2026-02-28'],
    ['month', '2026-01-31', '2026-02-27T23:59:59.999', '2026-01-31', '2026-02-28'],
    ['month', '2026-01-31', '2026-02-28', '2026-02-28', '2026-03-31'],
    ['month', '2026-01-31', '2026-03-30T23:59:59.999', '2026-02-28', '2026-03-31'],
    ['month', '2026-01-31', '2026-03-31', '2026-03-31', '2026-04-30'],
    ['month', '2028-01-31', '2028-02-29', '2028-02-29', '2028-03-31'],
    ['month', '2028-01-30', '2028-03-01', '2028-02-29', '2028-03-30'],
    ['month', '2026-03-31', '2026-02-28', '2026-02-28', '2026-03-31'],
    ['month', '2026-03-31', '2026-02-27T23:59:59.999', '2026-01-31', '2026-02-28'],
    ['month', '2026-03-31', '2025-11-29', '2025-10-31', '2025-11-30'],
    [
      'month',
      '2026-05-15T10:20:30.456',
      '2026-06-15T10:20:30.455',
      '2026-05-15T10:20:30.456',
      '2026-06-15T10:20:30.456',
    ],
    [
      'month',
      '2026-05-15T10:20:30.456',
      '2026-06-15T10:20:30.456',
      '2026-06-15T10:20:30.456',
      '2026-07-15T10:20:30.456',
    ],
    ['month', '2026-12-31', '2027-01-05', '2026-12-31', '2027-01-31'],
    ['quarter', '2025-11-30', '2026-02-28', '2026-02-28', '2026-05-30'],
    ['quarter', '2025-11-30', '2025-08-29', '2025-05-30', '2025-08-30'],
    ['quarter', '2026-01-31', '2026-04-30', '2026-04-30', '2026-07-31'],
    ['year', '2024-02-29', '2025-02-28', '2025-02-28', '2026-02-28'],
    ['year', '2024-02-29', '2025-02-27T23:59:59.999', '2024-02-29', '2025-02-28'],
    ['year', '2024-02-29', '2028-02-28', '2027-02-28', '2028-02-29'],
    ['year', '2024-02-29', '2028-02-29', '2028-02-29', '2029-02-28'],
    ['year', '2024-02-29', '2023-03-01', '2023-02-28', '2024-02-29'],
    [
      'hour',
      '2026-01-01T00:30:00.001',
      '2026-01-01T01:30',
      '2026-01-01T00:30:00.001',
      '2026-01-01T01:30:00.001',
    ],
    [
      'hour',
      '2026-01-01T00:30',
      '2025-12-31T23:29:59.999',
      '2025-12-31T22:30:00.000',
      '2025-12-31T23:30:00.000',
    ],
    [
      'day',
      '2026-01-01T06:00',
      '2026-03-29T05:59:59.999',
      '2026-03-28T06:00:00.000',
      '2026-03-29T06:00:00.000',
    ],
    ['week', '2026-01-01', '2026-01-08', '2026-01-08', '2026-01-15'],
    ['week', '2026-01-01', '2025-12-31', '2025-12-25', '2026-01-01'],
  ]
  for (const [interval, anchor, at, start, end] of table) {
    it(`${interval} from ${anchor}: ${at} lies in ${start} to ${end}`, () => {
      assert.deepEqual(shown(computePeriod(interval, ms(anchor), ms(at))), [start, end])
    })
  }

  it('is one period over all time when nothing resets', () => {
    assert.equal(computePeriod('never', ms('2026-01-01'), ms('2000-01-01')), allTime)
    assert.ok(Number.isSafeInteger(allTime.start) && Number.isSafeInteger(allTime.end))
  })

  it('answers the same after more months than it remembers', () => {
    const ask = () => computePeriod('month', ms('2026-01-31'), ms('2026-03-10'))
    const first = ask()
    for (let step = 1; step < 6000; step++) {
      const at = ms('2026-03-10') + step * 30 * 86_400_000
      assert.equal(new Date(computePeriod('month', ms('2026-01-01'), at).start).getUTCDate(), 1)
    }
    assert.deepEqual(ask(), first)
  })
})

describe('computeUsagePeriod', () => {
  const calendar: [ResetInterval, string, string][] = [
    ['hour', '2026-08-19T13:00:00.000', '2026-08-19T14:00:00.000'],
    ['day', '2026-08-19', '2026-08-20'],
    ['week', '2026-08-17', '2026-08-24'],
    ['month', '2026-08-01', '2026-09-01'],
    ['quarter', '2026-07-01', '2026-10-01'],
    ['year', '2026-01-01', '2027-01-01'],
  ]
  for (const [interval, start, end] of calendar) {
    it(`calendar ${interval} ignores the billing anchor and the cut`, () => {
      const rule = {
        interval,
        resetAnchor: 'calendar',
        billingAnchorAt: 12_345,
        cutAt: ms('2026-08-19T13:01'),
      } as const
      assert.deepEqual(shown(computeUsagePeriod(rule, ms('2026-08-19T13:45'))), [start, end])
    })
  }

  // A trial from 5 to 19 January: the billing anchor lies in the future of the start.
  const trial = {
    interval: 'month',
    resetAnchor: 'billing_cycle',
    billingAnchorAt: ms('2026-01-19'),
    cutAt: ms('2026-01-05'),
  } as const
  for (const [at, start, end] of [
    ['2025-12-18T23:59:59.999', '2025-11-19', '2025-12-19'],
    ['2025-12-19', '2025-12-19', '2026-01-05'],
    ['2026-01-04T23:59:59.999', '2025-12-19', '2026-01-05'],
    ['2026-01-05', '2026-01-05', '2026-01-19'],
    ['2026-01-18T23:59:59.999', '2026-01-05', '2026-01-19'],
    ['2026-01-19', '2026-01-19', '2026-02-19'],
  ] as const) {
    it(`cuts the period around the subscription's start: ${at} lies in ${start} to ${end}`, () => {
      assert.deepEqual(shown(computeUsagePeriod(trial, ms(at))), [start, end])
    })
  }

  it('cuts nothing where the start is a boundary already, nor a period that never ends', () => {
    const cutAt = ms('2026-01-19')
    assert.deepEqual(shown(computeUsagePeriod({ ...trial, cutAt }, cutAt)), ['2026-01-19', '2026-02-19'])
    assert.deepEqual(shown(computeUsagePeriod({ ...trial, cutAt }, cutAt - 1)), ['2025-12-19', '2026-01-19'])
    assert.equal(computeUsagePeriod({ ...trial, interval: 'never' }, cutAt), allTime)
  })
})

describe('every period', () => {
  const instant = fc.integer({ min: ms('2000-01-01'), max: ms('2101-01-01') - 1 })
  const interval = fc.constantFrom(...resetIntervals.filter((name) => name !== 'never'))

  it('is cut where the customer fell back, of the calendar too, and never where nothing resets', () => {
    const rule = { interval: 'month', resetAnchor: 'calendar', billingAnchorAt: 0 } as const
    const fellBackAt = ms('2026-01-20')
    assert.deepEqual(shown(computeUsagePeriod({ ...rule, fellBackAt }, fellBackAt)), [
      '2026-01-20',
      '2026-02-01',
    ])
    assert.deepEqual(shown(computeUsagePeriod({ ...rule, fellBackAt }, fellBackAt - 1)), [
      '2026-01-01',
      '2026-01-20',
    ])
    assert.equal(computeUsagePeriod({ ...rule, interval: 'never', fellBackAt }, fellBackAt), allTime)
  })

  it('is cut at the start of a subscription and where the customer fell back', () => {
    const rule = {
      interval: 'month',
      resetAnchor: 'billing_cycle',
      billingAnchorAt: ms('2026-01-01'),
      cutAt: ms('2026-01-10'),
      fellBackAt: ms('2026-01-20'),
    } as const
    const spans = ['2026-01-05', '2026-01-15', '2026-01-25'].map((at) =>
      shown(computeUsagePeriod(rule, ms(at))),
    )
    assert.deepEqual(spans, [
      ['2026-01-01', '2026-01-10'],
      ['2026-01-10', '2026-01-20'],
      ['2026-01-20', '2026-02-01'],
    ])
  })

  it('contains the instant asked about, is the same from both its ends, and touches its neighbours', () => {
    fc.assert(
      fc.property(interval, instant, instant, (name, anchorAt, at) => {
        const period = computePeriod(name, anchorAt, at)
        assert.ok(period.start <= at && at < period.end)
        assert.deepEqual(computePeriod(name, anchorAt, period.start), period)
        assert.deepEqual(computePeriod(name, anchorAt, period.end - 1), period)
        assert.equal(computePeriod(name, anchorAt, period.start - 1).end, period.start)
        assert.equal(computePeriod(name, anchorAt, period.end).start, period.end)
      }),
      { numRuns: 3000 },
    )
  })

  it('begins at its anchor', () => {
    fc.assert(
      fc.property(interval, instant, (name, anchorAt) => {
        assert.equal(computePeriod(name, anchorAt, anchorAt).start, anchorAt)
      }),
    )
  })

  it('stays contiguous where a subscription cuts it', () => {
    fc.assert(
      fc.property(interval, instant, instant, instant, (name, billingAnchorAt, cutAt, at) => {
        const rule = { interval: name, resetAnchor: 'billing_cycle', billingAnchorAt, cutAt } as const
        const period = computeUsagePeriod(rule, at)
        assert.ok(period.start <= at && at < period.end)
        assert.ok(!(period.start < cutAt && cutAt < period.end))
        assert.equal(computeUsagePeriod(rule, period.start - 1).end, period.start)
        assert.equal(computeUsagePeriod(rule, period.end).start, period.end)
      }),
    )
  })

  it('of the calendar begins where Date says the calendar unit does', () => {
    fc.assert(
      fc.property(instant, (at) => {
        const date = new Date(at)
        const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()]
        const start = (name: ResetInterval) => computePeriod(name, calendarAnchorAt(name), at).start
        assert.equal(start('month'), Date.UTC(year, month))
        assert.equal(start('quarter'), Date.UTC(year, month - (month % 3)))
        assert.equal(start('year'), Date.UTC(year, 0))
        assert.equal(start('week'), Date.UTC(year, month, date.getUTCDate() - ((date.getUTCDay() + 6) % 7)))
        assert.equal(start('day'), Date.UTC(year, month, date.getUTCDate()))
        assert.equal(start('hour'), Date.UTC(year, month, date.getUTCDate(), date.getUTCHours()))
      }),
    )
  })
})
