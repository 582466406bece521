// The outbox of the provider simulator's webhooks: who sends which one when, shared by all processes.
import type { Delivery } from '@tollkeeper/simulator/src/store/store.ts'
import type { Environment } from '../../domain/environment.ts'
import type { Sql } from '../database.ts'

export async function enqueueDeliveries(
  sql: Sql,
  environment: Environment,
  eventId: string,
  dueAts: number[],
): Promise<void> {
  await sql.query(
    `insert into simulator_delivery (environment, event_id, next_attempt_at)
     select $1::text, $2::text, due_at from unnest($3::bigint[]) as due_at`,
    [environment, eventId, dueAts],
  )
}

export async function claimDeliveries(
  sql: Sql,
  nowMs: number,
  leaseUntil: number,
  limit: number,
): Promise<Delivery[]> {
  const { rows } = await sql.query<Delivery>(
    `update simulator_delivery as delivery
     set next_attempt_at = $2::bigint, attempts = attempts + 1
     from (
       select delivery_id
       from simulator_delivery
       where next_attempt_at <= $1::bigint
       order by next_attempt_at, delivery_id
       limit $3::int
       for update skip locked
     ) as due
     where delivery.delivery_id = due.delivery_id
     returning
       delivery.delivery_id as "deliveryId",
       delivery.environment,
       delivery.event_id as "eventId",
       delivery.attempts`,
    [nowMs, leaseUntil, limit],
  )
  return rows.toSorted((one, other) => one.deliveryId - other.deliveryId)
}

export async function deleteDelivery(sql: Sql, deliveryId: number): Promise<void> {
  await sql.query('delete from simulator_delivery where delivery_id = $1::bigint', [deliveryId])
}

export async function postponeDelivery(sql: Sql, deliveryId: number, nextAttemptAt: number): Promise<void> {
  await sql.query(
    'update simulator_delivery set next_attempt_at = $2::bigint where delivery_id = $1::bigint',
    [deliveryId, nextAttemptAt],
  )
}
