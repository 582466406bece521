// The spans that a summary of usage has one sum for: the UTC calendar's, cut where the summary begins and ends.
import { calendarAnchorAt, computePeriod, type Period } from '../access/period.ts'
import { invalid } from '../errors.ts'
import { checkRange } from './usage-event.ts'

export const summaryIntervals = ['hour', 'day', 'week', 'month'] as const
export type SummaryInterval = (typeof summaryIntervals)[number]

const bucketsAtMost = 400
const bucketsByDefault = 30

/** From the first to the last, without a gap; without `from` so many up to `to`, which is the end of the current span if absent. */
export function computeBuckets(
  interval: SummaryInterval,
  { from, to }: { from?: number | undefined; to?: number | undefined },
  now: number,
): Period[] {
  const spanAt = (at: number) => computePeriod(interval, calendarAnchorAt(interval), at)
  const end = to ?? spanAt(Math.max(now, from ?? now)).end
  checkRange(from, end)
  const buckets: Period[] = []
  let endAt = end
  while (from === undefined ? buckets.length < bucketsByDefault : endAt > from) {
    const start = Math.max(spanAt(endAt - 1).start, from ?? -Infinity)
    if (buckets.push({ start, end: endAt }) > bucketsAtMost) {
      throw invalid(`from and to must span at most ${bucketsAtMost} buckets of one ${interval}.`)
    }
    endAt = start
  }
  return buckets.reverse()
}
