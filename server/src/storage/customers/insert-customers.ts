// Making many customers by one statement, with the products they are assigned.
import type { Environment } from '../../domain/environment.ts'
import type { Sql } from '../database.ts'
import type { NewCustomer } from './customers.ts'

/** The uids of those that were made; an id that is taken, also by one before it, makes none. */
export async function insertCustomers(
  sql: Sql,
  environment: Environment,
  createdAt: number,
  customers: NewCustomer[],
): Promise<Set<string>> {
  // Whoever makes the same ones at the same time waits for the other, so that all do so in the same order: by hash.
  const { rows } = await sql.query<{ customer_uid: string }>(
    `insert into customer (customer_uid, customer_hash, environment, customer_id, name, email, created_at, usage_started_at,
       metadata)
     select c.uid, c.hash, $1, c.id, c.name, c.email, $2, c.usage_started_at, c.metadata::jsonb
     from unnest($3::uuid[], $4::uuid[], $5::text[], $6::text[], $7::text[], $8::bigint[], $9::text[])
       with ordinality as c (uid, hash, id, name, email, usage_started_at, metadata, place)
     order by c.hash, c.place
     on conflict (customer_hash) do nothing
     returning customer_uid`,
    [
      environment,
      createdAt,
      customers.map(({ customerUid }) => customerUid),
      customers.map(({ customerHash }) => customerHash),
      customers.map(({ customerId }) => customerId),
      customers.map(({ name }) => name ?? null),
      customers.map(({ email }) => email ?? null),
      customers.map(({ usageStartedAt }) => usageStartedAt),
      customers.map(({ metadata }) => JSON.stringify(metadata)),
    ],
  )
  return new Set(rows.map((row) => row.customer_uid))
}

export type NewAssignment = { customerUid: string; productId: string; version: number }

/** Products are marked as assigned in the order of their ids: two that do so at once never wait in a circle. */
export async function insertManyAssignments(
  sql: Sql,
  startedAt: number,
  assignments: NewAssignment[],
): Promise<void> {
  if (assignments.length === 0) return
  await sql.query(
    `with given (customer_uid, product_id, version) as (
       select * from unnest($1::uuid[], $2::uuid[], $3::int[])
     ), marked as (
       insert into assigned_product (product_id)
       select distinct product_id from given order by product_id
       on conflict do nothing
     )
     insert into customer_product (customer_uid, product_id, version, started_at)
     select customer_uid, product_id, version, $4 from given`,
    [
      assignments.map(({ customerUid }) => customerUid),
      assignments.map(({ productId }) => productId),
      assignments.map(({ version }) => version),
      startedAt,
    ],
  )
}
