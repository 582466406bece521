// Changing and finding rows of customers. A customer's row is locked by raising its revision.

import type { FallBack } from '../../domain/access/fall-back.ts'
import type { Environment } from '../../domain/environment.ts'
import type { Customer } from '../../domain/ledger/state.ts'
import type { Sql } from '../database.ts'
import { markDue } from '../statistics/mark-due.ts'
import { type Holding, toHoldingValues, writeHoldingSql } from './holders.ts'

export type NewCustomer = Pick<
  Customer,
  | 'customerUid'
  | 'customerHash'
  | 'environment'
  | 'customerId'
  | 'name'
  | 'email'
  | 'metadata'
  | 'createdAt'
  | 'usageStartedAt'
>

/** False when the id is taken. */
export async function insertCustomer(sql: Sql, customer: NewCustomer): Promise<boolean> {
  const { rowCount } = await sql.query(
    `insert into customer (customer_uid, customer_hash, environment, customer_id, name, email, created_at, usage_started_at,
       metadata)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
     on conflict (customer_hash) do nothing`,
    [
      customer.customerUid,
      customer.customerHash,
      customer.environment,
      customer.customerId,
      customer.name,
      customer.email,
      customer.createdAt,
      customer.usageStartedAt,
      JSON.stringify(customer.metadata),
    ],
  )
  await markDue(sql, [customer.customerUid])
  return rowCount === 1
}

/** Raises the revision, which locks the row to the end of the transaction; false when there is no such customer. */
export async function raiseRevision(sql: Sql, uid: string): Promise<boolean> {
  const { rowCount } = await sql.query(
    'update customer set revision = revision + 1 where customer_uid = $1',
    [uid],
  )
  await markDue(sql, [uid])
  return rowCount === 1
}

export async function updateCustomerRow(
  sql: Sql,
  uid: string,
  values: Pick<Customer, 'name' | 'email' | 'metadata' | 'usageStartedAt'>,
): Promise<void> {
  await sql.query(
    'update customer set name = $2, email = $3, metadata = $4, usage_started_at = $5 where customer_uid = $1',
    [uid, values.name, values.email, JSON.stringify(values.metadata), values.usageStartedAt],
  )
}

/** An instant of falling back stays until there is a later one. */
export async function setFallBack(
  sql: Sql,
  uid: string,
  { mainEndedAt, fellBackAt }: FallBack,
): Promise<void> {
  await sql.query(
    `update customer set main_ended_at = $2, fell_back_at = coalesce($3, fell_back_at) where customer_uid = $1`,
    [uid, mainEndedAt, fellBackAt],
  )
}

/** Marks the products as assigned, in the order of their ids: two that do so at once never wait in a circle. */
export async function insertAssignments(
  sql: Sql,
  uid: string,
  products: { productId: string; version: number }[],
  startedAt: number,
): Promise<void> {
  await sql.query(
    `with marked as (
       insert into assigned_product (product_id)
       select p.product_id from unnest($2::uuid[]) as p (product_id) order by p.product_id
       on conflict do nothing
     )
     insert into customer_product (customer_uid, product_id, version, started_at)
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

/** What the customer owns is unreachable from now on, and is purged in steps. Call it under the lock. */
export async function deleteCustomerRow(sql: Sql, uid: string): Promise<void> {
  await sql.query(
    'insert into customer_purge (customer_uid, environment) select customer_uid, environment from customer where customer_uid = $1',
    [uid],
  )
  await sql.query('delete from customer where customer_uid = $1', [uid])
}

export type CustomerPosition = { createdAt: number; customerNo: number }

export type ListedCustomer = CustomerPosition & { customerHash: string }

type ListOptions = {
  search: string | undefined
  holding: Holding | undefined
  after: CustomerPosition | undefined
  limit: number
}

/**
 * Newest first, after a position; `search` is a substring of id, name or email in any case. None of them can hold a line
 * break, so the joined text, which is what the index is over, matches just when one of them does.
 */
export async function listCustomers(
  sql: Sql,
  environment: Environment,
  { search, holding, after, limit }: ListOptions,
): Promise<ListedCustomer[]> {
  const { rows } = await sql.query<{ created_at: number; customer_no: number; customer_hash: string }>(
    `select created_at, customer_no, customer_hash from customer
     where environment = $1
       and ($2::bigint is null or (created_at, customer_no) < ($2, $3::bigint))
       and ($4::text is null or (customer_id || E'\\n' || coalesce(name, '') || E'\\n' || coalesce(email, '')) ilike $4)
       ${holding ? `and ${writeHoldingSql(holding)}` : ''}
     order by created_at desc, customer_no desc
     limit $5`,
    [
      environment,
      after?.createdAt,
      after?.customerNo,
      search === undefined ? null : `%${escapeLike(search)}%`,
      limit,
      ...(holding ? toHoldingValues(holding) : []),
    ],
  )
  return rows.map((row) => ({
    createdAt: row.created_at,
    customerNo: row.customer_no,
    customerHash: row.customer_hash,
  }))
}

const escapeLike = (text: string): string => text.replaceAll(/[\\%_]/g, '\\$&')

export async function findCustomerUid(sql: Sql, customerHash: string): Promise<string | undefined> {
  const { rows } = await sql.query<{ customer_uid: string }>(
    'select customer_uid from customer where customer_hash = $1',
    [customerHash],
  )
  return rows[0]?.customer_uid
}

/** The names of the customer whose uid this is; undefined when there is none in this environment. */
export async function findCustomerName(
  sql: Sql,
  environment: Environment,
  uid: string,
): Promise<{ customerHash: string; customerId: string } | undefined> {
  const { rows } = await sql.query<{ customer_hash: string; customer_id: string }>(
    'select customer_hash, customer_id from customer where customer_uid = $1 and environment = $2',
    [uid, environment],
  )
  const row = rows[0]
  return row && { customerHash: row.customer_hash, customerId: row.customer_id }
}

/** The uids of those that exist, by hash. */
export async function findCustomerUids(sql: Sql, hashes: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await sql.query<{ customer_hash: string; customer_uid: string }>(
    'select customer_hash, customer_uid from customer where customer_hash = any($1::uuid[])',
    [hashes],
  )
  return new Map(rows.map((row) => [row.customer_hash, row.customer_uid]))
}
