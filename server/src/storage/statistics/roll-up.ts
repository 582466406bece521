// Summing up customers' events by hour and day, and what that changes of the sums over all customers.
import { plainArray } from '../array-literal.ts'
import type { Sql } from '../database.ts'

export const hourMs = 3_600_000
export const dayMs = 86_400_000

/** The hours from `from` on are summed up again; new ones are of the product with this number. */
export type RollUp = { customerUid: string; from: number; productNo: number }

// The first sum of a customer with millions of events takes some seconds, and nothing is locked that anybody waits for.
const statementMs = 60_000

const toHour = (at: string) => `${at} - ${at} % ${hourMs}`
const toDay = (at: string) => `${at} - ${at} % ${dayMs}`

// One statement, so one snapshot of the ledger and of what was summed up before. What changes of an hour is added to everything
// above it, so that an edit, a deletion or a purge are no cases of their own.
const statement = `with asked as materialized (
    select * from unnest($2::uuid[], $3::bigint[], $4::int[]) as a (customer_uid, from_at, product_no)
  ),
  fresh as materialized (
    select a.customer_uid, l.hour_at, f.feature_no, a.product_no, l.amount, l.events, l.last_at
    from asked a
    join customer c on c.customer_uid = a.customer_uid
    cross join lateral unnest(c.used_features) as f (feature_no)
    cross join lateral (
      select ${toHour('e.occurred_at')} as hour_at, sum(e.amount) as amount, count(*) as events,
        max(e.occurred_at) as last_at
      from usage_event e
      where e.customer_uid = a.customer_uid and e.feature_no = f.feature_no and e.occurred_at >= a.from_at
        and e.deleted_at is null and e.alias_of is null
      group by 1
    ) l
  ),
  old as materialized (
    select u.customer_uid, u.hour_at, u.feature_no, u.product_no, u.amount, u.events
    from asked a
    cross join lateral (
      select * from usage_hour u where u.customer_uid = a.customer_uid and u.hour_at >= a.from_at offset 0
    ) u
  ),
  changed as materialized (
    select coalesce(o.customer_uid, f.customer_uid) as customer_uid, coalesce(o.hour_at, f.hour_at) as hour_at,
      coalesce(o.feature_no, f.feature_no) as feature_no, coalesce(o.product_no, f.product_no) as product_no,
      coalesce(f.amount, 0) - coalesce(o.amount, 0) as amount, coalesce(f.events, 0) - coalesce(o.events, 0) as events,
      f.customer_uid is null as is_gone
    from old o
    full join fresh f
      on f.customer_uid = o.customer_uid and f.hour_at = o.hour_at and f.feature_no = o.feature_no
  ),
  gone as (
    delete from usage_hour u using changed d
    where d.is_gone and u.customer_uid = d.customer_uid and u.hour_at = d.hour_at and u.feature_no = d.feature_no
  ),
  hours as (
    insert into usage_hour as u (customer_uid, hour_at, feature_no, product_no, amount, events, last_at)
    select * from fresh
    on conflict (customer_uid, hour_at, feature_no) do update
      set amount = excluded.amount, events = excluded.events, last_at = excluded.last_at
      where (u.amount, u.events, u.last_at) is distinct from (excluded.amount, excluded.events, excluded.last_at)
  ),
  totals as (
    insert into usage_total as t (feature_no, hour_at, product_no, amount, events)
    select feature_no, hour_at, product_no, sum(amount), sum(events) from changed
    group by feature_no, hour_at, product_no
    having sum(amount) <> 0 or sum(events) <> 0
    on conflict (feature_no, hour_at, product_no) do update
      set amount = t.amount + excluded.amount, events = t.events + excluded.events
  ),
  days as materialized (
    select customer_uid, ${toDay('hour_at')} as day_at, feature_no, sum(amount) as amount, sum(events)::int as events
    from changed
    group by 1, 2, 3
    having sum(amount) <> 0 or sum(events) <> 0
  ),
  day_sums as (
    insert into usage_day as u (customer_uid, day_at, feature_no, amount, events)
    select * from days
    on conflict (customer_uid, day_at, feature_no) do update
      set amount = u.amount + excluded.amount, events = u.events + excluded.events
  ),
  activity as (
    select d.day_at, (coalesce(o.events, 0) + d.events > 0)::int - (coalesce(o.events, 0) > 0)::int as customers
    from (select customer_uid, day_at, sum(events) as events from days group by 1, 2) d
    cross join lateral (
      select sum(u.events) as events from usage_day u where u.customer_uid = d.customer_uid and u.day_at = d.day_at
    ) o
  )
  insert into active_day as t (environment, day_at, customers)
  select $1, day_at, sum(customers) from activity group by day_at having sum(customers) <> 0
  on conflict (environment, day_at) do update set customers = t.customers + excluded.customers`

