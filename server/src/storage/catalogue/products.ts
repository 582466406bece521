// Changing rows of products, versions and entries. Call these under the catalogue's lock.
import { amountToText } from '../../domain/amount.ts'
import type { Catalogue, FeatureAccessEntry, Product } from '../../domain/catalogue/catalogue.ts'
import type { Environment } from '../../domain/environment.ts'
import type { Sql } from '../database.ts'

export type NewProduct = Pick<
  Product,
  'productId' | 'productKey' | 'name' | 'type' | 'metadata' | 'providerProductId' | 'createdAt'
> &
  Partial<Pick<Product, 'isAddOn' | 'limitsPerUnit'>>

export async function insertProduct(sql: Sql, environment: Environment, product: NewProduct): Promise<void> {
  await sql.query(
    `insert into product (product_id, environment, product_key, name, type, metadata, provider_product_id, created_at,
       is_add_on, limits_per_unit)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [
      product.productId,
      environment,
      product.productKey,
      product.name,
      product.type,
      JSON.stringify(product.metadata),
      product.providerProductId,
      product.createdAt,
      product.isAddOn ?? false,
      product.limitsPerUnit ?? false,
    ],
  )
}

export async function updateProduct(
  sql: Sql,
  product: Pick<
    Product,
    'productId' | 'name' | 'metadata' | 'isDefault' | 'archivedAt' | 'isAddOn' | 'limitsPerUnit'
  >,
): Promise<void> {
  await sql.query(
    `update product set name = $2, metadata = $3, is_default = $4, archived_at = $5, is_add_on = $6, limits_per_unit = $7
     where product_id = $1`,
    [
      product.productId,
      product.name,
      JSON.stringify(product.metadata),
      product.isDefault,
      product.archivedAt,
      product.isAddOn,
      product.limitsPerUnit,
    ],
  )
}

/** Takes the default from whichever product has it and gives it to this one, which is a main product. */
export async function moveDefault(sql: Sql, environment: Environment, productId: string): Promise<void> {
  await sql.query('update product set is_default = false where environment = $1 and is_default', [
    environment,
  ])
  await sql.query(
    'update product set is_default = true, is_add_on = false, was_default = true where product_id = $1',
    [productId],
  )
}

/**
 * False when it was assigned or the default once. Writes that may be assigning it are over first, and none begins before the
 * commit: whichever comes first, the mark is seen or the product is gone.
 */
export async function deleteNeverHeld(
  sql: Sql,
  environment: Environment,
  productId: string,
): Promise<boolean> {
  await sql.query('select await_writes($1)', [environment])
  const { rows } = await sql.query<{ was_held: boolean }>(
    `select was_default or exists (select from assigned_product where product_id = $1) as was_held
     from product where product_id = $1`,
    [productId],
  )
  if (rows[0]?.was_held !== false) return false
  for (const table of ['feature_access_entry', 'product_version', 'product'])
    await sql.query(`delete from ${table} where product_id = $1`, [productId])
  return true
}

export async function insertVersion(
  sql: Sql,
  productId: string,
  version: number,
  createdAt: number,
): Promise<void> {
  await sql.query('insert into product_version (product_id, version, created_at) values ($1, $2, $3)', [
    productId,
    version,
    createdAt,
  ])
}

export async function replaceEntries(
  sql: Sql,
  catalogue: Catalogue,
  productId: string,
  version: number,
  entries: FeatureAccessEntry[],
): Promise<void> {
  await sql.query('delete from feature_access_entry where product_id = $1 and version = $2', [
    productId,
    version,
  ])
  const feature = (entry: FeatureAccessEntry) => catalogue.features.get(entry.featureKey)?.featureId
  await sql.query(
    `insert into feature_access_entry (product_id, version, position, feature_id, has_access, limit_amount, is_unlimited)
     select $1, $2, e.position, e.feature_id, e.has_access, e.limit_amount, e.is_unlimited
     from unnest($3::uuid[], $4::boolean[], $5::numeric[], $6::boolean[])
       with ordinality as e (feature_id, has_access, limit_amount, is_unlimited, position)`,
    [
      productId,
      version,
      entries.map(feature),
      entries.map((entry) => entry.hasAccess),
      entries.map((entry) => (entry.limit === undefined ? null : amountToText(entry.limit))),
      entries.map((entry) => entry.isUnlimited),
    ],
  )
}
