// What the overview asks beside sums: whether there is anything yet, and what needs somebody's attention.
import type { Environment } from '../../domain/environment.ts'
import type { Sql } from '../database.ts'

export type Beginnings = { customers: number; hasKey: boolean; hasEvent: boolean }

/** A key counts once it was used, or made by a person. */
export async function findBeginnings(sql: Sql, environment: Environment): Promise<Beginnings> {
  const { rows } = await sql.query<{ customers: number; has_key: boolean; has_event: boolean }>(
    `select (select count(*) from customer where environment = $1) as customers,
       exists (
         select from api_key k where k.environment = $1 and (k.last_used_at is not null or exists (
           select from audit_entry a
           where a.environment = $1 and a.subject = k.key_id::text and a.action = 'key.create' and a.actor like 'person:%'
         ))
       ) as has_key,
       exists (
         select from usage_total t join feature f on f.feature_no = t.feature_no where f.environment = $1 and t.events > 0
       ) or exists (select from customer where environment = $1 and last_event_at is not null) as has_event`,
    [environment],
  )
  const row = rows[0]
  return { customers: row?.customers ?? 0, hasKey: row?.has_key ?? false, hasEvent: row?.has_event ?? false }
}

export type Overdue = { customerId: string; name: string | undefined; status: string }

/** Customers with a subscription that is not paid: suspended, or in one of these words of the provider. */
export async function listOverdue(
  sql: Sql,
  environment: Environment,
  statuses: readonly string[],
  limit: number,
): Promise<Overdue[]> {
  const { rows } = await sql.query<{ customer_id: string; name: string | null; status: string }>(
    `select c.customer_id, c.name, s.status
     from subscription s join customer c on c.customer_uid = s.customer_uid
     where (s.phase = 'suspended' or s.status = any($2::text[])) and c.environment = $1
     order by s.started_at desc limit $3`,
    [environment, statuses, limit],
  )
  return rows.map((row) => ({ customerId: row.customer_id, name: row.name ?? undefined, status: row.status }))
}

export type FailingEvent = {
  type: string
  receivedAt: number
  attempts: number
  lastError: string | undefined
}

export async function listFailingEvents(
  sql: Sql,
  environment: Environment,
  limit: number,
): Promise<FailingEvent[]> {
  const { rows } = await sql.query<{
    type: string
    received_at: number
    attempts: number
    last_error: string | null
  }>(
    `select type, received_at, attempts, last_error from provider_event
     where due_at is not null and environment = $1 and attempts > 1
     order by received_at limit $2`,
    [environment, limit],
  )
  return rows.map((row) => ({
    type: row.type,
    receivedAt: row.received_at,
    attempts: row.attempts,
    lastError: row.last_error ?? undefined,
  }))
}

/** Customers that the provider could not be told of, though it was tried more than once. */
export async function listUnlinked(
  sql: Sql,
  environment: Environment,
  limit: number,
): Promise<{ customerId: string; name: string | undefined; attempts: number }[]> {
  const { rows } = await sql.query<{ customer_id: string; name: string | null; provider_attempts: number }>(
    `select customer_id, name, provider_attempts from customer
     where environment = $1 and provider_due_at is not null and provider_attempts > 1 and provider_customer_id is null
     order by provider_due_at limit $2`,
    [environment, limit],
  )
  return rows.map((row) => ({
    customerId: row.customer_id,
    name: row.name ?? undefined,
    attempts: row.provider_attempts,
  }))
}