/** Call it in a turn. */
export async function rollUp(sql: Sql, environment: string, customers: readonly RollUp[]): Promise<void> {
  if (customers.length === 0) return
  await sql.query(`set local statement_timeout to ${statementMs}`)
  const uids = plainArray(customers.map((each) => each.customerUid))
  await sql.query({
    text: statement,
    values: [
      environment,
      uids,
      plainArray(customers.map(({ from }) => from - (from % hourMs))),
      plainArray(customers.map((each) => each.productNo)),
    ],
    query_timeout: statementMs + 1_000,
  } as { text: string; values: unknown[] })
  await sql.query('delete from usage_day where customer_uid = any($1::uuid[]) and events = 0', [uids])
}

/**
 * Some hours of a deleted customer, taken from the sums over all customers; says how many. Call it in a transaction that keeps
 * the job away (`lockProgress`).
 */
export async function removeHours(sql: Sql, uid: string, rowsAtOnce: number): Promise<number> {
  const { rows } = await sql.query<{ rows: number }>(
    `with gone as (
       delete from usage_hour where ctid = any(array(select ctid from usage_hour where customer_uid = $1 limit $2))
       returning feature_no, hour_at, product_no, amount, events
     ),
     totals as (
       update usage_total t set amount = t.amount - g.amount, events = t.events - g.events
       from (
         select feature_no, hour_at, product_no, sum(amount) as amount, sum(events) as events from gone group by 1, 2, 3
       ) g
       where t.feature_no = g.feature_no and t.hour_at = g.hour_at and t.product_no = g.product_no
     )
     select count(*) as rows from gone`,
    [uid, rowsAtOnce],
  )
  return rows[0]?.rows ?? 0
}

/** Some days of a deleted customer; a day whose features do not all go at once is counted out with the last of them. */
export async function removeDays(
  sql: Sql,
  environment: string,
  uid: string,
  rowsAtOnce: number,
): Promise<number> {
  const { rows } = await sql.query<{ rows: number }>(
    `with gone as (
       delete from usage_day u
       where u.ctid = any(array(
         select ctid from usage_day where customer_uid = $2 order by day_at, feature_no limit $3
       ))
       returning u.day_at, u.feature_no
     ),
     whole as (
       select distinct g.day_at from gone g
       where not exists (
         select from usage_day u
         where u.customer_uid = $2 and u.day_at = g.day_at and (u.day_at, u.feature_no) > (
           select day_at, feature_no from gone order by day_at desc, feature_no desc limit 1
         )
       )
     ),
     days as (
       update active_day t set customers = t.customers - 1 from whole w
       where t.environment = $1 and t.day_at = w.day_at
     )
     select count(*) as rows from gone`,
    [environment, uid, rowsAtOnce],
  )
  return rows[0]?.rows ?? 0
}

/** Keeps the job from writing sums of the environment to the end of the transaction. */
export async function lockProgress(sql: Sql, environment: string): Promise<void> {
  await sql.query('select from statistics_progress where environment = $1 for update', [environment])
}
