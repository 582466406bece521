// The objects of the provider simulator, and the lock under which they change.
import type { ObjectFilter, StoredBody } from '@tollkeeper/simulator/src/store/store.ts'
import { type Environment, environments } from '../../domain/environment.ts'
import type { Sql } from '../database.ts'

/** Any number, as long as nothing else in the service locks under it. */
const lockClass = 48_213

/** One writer per environment over all processes: a request sees what the one before it left, whole. */
export async function lockEnvironment(sql: Sql, environment: Environment): Promise<void> {
  await sql.query('select pg_advisory_xact_lock($1::int, $2::int)', [
    lockClass,
    environments.indexOf(environment),
  ])
}

export async function findObjects(sql: Sql, environment: Environment, ids: string[]): Promise<StoredBody[]> {
  const { rows } = await sql.query<{ body: StoredBody }>(
    `select body
     from simulator_object
     where environment = $1::text and id = any($2::text[])`,
    [environment, ids],
  )
  return rows.map((row) => row.body)
}

export async function saveObject(
  sql: Sql,
  environment: Environment,
  body: StoredBody,
  { owner, dueAt }: { owner: string | null; dueAt: number | null },
): Promise<void> {
  await sql.query(
    `insert into simulator_object (environment, id, object, created, owner, due_at, body)
     values ($1::text, $2::text, $3::text, $4::bigint, $5::text, $6::bigint, $7::jsonb)
     on conflict (environment, id) do update
     set owner = excluded.owner, due_at = excluded.due_at, body = excluded.body`,
    [environment, body.id, body.object, body.created, owner, dueAt, JSON.stringify(body)],
  )
}

/** Newest first; `endingBefore` counts from its object backwards, as the protocol's cursors do. Gives one more than `limit` if there is one. */
export async function listObjects(
  sql: Sql,
  environment: Environment,
  filter: ObjectFilter,
): Promise<StoredBody[]> {
  const backwards = filter.endingBefore !== undefined
  const { rows } = await sql.query<{ body: StoredBody }>(
    `select body
     from simulator_object
     where environment = $1::text
       and object = $2::text
       and not body ? 'deleted'
       and ($3::text is null or owner = $3::text)
       and ($4::jsonb is null or body @> $4::jsonb)
       and ($5::text[] is null or body ->> 'status' = any($5::text[]))
       and ($6::text[] is null or body ->> 'type' = any($6::text[]))
       and ($7::bigint is null or created >= $7::bigint)
       and ($11::bigint is null or created <= $11::bigint)
       and ($8::text is null or position < (
         select position from simulator_object where environment = $1::text and id = $8::text))
       and ($9::text is null or position > (
         select position from simulator_object where environment = $1::text and id = $9::text))
     order by position ${backwards ? 'asc' : 'desc'}
     limit $10::int`,
    [
      environment,
      filter.object,
      filter.owner ?? null,
      filter.contains === undefined ? null : JSON.stringify(filter.contains),
      filter.statuses ?? null,
      filter.types ?? null,
      filter.createdFrom ?? null,
      filter.startingAfter ?? null,
      filter.endingBefore ?? null,
      filter.limit + 1,
      filter.createdTo ?? null,
    ],
  )
  return rows.map((row) => row.body)
}

/** The objects whose time has come, earliest first. */
export async function findDue(
  sql: Sql,
  environment: Environment,
  nowSeconds: number,
  limit: number,
): Promise<StoredBody[]> {
  const { rows } = await sql.query<{ body: StoredBody }>(
    `select body
     from simulator_object
     where environment = $1::text and due_at <= $2::bigint
     order by due_at, position
     limit $3::int`,
    [environment, nowSeconds, limit],
  )
  return rows.map((row) => row.body)
}
