// Requests with keys over time: how many, how many beyond a limit, how many failed.
import { invalid } from '../../domain/errors.ts'
import { listRequests, type RequestRow } from '../../storage/statistics/tallies.ts'
import type { Context } from '../context.ts'
import type { Services } from '../services.ts'

const minuteMs = 60_000
const hourMs = 3_600_000
/** Beyond so long, points are hours. */
const minutesUntilMs = 6 * hourMs
const spanAtMostMs = 7 * 24 * hourMs

export type RequestPoint = { at: number; requests: number; refused429: number; errors5xx: number }

/** In real time, like the requests themselves. */
export async function chartRequests(
  { database }: Services,
  { principal }: Context,
  query: { from?: number | undefined; to?: number | undefined },
) {
  const end = query.to ?? Date.now()
  const start = query.from ?? end - hourMs
  if (start >= end) throw invalid('from must lie before to.')
  if (end - start > spanAtMostMs) throw invalid('from and to must span at most 7 days.')
  const bucketMs = end - start > minutesUntilMs ? hourMs : minuteMs
  const from = Math.floor(start / bucketMs) * bucketMs
  const to = Math.floor((end - 1) / bucketMs) * bucketMs + bucketMs
  const rows = await listRequests(database.pool, principal.environment, { from, to, bucketMs })
  const points: RequestPoint[] = []
  for (let at = from; at < to; at += bucketMs) points.push({ at, requests: 0, refused429: 0, errors5xx: 0 })
  for (const row of rows) add(points[(row.at - from) / bucketMs], row)
  const byKey = [...Map.groupBy(rows, (row) => row.keyId).values()].map((group) => {
    const sum = { at: 0, requests: 0, refused429: 0, errors5xx: 0 }
    for (const row of group) add(sum, row)
    const { keyId, name } = group[0] as RequestRow
    return { keyId, name, requests: sum.requests, refused429: sum.refused429 }
  })
  return { points, byKey: byKey.sort((a, b) => b.requests - a.requests).slice(0, 50) }
}

/** A request beyond the limit is one of the requests, too. */
function add(point: RequestPoint | undefined, { requests, limited, failed }: RequestRow): void {
  if (!point) return
  point.requests += requests + limited
  point.refused429 += limited
  point.errors5xx += failed
}
