// Two calendars and two decimals, written apart, give the same answers: the model's and the service's.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { allTime, computeUsagePeriod, resetAnchors, resetIntervals } from '../../src/domain/access/period.ts'
import { amountFromNumber, amountToNumber, isAmount } from '../../src/domain/amount.ts'
import { exact, isExact, periodFromAnchor, periodOfCalendar, plain } from './reference-arithmetic.ts'

const instant = fc.integer({ min: Date.UTC(2000, 0), max: Date.UTC(2101, 0) - 1 })
// Days around the ends of months are where calendars go wrong.
const lateInMonth = fc
  .record({ month: fc.integer({ min: 0, max: 1211 }), day: fc.integer({ min: 28, max: 31 }) })
  .map(({ month, day }) => Date.UTC(2000, month, day))

describe('the model’s arithmetic and the service’s', () => {
  it('agree on every period', () => {
    const moment = fc.oneof(instant, lateInMonth)
    fc.assert(
      fc.property(
        fc.constantFrom(...resetIntervals),
        fc.constantFrom(...resetAnchors),
        moment,
        moment,
        (interval, resetAnchor, billingAnchorAt, at) => {
          const theirs = computeUsagePeriod({ interval, resetAnchor, billingAnchorAt }, at)
          const ours =
            resetAnchor === 'calendar'
              ? periodOfCalendar(interval, at)
              : periodFromAnchor(interval, billingAnchorAt, at)
          if (interval === 'never') assert.equal(theirs, allTime)
          else assert.deepEqual(theirs, ours)
        },
      ),
      { numRuns: 2000 },
    )
  })

  it('agree on which numbers are amounts, and on their millionths', () => {
    const decimal = fc
      .record({
        digits: fc.integer({ min: -(10 ** 15), max: 10 ** 15 }),
        decimals: fc.integer({ min: 0, max: 8 }),
      })
      .map(({ digits, decimals }) => digits / 10 ** decimals)
    fc.assert(
      fc.property(fc.oneof(decimal, fc.double(), fc.integer()), (value) => {
        assert.equal(isAmount(value), isExact(value), `${value}`)
        if (!isAmount(value)) return
        assert.equal(amountFromNumber(value), exact(value))
        assert.equal(amountToNumber(exact(value)), plain(exact(value)))
      }),
      { numRuns: 5000 },
    )
  })
})
