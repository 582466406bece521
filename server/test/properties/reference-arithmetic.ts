// The reference model's own decimals and calendar, written a second time and in another way than the
// service's, so that one mistake cannot hide in both.

export type Span = { start: number; end: number }
export type Interval = 'never' | 'hour' | 'day' | 'week' | 'month' | 'quarter' | 'year'

/** Whether a number may be an amount: at most 15 significant digits, 6 decimals, within ±10^12. */
export function isExact(value: number): boolean {
  return (
    Math.abs(value) <= 1e12 && Number(value.toPrecision(15)) === value && Number(value.toFixed(6)) === value
  )
}

/** Millionths. */
export function exact(value: number): bigint {
  const [whole = '0', fraction = ''] = Number(value).toPrecision(15).split('.')
  return BigInt(whole + fraction.slice(0, 6).padEnd(6, '0'))
}

export function plain(millionths: bigint): number {
  const sign = millionths < 0n ? '-' : ''
  const digits = String(millionths).replace('-', '')
  return Number(`${sign}${digits}e-6`)
}

/** The largest magnitude of an amount and of any total. */
export const largestTotal: bigint = exact(1e12)

export const sum = (amounts: bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n)
export const max = (a: bigint, b: bigint): bigint => (a > b ? a : b)
export const min = (a: bigint, b: bigint): bigint => (a < b ? a : b)

const hourMs = 60 * 60 * 1000
const fixed = { hour: hourMs, day: 24 * hourMs, week: 7 * 24 * hourMs }
const monthsOf = { month: 1, quarter: 3, year: 12 }

/** The anchor moved by whole months; a day that the month lacks becomes its last. */
function addMonths(anchorAt: number, months: number): number {
  const anchor = new Date(anchorAt)
  const [year, month] = [anchor.getUTCFullYear(), anchor.getUTCMonth() + months]
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  const timeMs = anchorAt - Date.UTC(year, anchor.getUTCMonth(), anchor.getUTCDate())
  return Date.UTC(year, month, Math.min(anchor.getUTCDate(), lastDay)) + timeMs
}

/** The period around `at` counted from an anchor, found by walking there period by period. */
export function periodFromAnchor(interval: Interval, anchorAt: number, at: number): Span {
  if (interval === 'never') return { start: Number.NEGATIVE_INFINITY, end: Number.POSITIVE_INFINITY }
  if (interval === 'hour' || interval === 'day' || interval === 'week') {
    const length = fixed[interval]
    const intoPeriod = (((at - anchorAt) % length) + length) % length
    return { start: at - intoPeriod, end: at - intoPeriod + length }
  }
  const months = monthsOf[interval]
  let n = 0
  while (addMonths(anchorAt, (n + 1) * months) <= at) n++
  while (addMonths(anchorAt, n * months) > at) n--
  return { start: addMonths(anchorAt, n * months), end: addMonths(anchorAt, (n + 1) * months) }
}

/** The UTC calendar's hour, day, ISO week, month, quarter or year around `at`. */
export function periodOfCalendar(interval: Interval, at: number): Span {
  const date = new Date(at)
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()]
  const sinceMonday = (date.getUTCDay() + 6) % 7
  const quarter = month - (month % 3)
  switch (interval) {
    case 'never':
      return { start: Number.NEGATIVE_INFINITY, end: Number.POSITIVE_INFINITY }
    case 'hour': {
      const start = Date.UTC(year, month, day, date.getUTCHours())
      return { start, end: start + hourMs }
    }
    case 'day':
      return { start: Date.UTC(year, month, day), end: Date.UTC(year, month, day + 1) }
    case 'week':
      return {
        start: Date.UTC(year, month, day - sinceMonday),
        end: Date.UTC(year, month, day - sinceMonday + 7),
      }
    case 'month':
      return { start: Date.UTC(year, month), end: Date.UTC(year, month + 1) }
    case 'quarter':
      return { start: Date.UTC(year, quarter), end: Date.UTC(year, quarter + 3) }
    case 'year':
      return { start: Date.UTC(year, 0), end: Date.UTC(year + 1, 0) }
  }
}
