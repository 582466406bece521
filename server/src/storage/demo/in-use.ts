// What of the demo catalogue others have come to use, and removing the rest. Call these under the catalogue's lock, when no write
// is under way.
import type { Environment } from '../../domain/environment.ts'
import type { Sql } from '../database.ts'

/** Waits for writes that may be giving somebody a product or using a feature; none begins before the commit. */
export async function awaitWrites(sql: Sql, environment: Environment): Promise<void> {
  await sql.query('select await_writes($1)', [environment])
}

/** Of these, the products that any customer is assigned or subscribes to. */
export async function listHeldProducts(
  sql: Sql,
  environment: Environment,
  productIds: readonly string[],
): Promise<string[]> {
  const { rows } = await sql.query<{ product_id: string }>(
    `select p.product_id from product p
     where p.environment = $1 and p.product_id = any($2::uuid[]) and exists (
       select from customer_product h join customer c on c.customer_uid = h.customer_uid and c.environment = $1
       where h.product_id = p.product_id
       union all
       select from subscription_item i join customer c on c.customer_uid = i.customer_uid and c.environment = $1
       where i.provider_product_id = p.provider_product_id
     )`,
    [environment, productIds],
  )
  return rows.map((row) => row.product_id)
}

/** Of these, the features that any customer has used or has a bonus of, or that a product's configuration names. */
export async function listUsedFeatures(
  sql: Sql,
  environment: Environment,
  featureIds: readonly string[],
): Promise<string[]> {
  const { rows } = await sql.query<{ feature_id: string }>(
    `select f.feature_id from feature f
     where f.environment = $1 and f.feature_id = any($2::uuid[]) and (
       exists (select from feature_access_entry e where e.feature_id = f.feature_id)
       or exists (select from customer c where c.environment = $1 and f.feature_no = any(c.used_features))
       or exists (
         select from bonus b join customer c on c.customer_uid = b.customer_uid and c.environment = $1
         where b.feature_no = f.feature_no
       )
     )`,
    [environment, featureIds],
  )
  return rows.map((row) => row.feature_id)
}

/** With all that belongs to it; nobody may hold it. */
export async function deleteProductRows(sql: Sql, productId: string): Promise<void> {
  for (const table of ['feature_access_entry', 'product_version', 'price', 'assigned_product', 'product'])
    await sql.query(`delete from ${table} where product_id = $1`, [productId])
}
