// Charts as points and series: the spans of an hour or a day that they are made of, and which series are shown by name.
import { invalid } from '../errors.ts'

export const chartIntervals = ['hour', 'day'] as const
export type ChartInterval = (typeof chartIntervals)[number]

const lengthsMs = { hour: 3_600_000, day: 86_400_000 }
const bucketsAtMost = { hour: 24 * 62, day: 400 }
const bucketsByDefault = { hour: 48, day: 30 }

export type ChartRange = { from: number; to: number; bucketMs: number }

/** Whole buckets of UTC that cover the span; without `from`, so many up to `to`, which is the end of the current one if absent. */
export function decideRange(
  interval: ChartInterval,
  { from, to }: { from?: number | undefined; to?: number | undefined },
  now: number,
): ChartRange {
  const bucketMs = lengthsMs[interval]
  const floor = (at: number) => Math.floor(at / bucketMs) * bucketMs
  const end = to === undefined ? floor(Math.max(now, from ?? now)) + bucketMs : floor(to - 1) + bucketMs
  const start = from === undefined ? end - bucketsByDefault[interval] * bucketMs : floor(from)
  if (start >= end) throw invalid('from must lie before to.')
  if ((end - start) / bucketMs > bucketsAtMost[interval]) {
    throw invalid(`from and to must span at most ${bucketsAtMost[interval]} buckets of one ${interval}.`)
  }
  return { from: start, to: end, bucketMs }
}

export type ChartValue = { at: number; key: string; value: number }

export type Chart = {
  points: { at: number; values: Record<string, number> }[]
  series: { key: string; total: number }[]
}

export const seriesAtMost = 8

/** Beside the named series, for all the others. */
export const otherKey = 'other'

/** The largest series by name, and the rest as one; every point has a value of each. */
export function buildChart({ from, to, bucketMs }: ChartRange, values: readonly ChartValue[]): Chart {
  const totals = new Map<string, number>()
  for (const { key, value } of values) totals.set(key, (totals.get(key) ?? 0) + value)
  const ranked = [...totals].sort(([aKey, a], [bKey, b]) => b - a || (aKey < bKey ? -1 : 1))
  const named = ranked.filter(([key]) => key !== otherKey).slice(0, seriesAtMost)
  const names = new Set(named.map(([key]) => key))
  const series = named.map(([key, total]) => ({ key, total: tidy(total) }))
  const rest = tidy(ranked.reduce((sum, [key, each]) => (names.has(key) ? sum : sum + each), 0))
  if (rest !== 0) series.push({ key: otherKey, total: rest })
  const points: Chart['points'] = []
  for (let at = from; at < to; at += bucketMs)
    points.push({ at, values: Object.fromEntries(series.map(({ key }) => [key, 0])) })
  for (const { at, key, value } of values) {
    const point = points[(at - from) / bucketMs]
    const name = names.has(key) ? key : otherKey
    const sum = point?.values[name]
    if (point && sum !== undefined) point.values[name] = tidy(sum + value)
  }
  return { points, series }
}

/** Charts are drawn in floating point; amounts have six decimals. */
const tidy = (value: number): number => Math.round(value * 1e6) / 1e6
