// Writing how near customers are to their limits, and what they hold.
import type { Standing } from '../../domain/access/standing.ts'
import { amountToText } from '../../domain/amount.ts'
import type { Environment } from '../../domain/environment.ts'
import { plainArray } from '../array-literal.ts'
import type { Sql } from '../database.ts'

export type CustomerStandings = {
  customerUid: string
  standings: readonly Standing[]
  held: readonly { productNo: number; version: number }[]
}

/** Replaces what is stored of these customers; rows that stay the same are not written. */
export async function saveStandings(
  sql: Sql,
  environment: Environment,
  now: number,
  customers: readonly CustomerStandings[],
): Promise<void> {
  const uids = plainArray(customers.map((each) => each.customerUid))
  const rows = customers.flatMap(({ customerUid, standings }) =>
    standings.map((standing) => ({ customerUid, ...standing })),
  )
  const values = [
    plainArray(rows.map((row) => row.customerUid)),
    plainArray(rows.map((row) => row.featureNo)),
    plainArray(rows.map((row) => amountToText(row.used))),
    plainArray(rows.map(({ allowance }) => (allowance === undefined ? undefined : amountToText(allowance)))),
    plainArray(rows.map((row) => row.share)),
    plainArray(rows.map((row) => row.resetsAt)),
    plainArray(rows.map((row) => row.isHottest)),
  ]
  await sql.query(
    `delete from customer_standing s
     where s.customer_uid = any($1::uuid[]) and not exists (
       select from unnest($2::uuid[], $3::int[]) as a (customer_uid, feature_no)
       where a.customer_uid = s.customer_uid and a.feature_no = s.feature_no
     )`,
    [uids, ...values.slice(0, 2)],
  )
  await sql.query(
    `insert into customer_standing as s
       (environment, customer_uid, feature_no, used, allowance, share, resets_at, is_hottest)
     select $1, * from unnest($2::uuid[], $3::int[], $4::numeric[], $5::numeric[], $6::double precision[], $7::bigint[],
       $8::boolean[])
     on conflict (customer_uid, feature_no) do update set used = excluded.used, allowance = excluded.allowance,
       share = excluded.share, resets_at = excluded.resets_at, is_hottest = excluded.is_hottest
     where (s.used, s.allowance, s.share, s.resets_at, s.is_hottest)
       is distinct from (excluded.used, excluded.allowance, excluded.share, excluded.resets_at, excluded.is_hottest)`,
    [environment, ...values],
  )
  await saveLimits(
    sql,
    now,
    rows.filter((row) => row.featureNo !== 0),
  )
  await saveHeld(sql, customers)
}

/** A limit is written down when it is another than the one before. */
async function saveLimits(
  sql: Sql,
  now: number,
  rows: readonly (Standing & { customerUid: string })[],
): Promise<void> {
  await sql.query(
    `insert into limit_change (customer_uid, feature_no, changed_at, limit_amount)
     select a.customer_uid, a.feature_no, $1, a.limit_amount
     from unnest($2::uuid[], $3::int[], $4::numeric[]) as a (customer_uid, feature_no, limit_amount)
     left join lateral (
       select true as is_known, l.limit_amount from limit_change l
       where l.customer_uid = a.customer_uid and l.feature_no = a.feature_no
       order by l.changed_at desc limit 1
     ) l on true
     where l.is_known is null or l.limit_amount is distinct from a.limit_amount
     on conflict (customer_uid, feature_no, changed_at) do update set limit_amount = excluded.limit_amount`,
    [
      now,
      plainArray(rows.map((row) => row.customerUid)),
      plainArray(rows.map((row) => row.featureNo)),
      plainArray(rows.map(({ limit }) => (limit === undefined ? undefined : amountToText(limit)))),
    ],
  )
}

async function saveHeld(sql: Sql, customers: readonly CustomerStandings[]): Promise<void> {
  const rows = customers.flatMap(({ customerUid, held }) => held.map((each) => ({ customerUid, ...each })))
  const values = [
    plainArray(rows.map((row) => row.customerUid)),
    plainArray(rows.map((row) => row.productNo)),
    plainArray(rows.map((row) => row.version)),
  ]
  await sql.query(
    `delete from customer_held h
     where h.customer_uid = any($1::uuid[]) and not exists (
       select from unnest($2::uuid[], $3::int[]) as a (customer_uid, product_no)
       where a.customer_uid = h.customer_uid and a.product_no = h.product_no
     )`,
    [plainArray(customers.map((each) => each.customerUid)), ...values.slice(0, 2)],
  )
  await sql.query(
    `insert into customer_held as h (customer_uid, product_no, version)
     select * from unnest($1::uuid[], $2::int[], $3::int[])
     on conflict (customer_uid, product_no) do update set version = excluded.version
     where h.version <> excluded.version`,
    values,
  )
}
