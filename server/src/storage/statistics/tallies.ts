// Counts of refusals and requests, as processes add them up and the dashboard reads them.
import { plainArray, textArray } from '../array-literal.ts'
import type { Sql } from '../database.ts'

export type RefusalCount = { featureNo: number; hourAt: number; reason: string; refusals: number }

export async function addRefusals(sql: Sql, counts: readonly RefusalCount[]): Promise<void> {
  await sql.query(
    `insert into refusal_hour as r (feature_no, hour_at, reason, refusals)
     select * from unnest($1::int[], $2::bigint[], $3::text[], $4::bigint[]) as a (feature_no, hour_at, reason, refusals)
     order by 1, 2, 3
     on conflict (feature_no, hour_at, reason) do update set refusals = r.refusals + excluded.refusals`,
    [
      plainArray(counts.map((each) => each.featureNo)),
      plainArray(counts.map((each) => each.hourAt)),
      textArray(counts.map((each) => each.reason)),
      plainArray(counts.map((each) => each.refusals)),
    ],
  )
}

export type RequestCount = {
  keyId: string
  minuteAt: number
  requests: number
  limited: number
  failed: number
}

export async function addRequests(sql: Sql, counts: readonly RequestCount[]): Promise<void> {
  await sql.query(
    `insert into request_minute as r (key_id, minute_at, requests, limited, failed)
     select * from unnest($1::uuid[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[])
       as a (key_id, minute_at, requests, limited, failed)
     order by 1, 2
     on conflict (key_id, minute_at) do update set requests = r.requests + excluded.requests,
       limited = r.limited + excluded.limited, failed = r.failed + excluded.failed`,
    [
      plainArray(counts.map((each) => each.keyId)),
      plainArray(counts.map((each) => each.minuteAt)),
      plainArray(counts.map((each) => each.requests)),
      plainArray(counts.map((each) => each.limited)),
      plainArray(counts.map((each) => each.failed)),
    ],
  )
}

export async function listRefusals(
  sql: Sql,
  featureNos: readonly number[],
  { from, to }: { from: number; to: number },
): Promise<RefusalCount[]> {
  const { rows } = await sql.query<{
    feature_no: number
    hour_at: number
    reason: string
    refusals: number
  }>(
    `select feature_no, hour_at, reason, refusals from refusal_hour
     where feature_no = any($1::int[]) and hour_at >= $2 and hour_at < $3`,
    [featureNos, from, to],
  )
  return rows.map((row) => ({
    featureNo: row.feature_no,
    hourAt: row.hour_at,
    reason: row.reason,
    refusals: row.refusals,
  }))
}

export type RequestRow = { at: number; keyId: string; name: string } & Omit<
  RequestCount,
  'keyId' | 'minuteAt'
>

/** By key and bucket of time. */
export async function listRequests(
  sql: Sql,
  environment: string,
  { from, to, bucketMs }: { from: number; to: number; bucketMs: number },
): Promise<RequestRow[]> {
  const { rows } = await sql.query<{ key_id: string } & Omit<RequestRow, 'keyId'>>(
    `select r.minute_at - r.minute_at % $4::bigint as at, r.key_id, k.name, sum(r.requests)::bigint as requests,
       sum(r.limited)::bigint as limited, sum(r.failed)::bigint as failed
     from request_minute r join api_key k on k.key_id = r.key_id
     where k.environment = $1 and r.minute_at >= $2 and r.minute_at < $3
     group by 1, 2, 3`,
    [environment, from, to, bucketMs],
  )
  return rows.map(({ key_id: keyId, ...row }) => ({ keyId, ...row }))
}

const rowsAtOnce = 10_000

/** Refusals are kept for a month by real time, requests for less; a part at a time. */
export async function pruneTallies(
  sql: Sql,
  { refusalsBefore, requestsBefore }: { refusalsBefore: number; requestsBefore: number },
): Promise<void> {
  await sql.query(
    `delete from request_minute where ctid = any(array(
       select ctid from request_minute where minute_at < $1 limit ${rowsAtOnce}
     ))`,
    [requestsBefore],
  )
  await sql.query(
    `delete from refusal_hour where ctid = any(array(
       select ctid from refusal_hour where hour_at < $1 limit ${rowsAtOnce}
     ))`,
    [refusalsBefore],
  )
}
