// Who holds which version of a product, and moving them to another.
import type { Product } from '../../domain/catalogue/catalogue.ts'
import type { Sql } from '../database.ts'

export type Holder = { customerUid: string; version: number }

type Selection = { fromVersion: number | undefined; uids: string[] | undefined; latest: number }

/** Holders of older versions, by assignment or subscription. */
export async function listHolders(sql: Sql, product: Product, selection: Selection): Promise<Holder[]> {
  const { rows } = await sql.query<{ customer_uid: string; version: number }>(
    `select customer_uid, version from (
       select customer_uid, version from customer_product where product_id = $1
       union
       select customer_uid, coalesce(version, 1) from subscription_item where provider_product_id = $2
     ) held
     where version < $3
       and ($4::int is null or version = $4)
       and ($5::uuid[] is null or customer_uid = any($5))
     order by customer_uid, version`,
    [product.productId, product.providerProductId, selection.latest, selection.fromVersion, selection.uids],
  )
  return rows.map((row) => ({ customerUid: row.customer_uid, version: row.version }))
}

/** Raises the revisions of all of them, in the order of their uids, which locks them to the end of the transaction. */
export async function lockCustomers(sql: Sql, uids: string[]): Promise<void> {
  await sql.query(
    `with locked as (
       select customer_uid from customer where customer_uid = any($1::uuid[]) order by customer_uid for update
     )
     update customer c set revision = c.revision + 1 from locked where c.customer_uid = locked.customer_uid`,
    [uids],
  )
}

export async function moveHolders(
  sql: Sql,
  product: Product,
  { uids, fromVersion, latest }: Selection & { uids: string[] },
): Promise<void> {
  await sql.query(
    `update customer_product set version = $3
     where product_id = $1 and customer_uid = any($2::uuid[]) and version < $3 and ($4::int is null or version = $4)`,
    [product.productId, uids, latest, fromVersion],
  )
  await sql.query(
    `update subscription_item set version = $3
     where provider_product_id = $1 and customer_uid = any($2::uuid[]) and coalesce(version, 1) < $3
       and ($4::int is null or coalesce(version, 1) = $4)`,
    [product.providerProductId, uids, latest, fromVersion],
  )
}

/** Those of the uids that are customers. */
export async function listKnownUids(sql: Sql, uids: string[]): Promise<Set<string>> {
  const { rows } = await sql.query<{ customer_uid: string }>(
    'select customer_uid from customer where customer_uid = any($1::uuid[])',
    [uids],
  )
  return new Set(rows.map((row) => row.customer_uid))
}
