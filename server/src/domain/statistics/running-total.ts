// What was used within each period, as it grew: the buckets that it is summed up by, and the points of the line.
import type { Period } from '../access/period.ts'

/** Buckets of UTC, cut where a period begins or ends, up to now; without a gap. */
export function cutIntoBuckets(periods: readonly Period[], bucketMs: number, now: number): Period[] {
  const buckets: Period[] = []
  for (const { start, end } of periods) {
    const last = Math.min(end, now + 1)
    for (let at = start; at < last; ) {
      const next = Math.min(Math.floor(at / bucketMs) * bucketMs + bucketMs, last)
      buckets.push({ start: at, end: next })
      at = next
    }
  }
  return buckets
}

/** Each period begins at `base`, and has a point wherever something was used; sums stand beside their buckets. */
export function sumWithinPeriods(
  periods: readonly Period[],
  buckets: readonly Period[],
  sums: readonly number[],
  { base, now }: { base: number; now: number },
): { at: number; used: number }[] {
  const points: { at: number; used: number }[] = []
  for (const period of periods) {
    let used = base
    points.push({ at: period.start, used: toUsed(used) })
    for (const [index, bucket] of buckets.entries()) {
      const sum = sums[index] ?? 0
      if (bucket.start < period.start || bucket.start >= period.end || sum === 0) continue
      used += sum
      points.push({ at: bucket.end - 1, used: toUsed(used) })
    }
    points.push({ at: Math.min(period.end - 1, now), used: toUsed(used) })
  }
  return points
}

/** A sum may lie below zero, what is shown as used does not; amounts have six decimals. */
const toUsed = (sum: number): number => Math.max(0, Math.round(sum * 1e6) / 1e6)
