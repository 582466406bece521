// Sums of a customer's events over many spans of time, by one walk of the ledger in one snapshot.
import type { Period } from '../../domain/access/period.ts'
import { type Amount, amountFromText } from '../../domain/amount.ts'
import { plainArray } from '../array-literal.ts'
import type { Sql } from '../database.ts'

export type Bucket = Period & { used: Amount; events: number }

/** One a span, in order; they follow one another without a gap. */
export async function summariseEvents(
  sql: Sql,
  uid: string,
  featureNo: number,
  spans: readonly Period[],
): Promise<Bucket[]> {
  const { rows } = await sql.query<{ n: number; used: string; events: number }>(
    `select width_bucket(occurred_at, $3::bigint[]) as n, sum(amount)::text as used, count(*) as events
     from usage_event
     where customer_uid = $1 and feature_no = $2 and deleted_at is null and alias_of is null
       and occurred_at >= $4 and occurred_at < $5
     group by n`,
    [uid, featureNo, plainArray(spans.map((span) => span.start)), spans[0]?.start, spans.at(-1)?.end],
  )
  const sums = new Map(rows.map((row) => [row.n, row]))
  return spans.map((span, index) => {
    const sum = sums.get(index + 1)
    return { ...span, used: amountFromText(sum?.used ?? '0'), events: sum?.events ?? 0 }
  })
}
