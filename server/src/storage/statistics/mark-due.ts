// Saying that a customer's statistics must be made anew. Batches of writes do so in their own statement.
import type { Sql } from '../database.ts'

/** How long after a write its customer is due: whoever writes often is summed up once in that time. */
export const dueAfterMs = 15_000

/** At once, for changes that are rare. Call it under the customers' locks: a row here follows that of its customer. */
export async function markDue(sql: Sql, uids: readonly string[]): Promise<void> {
  await sql.query(
    `insert into statistics_due (customer_uid, environment, due_at)
     select c.customer_uid, c.environment, coalesce(e.frozen_at, clock_ms())
     from customer c join environment e on e.environment = c.environment
     where c.customer_uid = any($1::uuid[])
     order by c.customer_uid
     on conflict (customer_uid) do update set due_at = excluded.due_at where statistics_due.due_at > excluded.due_at`,
    [uids],
  )
}

/** Customers whose events of a feature were just removed: whatever was summed up of them goes with the next sums. */
export async function markPurged(sql: Sql, uids: readonly string[], featureNo: number): Promise<void> {
  const { rows } = await sql.query<{ customer_uid: string }>(
    `with summed as materialized (
       select customer_uid, min(day_at) as from_at from usage_day
       where customer_uid = any($1::uuid[]) and feature_no = $2
       group by customer_uid
     ),
     locked as materialized (
       select c.customer_uid, s.from_at
       from customer c join summed s on s.customer_uid = c.customer_uid
       order by c.customer_uid for no key update of c
     )
     update customer c set stats_from = least(c.stats_from, l.from_at)
     from locked l where c.customer_uid = l.customer_uid
     returning c.customer_uid`,
    [uids, featureNo],
  )
  await markDue(
    sql,
    rows.map((row) => row.customer_uid),
  )
}
