// Usage periods: half-open spans counted from an anchor in UTC, computed on demand and never scheduled.
// The only place that knows the calendar.

/** Half-open: start ≤ t < end, in Unix ms. */
export type Period = { start: number; end: number }

export const resetIntervals = ['never', 'hour', 'day', 'week', 'month', 'quarter', 'year'] as const
export type ResetInterval = (typeof resetIntervals)[number]

export const resetAnchors = ['billing_cycle', 'calendar'] as const
export type ResetAnchor = (typeof resetAnchors)[number]

/** How a customer's usage of a feature is divided into periods. */
export type PeriodRule = {
  interval: ResetInterval
  resetAnchor: ResetAnchor
  billingAnchorAt: number
  /** When the subscription that gives the billing anchor began; absent without one. */
  cutAt?: number | undefined
  /** When the customer fell back to the default product; absent unless that grants the feature now. */
  fellBackAt?: number | undefined
}

// The range of a Date: every timestamp lies inside it, and both ends are safe integers and bigints.
const endOfTime = 8.64e15

/** The one period of a feature that never resets. */
export const allTime: Period = Object.freeze({ start: -endOfTime, end: endOfTime })

const dayMs = 86_400_000
const fixedLengthsMs = { hour: dayMs / 24, day: dayMs, week: 7 * dayMs }
const lengthsInMonths = { month: 1, quarter: 3, year: 12 }

/** The period that contains `at`, of those that start at anchor + n intervals for any whole n. */
export function computePeriod(interval: ResetInterval, anchorAt: number, at: number): Period {
  switch (interval) {
    case 'never':
      return allTime
    case 'hour':
    case 'day':
    case 'week': {
      const lengthMs = fixedLengthsMs[interval]
      const start = anchorAt + Math.floor((at - anchorAt) / lengthMs) * lengthMs
      return { start, end: start + lengthMs }
    }
    default:
      return computeMonthPeriod(lengthsInMonths[interval], anchorAt, at)
  }
}

/** An instant at which the UTC calendar's hours, days, ISO weeks, months, quarters or years begin. */
export function calendarAnchorAt(interval: ResetInterval): number {
  // 1970 began on a Thursday; its first Monday was the 5th.
  return interval === 'week' ? 4 * dayMs : 0
}

/**
 * The usage period that contains `at`. The one around a subscription's start is cut in two there, and so is the one around the
 * instant of falling back, of the calendar too: what was used on the bigger plan is not held against the smaller one.
 */
export function computeUsagePeriod(rule: PeriodRule, at: number): Period {
  const { interval, billingAnchorAt, cutAt, fellBackAt } = rule
  if (interval === 'never') return allTime
  const period =
    rule.resetAnchor === 'calendar'
      ? computePeriod(interval, calendarAnchorAt(interval), at)
      : cutPeriod(computePeriod(interval, billingAnchorAt, at), cutAt, at)
  return cutPeriod(period, fellBackAt, at)
}

/** The part of the period that contains `at`. */
function cutPeriod(period: Period, cutAt: number | undefined, at: number): Period {
  if (cutAt === undefined || cutAt <= period.start || cutAt >= period.end) return period
  return at < cutAt ? { start: period.start, end: cutAt } : { start: cutAt, end: period.end }
}

function computeMonthPeriod(months: number, anchorAt: number, at: number): Period {
  const anchorMonth = monthOf(anchorAt)
  const offsetMs = anchorAt - monthStartAt(anchorMonth)
  // By calendar month alone `at` lies in period n or, before the anchor's day and time, in n - 1.
  const month = anchorMonth + Math.floor((monthOf(at) - anchorMonth) / months) * months
  const start = clampInto(month, offsetMs)
  if (start <= at) return { start, end: clampInto(month + months, offsetMs) }
  return { start: clampInto(month - months, offsetMs), end: start }
}

// Day and time of day within a month, on the last day if the month has no such day: always from the anchor's
// own offset, since chaining from 31 January by way of 28 February would lose the 31st.
function clampInto(month: number, offsetMs: number): number {
  const start = monthStartAt(month)
  const timeMs = offsetMs % dayMs
  return start + Math.min(offsetMs - timeMs, monthStartAt(month + 1) - start - dayMs) + timeMs
}

const averageMonthMs = (146_097 / 4800) * dayMs

/** Months since January 1970. */
function monthOf(at: number): number {
  // Months stray from their average by days only, so the guess is right or one too many or too few.
  const guess = Math.floor(at / averageMonthMs)
  if (at < monthStartAt(guess)) return guess - 1
  return at < monthStartAt(guess + 1) ? guess : guess + 1
}

// One Temporal call takes about 2 µs, and a period needs five; the few months that are ever asked about are
// remembered, which makes any period cost about 0.2 µs, whoever's anchor it is.
const monthStarts = new Map<number, number>()
const monthStartsCapacity = 5000
const firstMonth = new Temporal.PlainDate(1970, 1, 1)

function monthStartAt(month: number): number {
  const known = monthStarts.get(month)
  if (known !== undefined) return known
  const start = firstMonth.add({ months: month }).toZonedDateTime('UTC').epochMilliseconds
  if (monthStarts.size >= monthStartsCapacity) monthStarts.clear()
  monthStarts.set(month, start)
  return start
}
