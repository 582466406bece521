// The answers the provider simulator remembers for idempotency, and the forgetting of what is old.
import type { StoredAnswer } from '@tollkeeper/simulator/src/store/store.ts'
import { type Environment, environments } from '../../domain/environment.ts'
import type { Sql } from '../database.ts'

export async function findAnswer(
  sql: Sql,
  environment: Environment,
  idempotencyKey: string,
): Promise<StoredAnswer | undefined> {
  const { rows } = await sql.query<StoredAnswer>(
    `select fingerprint, status, body
     from simulator_request
     where environment = $1::text and idempotency_key = $2::text`,
    [environment, idempotencyKey],
  )
  return rows[0]
}

export async function saveAnswer(
  sql: Sql,
  environment: Environment,
  idempotencyKey: string,
  answer: StoredAnswer,
  answeredAt: number,
): Promise<void> {
  await sql.query(
    `insert into simulator_request (environment, idempotency_key, fingerprint, status, body, answered_at)
     values ($1::text, $2::text, $3::text, $4::int, $5::jsonb, $6::bigint)`,
    [environment, idempotencyKey, answer.fingerprint, answer.status, JSON.stringify(answer.body), answeredAt],
  )
}

/** Forgets answers and events that are older than the provider keeps its own: 24 hours and 30 days. */
export async function prune(sql: Sql, nowMs: number): Promise<void> {
  const dayMs = 86_400_000
  await sql.query('delete from simulator_request where answered_at < $1::bigint', [nowMs - dayMs])
  await sql.query(
    `delete from simulator_object
     where environment = any($1::text[]) and object = 'event' and created < $2::bigint`,
    [environments, Math.floor((nowMs - 30 * dayMs) / 1000)],
  )
}
