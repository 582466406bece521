// Reading sums of usage by hour or day: over all customers from what the job keeps, of one customer as the ledger has it now.
import type { Period } from '../../domain/access/period.ts'
import { plainArray } from '../array-literal.ts'
import type { Sql } from '../database.ts'
import { dayMs, hourMs } from './roll-up.ts'

/** What is summed up: `from` and `to` begin a bucket. */
export type SeriesRange = {
  featureNos: readonly number[]
  productNo: number | undefined
  from: number
  to: number
  bucketMs: number
}

export type SeriesRow = { at: number; featureNo: number; productNo: number; amount: number; events: number }

type Row = { at: number; feature_no: number; product_no: number; amount: number; events: number }

const fromRow = ({ at, feature_no, product_no, amount, events }: Row): SeriesRow => ({
  at,
  featureNo: feature_no,
  productNo: product_no,
  amount,
  events,
})

const toBucket = (at: string, bucketMs: string) => `${at} - ${at} % ${bucketMs}`

export async function sumAll(sql: Sql, range: SeriesRange): Promise<SeriesRow[]> {
  const { rows } = await sql.query<Row>(
    `select ${toBucket('hour_at', '$5::bigint')} as at, feature_no, product_no, sum(amount)::float8 as amount,
       sum(events)::bigint as events
     from usage_total
     where feature_no = any($1::int[]) and hour_at >= $2 and hour_at < $3 and ($4::int is null or product_no = $4)
     group by 1, 2, 3`,
    [range.featureNos, range.from, range.to, range.productNo, range.bucketMs],
  )
  return rows.map(fromRow)
}

/**
 * Exact: hours before those that are to be summed up again are taken as they are, the rest from the ledger, in one snapshot.
 * Hours not summed up yet are of the product `currentNo`.
 */
export async function sumCustomer(
  sql: Sql,
  uid: string,
  currentNo: number,
  range: SeriesRange,
): Promise<SeriesRow[]> {
  const { rows } = await sql.query<Row>(
    `with customer_cut as materialized (
       select coalesce(least(stats_from, stats_doing) - least(stats_from, stats_doing) % ${hourMs}, $4) as cut_at
       from customer where customer_uid = $1
     ),
     hours as (
       select u.hour_at as at, u.feature_no, u.product_no, u.amount, u.events
       from usage_hour u
       where u.customer_uid = $1 and u.feature_no = any($2::int[]) and u.hour_at >= $3
         and u.hour_at < least($4, (select cut_at from customer_cut))
       union all
       select e.occurred_at, e.feature_no, $7::int, e.amount, 1
       from usage_event e
       where e.customer_uid = $1 and e.feature_no = any($2::int[]) and e.deleted_at is null and e.alias_of is null
         and e.occurred_at >= greatest($3, (select cut_at from customer_cut)) and e.occurred_at < $4
     )
     select ${toBucket('at', '$6::bigint')} as at, feature_no, product_no, sum(amount)::float8 as amount,
       sum(events)::bigint as events
     from hours
     where $5::int is null or product_no = $5
     group by 1, 2, 3`,
    [uid, range.featureNos, range.from, range.to, range.productNo, range.bucketMs, currentNo],
  )
  return rows.map(fromRow)
}

const candidatesPerDay = 30

/** Who used most, of those who were among the first of a day. */
export async function findTopCustomers(
  sql: Sql,
  { featureNos, from, to }: SeriesRange,
  { measure, limit }: { measure: 'amount' | 'events'; limit: number },
): Promise<string[]> {
  const { rows } = await sql.query<{ customer_uid: string }>(
    `select d.customer_uid
     from unnest($1::int[]) as f (feature_no)
     cross join generate_series($2::bigint - $2 % ${dayMs}, $3::bigint - 1, ${dayMs}) as g (day_at)
     cross join lateral (
       select customer_uid, amount, events from usage_day u
       where u.feature_no = f.feature_no and u.day_at = g.day_at
       order by u.amount desc, u.customer_uid limit ${candidatesPerDay}
     ) d
     group by d.customer_uid
     order by sum(d.${measure}) desc, d.customer_uid
     limit $4`,
    [featureNos, from, to, limit],
  )
  return rows.map((row) => row.customer_uid)
}

export type CustomerSeriesRow = { at: number; customerUid: string; amount: number; events: number }

