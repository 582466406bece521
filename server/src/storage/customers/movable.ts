// The customers that time will bring something, soonest first, where that can be seen without loading them.
import type { Environment } from '../../domain/environment.ts'
import type { Sql } from '../database.ts'

/** Those whose subscriptions or bonuses change next, and the newest of all; `total` is how many customers there are. */
export async function listMovable(
  sql: Sql,
  environment: Environment,
  { now, to, limit }: { now: number; to: number; limit: number },
): Promise<{ hashes: string[]; total: number }> {
  const { rows } = await sql.query<{ customer_hash: string }>(
    `with renewing as (
       select i.customer_uid from subscription_item i join customer c on c.customer_uid = i.customer_uid
       where c.environment = $1 and i.current_period_end > $2 and i.current_period_end <= $3
       group by i.customer_uid order by min(i.current_period_end) limit $4
     ), expiring as (
       select b.customer_uid from bonus b join customer c on c.customer_uid = b.customer_uid
       where c.environment = $1 and b.expires_at > $2 and b.expires_at <= $3
       group by b.customer_uid order by min(b.expires_at) limit $4
     ), newest as (
       select customer_uid from customer where environment = $1
       order by created_at desc, customer_no desc limit $4
     )
     select c.customer_hash from customer c
     where c.customer_uid in (
       select customer_uid from renewing union select customer_uid from expiring union select customer_uid from newest
     )`,
    [environment, now, to, limit],
  )
  const counted = await sql.query<{ total: number }>(
    'select count(*) as total from customer where environment = $1',
    [environment],
  )
  return { hashes: rows.map((row) => row.customer_hash), total: counted.rows[0]?.total ?? 0 }
}
