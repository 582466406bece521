// What waits to be done by jobs: how much of it, and since when the oldest is due. In real time, as jobs are.
import type { Sql } from './database.ts'

export type Backlog = { job: string; waiting: number; lagMs: number }

// Counted up to here: more is as much a matter of worry, and counting must not become one.
const countedAtMost = 10_000

const due: [job: string, from: string, dueAt: string][] = [
  ['inbox', 'provider_event where due_at <= $1', 'due_at'],
  ['links', 'customer where provider_due_at <= $1', 'provider_due_at'],
  ['superseded_checkouts', 'checkout where close_due_at <= $1', 'close_due_at'],
  ['catalogue_imports', 'catalogue_import where due_at <= $1', 'due_at'],
  ['customer_purges', 'customer_purge where $1::bigint is not null', '$1::bigint'],
  ['feature_purges', 'feature_purge where $1::bigint is not null', '$1::bigint'],
]

const statement = due
  .map(
    ([job, from, dueAt]) =>
      `select '${job}' as job, count(*)::int as waiting, coalesce($1::bigint - min(at), 0)::bigint as lag_ms
       from (select ${dueAt} as at from ${from} order by 1 limit ${countedAtMost}) waiting`,
  )
  .join('\nunion all\n')

export async function readBacklog(sql: Sql, now: number): Promise<Backlog[]> {
  const { rows } = await sql.query<{ job: string; waiting: number; lag_ms: number }>(statement, [now])
  return rows.map(({ job, waiting, lag_ms }) => ({ job, waiting, lagMs: lag_ms }))
}
