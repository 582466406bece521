// Stripe's billing cycle: periods counted from the anchor, clamped to the month's end, in UTC seconds.
// Written apart from the service's own period arithmetic on purpose: the simulator stands for a foreign system.
import type { Recurring } from '../objects.ts'

const daySeconds = 86_400

function addMonths(anchor: number, months: number): number {
  const from = new Date(anchor * 1000)
  const month = from.getUTCMonth() + months
  const lastDay = new Date(Date.UTC(from.getUTCFullYear(), month + 1, 0)).getUTCDate()
  const day = Math.min(from.getUTCDate(), lastDay)
  const midnight = Date.UTC(from.getUTCFullYear(), month, day) / 1000
  return midnight + (anchor - Math.floor(anchor / daySeconds) * daySeconds)
}

/** The anchor plus n intervals; never chained, so that 31 Jan leads to 31 Mar by way of 28 Feb. */
export function computeBoundary(anchor: number, { interval, interval_count }: Recurring, n: number): number {
  const steps = n * interval_count
  if (interval === 'day') return anchor + steps * daySeconds
  if (interval === 'week') return anchor + steps * 7 * daySeconds
  return addMonths(anchor, interval === 'month' ? steps : steps * 12)
}

const roughSeconds = {
  day: daySeconds,
  week: 7 * daySeconds,
  month: 30.44 * daySeconds,
  year: 365.25 * daySeconds,
}

/** The period [start, end) that holds an instant; the anchor may lie before or after it. */
export function computePeriod(
  anchor: number,
  recurring: Recurring,
  at: number,
): { start: number; end: number } {
  let n = Math.floor((at - anchor) / (roughSeconds[recurring.interval] * recurring.interval_count))
  while (computeBoundary(anchor, recurring, n) > at) n--
  while (computeBoundary(anchor, recurring, n + 1) <= at) n++
  return { start: computeBoundary(anchor, recurring, n), end: computeBoundary(anchor, recurring, n + 1) }
}