export async function sumCustomers(
  sql: Sql,
  uids: readonly string[],
  range: SeriesRange,
): Promise<CustomerSeriesRow[]> {
  const { rows } = await sql.query<{ at: number; customer_uid: string; amount: number; events: number }>(
    `select ${toBucket('hour_at', '$6::bigint')} as at, customer_uid, sum(amount)::float8 as amount,
       sum(events)::bigint as events
     from usage_hour
     where customer_uid = any($1::uuid[]) and feature_no = any($2::int[]) and hour_at >= $3 and hour_at < $4
       and ($5::int is null or product_no = $5)
     group by 1, 2`,
    [uids, range.featureNos, range.from, range.to, range.productNo, range.bucketMs],
  )
  return rows.map(({ customer_uid: customerUid, ...row }) => ({ customerUid, ...row }))
}

/** Events of each customer a day, for the days that begin in the span. */
export async function countByDay(
  sql: Sql,
  uids: readonly string[],
  featureNos: readonly number[],
  { from, to }: { from: number; to: number },
): Promise<{ customerUid: string; dayAt: number; events: number }[]> {
  const { rows } = await sql.query<{ customer_uid: string; day_at: number; events: number }>(
    `select customer_uid, day_at, sum(events)::int as events from usage_day
     where customer_uid = any($1::uuid[]) and day_at >= $3 and day_at < $4 and feature_no = any($2::int[])
     group by 1, 2`,
    [uids, featureNos, from, to],
  )
  return rows.map((row) => ({ customerUid: row.customer_uid, dayAt: row.day_at, events: row.events }))
}

/** Customers who had an event, by day. */
export async function countActive(
  sql: Sql,
  environment: string,
  { from, to }: { from: number; to: number },
): Promise<Map<number, number>> {
  const { rows } = await sql.query<{ day_at: number; customers: number }>(
    'select day_at, customers from active_day where environment = $1 and day_at >= $2 and day_at < $3',
    [environment, from, to],
  )
  return new Map(rows.map((row) => [row.day_at, row.customers]))
}

/** Exact sums of one feature over spans that follow one another; they begin and end with hours but for a few of them. */
export async function sumSpans(
  sql: Sql,
  uid: string,
  featureNo: number,
  spans: readonly Period[],
): Promise<number[]> {
  const bounds = spans.map((span) => span.start)
  const end = spans.at(-1)?.end ?? 0
  // Of an hour in which a span begins or ends the ledger alone knows which part is whose.
  const split = [
    ...new Set([...bounds, end].filter((at) => at % hourMs !== 0).map((at) => at - (at % hourMs))),
  ]
  const { rows } = await sql.query<{ n: number; amount: number }>(
    `with customer_cut as materialized (
       select coalesce(least(stats_from, stats_doing) - least(stats_from, stats_doing) % ${hourMs}, $5) as cut_at
       from customer where customer_uid = $1
     ),
     parts as (
       select u.hour_at as at, u.amount from usage_hour u
       where u.customer_uid = $1 and u.feature_no = $2 and u.hour_at >= $4 and u.hour_at <> all($6::bigint[])
         and u.hour_at < least($5, (select cut_at from customer_cut))
       union all
       select e.occurred_at, e.amount
       from unnest($6::bigint[]) as h (hour_at)
       cross join lateral (
         select occurred_at, amount from usage_event
         where customer_uid = $1 and feature_no = $2 and deleted_at is null and alias_of is null
           and occurred_at >= greatest(h.hour_at, $4) and occurred_at < least(h.hour_at + ${hourMs}, $5)
       ) e
       where h.hour_at < (select cut_at from customer_cut)
       union all
       select e.occurred_at, e.amount from usage_event e
       where e.customer_uid = $1 and e.feature_no = $2 and e.deleted_at is null and e.alias_of is null
         and e.occurred_at >= greatest($4, (select cut_at from customer_cut)) and e.occurred_at < $5
     )
     select width_bucket(at, $3::bigint[]) as n, sum(amount)::float8 as amount from parts group by 1`,
    [uid, featureNo, plainArray(bounds), bounds[0], end, plainArray(split)],
  )
  const sums = new Map(rows.map((row) => [row.n, row.amount]))
  return spans.map((_, index) => sums.get(index + 1) ?? 0)
}
