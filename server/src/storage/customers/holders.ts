// Who holds which version of a product, and moving them to another. Provider ids are unique per environment only, and rows of
// deleted customers may still be there: holders are customers of the environment.
import type { Product } from '../../domain/catalogue/catalogue.ts'
import type { Environment } from '../../domain/environment.ts'
import type { Sql } from '../database.ts'
import { markDue } from '../statistics/mark-due.ts'

export type Holder = { customerUid: string; version: number }

export type Selection = {
  environment: Environment
  fromVersion: number | undefined
  uids: string[] | undefined
  latest: number
}

/** Holders of older versions, by assignment or subscription. */
export async function listHolders(sql: Sql, product: Product, selection: Selection): Promise<Holder[]> {
  const { rows } = await sql.query<{ customer_uid: string; version: number }>(
    `select held.customer_uid, held.version from (
       select customer_uid, version from customer_product where product_id = $1
       union
       select customer_uid, coalesce(version, 1) from subscription_item where provider_product_id = $2
     ) held
     join customer c on c.customer_uid = held.customer_uid and c.environment = $6
     where held.version < $3
       and ($4::int is null or held.version = $4)
       and ($5::uuid[] is null or held.customer_uid = any($5))
     order by held.customer_uid, held.version`,
    [
      product.productId,
      product.providerProductId,
      selection.latest,
      selection.fromVersion,
      selection.uids,
      selection.environment,
    ],
  )
  return rows.map((row) => ({ customerUid: row.customer_uid, version: row.version }))
}

/**
 * Raises the revisions of all of them, in the order of their uids, which locks them to the end of the transaction. Whoever is
 * locked otherwise is waited for only briefly: meanwhile those before it are held up.
 */
export async function lockHolders(sql: Sql, uids: string[]): Promise<void> {
  await sql.query(`set local lock_timeout to '100ms'`)
  await sql.query(
    `with locked as (
       select customer_uid from customer where customer_uid = any($1::uuid[]) order by customer_uid for update
     )
     update customer c set revision = c.revision + 1 from locked where c.customer_uid = locked.customer_uid`,
    [uids],
  )
  await markDue(sql, uids)
}

/** Call it under the locks of these customers, which are holders in the product's environment. */
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

/** Who holds a product now; of the default one also whoever has none of the main products. */
export type Holding = { product: Product; mainProducts: readonly Product[] }

const holdsIt = `customer_uid in (
         select customer_uid from customer_product where product_id = $6::uuid
         union all
         select customer_uid from subscription_item where provider_product_id = $7::text
       )`

const holdsNoMain = `not exists (
         select from customer_product p where p.customer_uid = customer.customer_uid and p.product_id = any($8::uuid[])
       ) and not exists (
         select from subscription s
         join subscription_item i on i.customer_uid = s.customer_uid and i.subscription_id = s.subscription_id
         where s.customer_uid = customer.customer_uid and s.phase = 'granting' and i.provider_product_id = any($9::text[])
       )`

/** Whether the customer is such a holder; parameters begin with $6. Only the default needs a look at who holds what else. */
export const writeHoldingSql = ({ product }: Holding): string =>
  product.isDefault ? `(${holdsIt} or (${holdsNoMain}))` : holdsIt

export const toHoldingValues = ({ product, mainProducts }: Holding): unknown[] => [
  product.productId,
  product.providerProductId,
  ...(product.isDefault
    ? [
        mainProducts.filter((each) => each.type === 'custom').map((each) => each.productId),
        mainProducts.flatMap((each) => each.providerProductId ?? []),
      ]
    : []),
]
