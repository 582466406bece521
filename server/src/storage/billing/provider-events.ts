// The inbox of provider events: each kept once, worked off by whichever instance takes it, retried until it is done.
import type { Environment } from '../../domain/environment.ts'
import type { Sql } from '../database.ts'

export type InboxEvent = {
  environment: Environment
  eventId: string
  subjectKind: 'customer' | 'product'
  subjectId: string
  attempts: number
}

export type NewInboxEvent = Omit<InboxEvent, 'attempts'> & { type: string; createdAt: number }

/** An event that is there already is not worked off again. */
export async function insertProviderEvents(
  sql: Sql,
  events: readonly NewInboxEvent[],
  now: number,
): Promise<number> {
  const { rowCount } = await sql.query(
    `insert into provider_event (environment, event_id, type, subject_kind, subject_id, created_at, received_at, due_at)
     select e.environment, e.event_id, e.type, e.subject_kind, e.subject_id, e.created_at, $7, $7
     from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::bigint[])
       as e (environment, event_id, type, subject_kind, subject_id, created_at)
     on conflict (environment, event_id) do nothing`,
    [
      events.map((event) => event.environment),
      events.map((event) => event.eventId),
      events.map((event) => event.type),
      events.map((event) => event.subjectKind),
      events.map((event) => event.subjectId),
      events.map((event) => event.createdAt),
      now,
    ],
  )
  return rowCount ?? 0
}

/** Takes over events that are due; nobody else takes them until `leaseEndsAt`. */
export async function claimProviderEvents(
  sql: Sql,
  {
    environments,
    now,
    leaseEndsAt,
    limit,
  }: { environments: Environment[]; now: number; leaseEndsAt: number; limit: number },
): Promise<InboxEvent[]> {
  const { rows } = await sql.query<{
    environment: Environment
    event_id: string
    subject_kind: InboxEvent['subjectKind']
    subject_id: string
    attempts: number
  }>(
    `update provider_event set due_at = $2, attempts = attempts + 1
     where (environment, event_id) in (
       select environment, event_id from provider_event where due_at <= $1 and environment = any($4)
       order by due_at limit $3 for update skip locked
     )
     returning environment, event_id, subject_kind, subject_id, attempts`,
    [now, leaseEndsAt, limit, environments],
  )
  return rows.map((row) => ({
    environment: row.environment,
    eventId: row.event_id,
    subjectKind: row.subject_kind,
    subjectId: row.subject_id,
    attempts: row.attempts,
  }))
}

export async function finishProviderEvents(
  sql: Sql,
  environment: Environment,
  eventIds: string[],
  now: number,
) {
  await sql.query(
    `update provider_event set due_at = null, done_at = $3, last_error = null
     where environment = $1 and event_id = any($2::text[])`,
    [environment, eventIds, now],
  )
}

export async function postponeProviderEvents(
  sql: Sql,
  environment: Environment,
  eventIds: string[],
  dueAt: number,
  error: string,
): Promise<void> {
  await sql.query(
    'update provider_event set due_at = $3, last_error = $4 where environment = $1 and event_id = any($2::text[])',
    [environment, eventIds, dueAt, error],
  )
}

export async function pruneProviderEvents(sql: Sql, before: number): Promise<void> {
  await sql.query('delete from provider_event where done_at < $1', [before])
}

export async function readReconciledAt(sql: Sql, environment: Environment): Promise<number | undefined> {
  const { rows } = await sql.query<{ reconciled_at: number | null }>(
    'select reconciled_at from environment where environment = $1',
    [environment],
  )
  return rows[0]?.reconciled_at ?? undefined
}

export async function writeReconciledAt(sql: Sql, environment: Environment, at: number): Promise<void> {
  await sql.query(
    'update environment set reconciled_at = greatest(reconciled_at, $2) where environment = $1',
    [environment, at],
  )
}
