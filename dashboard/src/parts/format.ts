// Numbers, money and times as text, the same everywhere.
const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 10 })
const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 })
const percent = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 0 })

/** Exact, with thousands apart. */
export const formatAmount = (amount: number): string => whole.format(amount)

/** For axes and tight places: 12.4K. */
export const formatCompact = (amount: number): string => compact.format(amount)

/** Rounded down: nobody is at the limit who has something left. */
export const formatShare = (share: number): string => percent.format(Math.floor(share * 100 + 1e-9) / 100)

/** `formatCount(1, 'customer')` → 1 customer. */
export const formatCount = (count: number, noun: string, plural = `${noun}s`): string =>
  `${formatAmount(count)} ${count === 1 ? noun : plural}`

/** Money as the provider has it, in the currency's smallest unit. */
export function formatMoney(unitAmount: number, currency: string): string {
  try {
    const format = new Intl.NumberFormat('en', { style: 'currency', currency })
    const digits = format.resolvedOptions().maximumFractionDigits ?? 2
    return format.format(unitAmount / 10 ** digits)
  } catch {
    return `${formatAmount(unitAmount)} ${currency}`
  }
}

const months = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')
const pad = (part: number) => String(part).padStart(2, '0')

/** 14 Nov 2026, in the viewer's zone. */
export function formatDay(at: number): string {
  const date = new Date(at)
  return `${date.getDate()} ${months[date.getMonth()]} ${date.getFullYear()}`
}

/** 14 Nov, in the viewer's zone. */
export function formatShortDay(at: number): string {
  const date = new Date(at)
  return `${date.getDate()} ${months[date.getMonth()]}`
}

/** 09:30, in the viewer's zone. */
export function formatClock(at: number): string {
  const date = new Date(at)
  return `${pad(date.getHours())}:${pad(date.getMinutes())}`
}

/** 14 Nov 2026, 09:30, in the viewer's zone. */
export const formatTime = (at: number): string => `${formatDay(at)}, ${formatClock(at)}`

/** Exact and in UTC, for what is shown on hover. */
export const formatUtc = (at: number): string =>
  `${new Date(at).toISOString().replace('T', ' ').replace('Z', '')} UTC`

const [slack, minute, hour, day] = [20_000, 60_000, 3_600_000, 86_400_000]

/** Within a day how long ago or until then, else the time itself. */
export function formatRelative(at: number, now: number): string {
  const distance = Math.abs(at - now)
  if (distance >= day) return formatTime(at)
  // What the clock here may be behind the service's is no time ahead.
  if (distance < minute) return at - now > slack ? 'in a moment' : 'just now'
  const text =
    distance < hour
      ? formatCount(Math.floor(distance / minute), 'min', 'min')
      : `${Math.floor(distance / hour)} h`
  return at > now ? `in ${text}` : `${text} ago`
}

/** in 12 days, in 3 h, in 20 min: until a time ahead, however far. */
export function formatUntil(at: number, now: number): string {
  const distance = at - now
  if (distance >= 2 * day) return `in ${formatCount(Math.floor(distance / day), 'day')}`
  if (distance >= hour) return `in ${Math.floor(distance / hour)} h`
  return distance >= minute ? `in ${Math.floor(distance / minute)} min` : 'in a moment'
}
