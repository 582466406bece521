// Changing and finding rows of customers. A customer's row is locked by raising its revision.

import type { Environment } from '../../domain/environment.ts'
import type { Customer } from '../../domain/ledger/state.ts'
import type { Sql } from '../database.ts'

export type NewCustomer = Pick<
  Customer,
  'customerUid' | 'environment' | 'customerId' | 'name' | 'email' | 'createdAt' | 'usageStartedAt'
>

/** False when the id is taken. */
export async function insertCustomer(sql: Sql, customer: NewCustomer): Promise<boolean> {
  const { rowCount } = await sql.query(
    `insert into customer (customer_uid, environment, customer_id, name, email, created_at, usage_started_at)
     values ($1, $2, $3, $4, $5, $6, $7)
     on conflict (customer_uid) do nothing`,
    [
      customer.customerUid,
      customer.environment,
      customer.customerId,
      customer.name,
      customer.email,
      customer.createdAt,
      customer.usageStartedAt,
    ],
  )
  return rowCount === 1
}

/** Raises the revision, which locks the row to the end of the transaction; undefined when there is no such customer. */
export async function lockCustomer(sql: Sql, uid: string): Promise<number | undefined> {
  const { rows } = await sql.query<{ revision: number }>(
    'update customer set revision = revision + 1 where customer_uid = $1 returning revision',
    [uid],
  )
  return rows[0]?.revision
}

export async function updateCustomerRow(
  sql: Sql,
  uid: string,
  values: Pick<Customer, 'name' | 'email' | 'usageStartedAt'>,
): Promise<void> {
  await sql.query(
    'update customer set name = $2, email = $3, usage_started_at = $4 where customer_uid = $1',
    [uid, values.name, values.email, values.usageStartedAt],
  )
}

export async function insertAssignments(
  sql: Sql,
  uid: string,
  products: { productId: string; version: number }[],
  startedAt: number,
): Promise<void> {
  await sql.query(
    `insert into customer_product (customer_uid, product_id, version, started_at)
     select $1, p.product_id, p.version, $4
     from unnest($2::uuid[], $3::int[]) as p (product_id, version)
     on conflict (customer_uid, product_id) do nothing`,
    [uid, products.map((each) => each.productId), products.map((each) => each.version), startedAt],
  )
}

export async function deleteAssignments(sql: Sql, uid: string, productIds: string[]): Promise<void> {
  await sql.query('delete from customer_product where customer_uid = $1 and product_id = any($2::uuid[])', [
    uid,
    productIds,
  ])
}

/** The customer and all it owns. */
export async function deleteCustomerRows(sql: Sql, uid: string): Promise<void> {
  for (const table of ['usage_event', 'usage_counter', 'bonus_draw', 'bonus', 'bonus_request', 'customer']) {
    await sql.query(`delete from ${table} where customer_uid = $1`, [uid])
  }
}

export type CustomerPosition = { createdAt: number; customerUid: string }

/**
 * Newest first, after a position; `search` is a substring of id, name or email in any case. None of them can hold a line
 * break, so the joined text, which is what the index is over, matches just when one of them does.
 */
export async function listCustomerUids(
  sql: Sql,
  environment: Environment,
  {
    search,
    after,
    limit,
  }: { search: string | undefined; after: CustomerPosition | undefined; limit: number },
): Promise<CustomerPosition[]> {
  const { rows } = await sql.query<{ created_at: number; customer_uid: string }>(
    `select created_at, customer_uid from customer
     where environment = $1
       and ($2::bigint is null or (created_at, customer_uid) < ($2, $3::uuid))
       and ($4::text is null or (customer_id || E'\\n' || coalesce(name, '') || E'\\n' || coalesce(email, '')) ilike $4)
     order by created_at desc, customer_uid desc
     limit $5`,
    [
      environment,
      after?.createdAt,
      after?.customerUid,
      search === undefined ? null : `%${escapeLike(search)}%`,
      limit,
    ],
  )
  return rows.map((row) => ({ createdAt: row.created_at, customerUid: row.customer_uid }))
}

const escapeLike = (text: string): string => text.replaceAll(/[\\%_]/g, '\\$&')

/** The ids of those that exist in this environment, in the order asked; undefined for the others. */
export async function findCustomerIds(
  sql: Sql,
  environment: Environment,
  uids: string[],
): Promise<(string | undefined)[]> {
  const { rows } = await sql.query<{ customer_uid: string; customer_id: string }>(
    'select customer_uid, customer_id from customer where customer_uid = any($1::uuid[]) and environment = $2',
    [uids, environment],
  )
  const ids = new Map(rows.map((row) => [row.customer_uid, row.customer_id]))
  return uids.map((uid) => ids.get(uid))
}
