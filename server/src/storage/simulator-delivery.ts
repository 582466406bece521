// The outbox of the provider simulator's webhooks: who sends which one when, shared by all processes.
import type { Environment } from '../domain/environment.ts'
import type { Sql } from './database.ts'

export type SimulatorDelivery = {
  deliveryId: number
  environment: Environment
  eventId: string
  attempts: number
}

export async function enqueueSimulatorDelivery(
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

/**
 * Takes due deliveries for sending. The lease is the retry: a process that dies while sending leaves the row to be due
 * again, so at least one copy arrives.
 */
export async function claimSimulatorDeliveries(
  sql: Sql,
  nowMs: number,
  leaseUntil: number,
  limit: number,
): Promise<SimulatorDelivery[]> {
  const { rows } = await sql.query<SimulatorDelivery>(
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

export async function deleteSimulatorDelivery(sql: Sql, deliveryId: number): Promise<void> {
  await sql.query('delete from simulator_delivery where delivery_id = $1::bigint', [deliveryId])
}

export async function postponeSimulatorDelivery(
  sql: Sql,
  deliveryId: number,
  nextAttemptAt: number,
): Promise<void> {
  await sql.query(
    'update simulator_delivery set next_attempt_at = $2::bigint where delivery_id = $1::bigint',
    [deliveryId, nextAttemptAt],
  )
}

export async function countSimulatorDeliveries(sql: Sql, environment: Environment): Promise<number> {
  const { rows } = await sql.query<{ count: number }>(
    'select count(*) as count from simulator_delivery where environment = $1::text',
    [environment],
  )
  return rows[0]?.count ?? 0
}
