// The provider's side of products: prices as last fetched, and the order of fetches. Changes go under the catalogue's lock.
import { randomUUID } from 'node:crypto'
import type { Price } from '../../domain/catalogue/catalogue.ts'
import type { Environment } from '../../domain/environment.ts'
import type { Sql } from '../database.ts'

export type NewPrice = Omit<Price, 'priceId'>

/** A price keeps its id; one that is gone at the provider is kept, inactive. */
export async function savePrices(
  sql: Sql,
  productId: string,
  prices: readonly NewPrice[],
  now: number,
): Promise<void> {
  await sql.query(
    'update price set is_active = false, is_default = false where product_id = $1 and not (provider_price_id = any($2))',
    [productId, prices.map((price) => price.providerPriceId)],
  )
  for (const price of prices) {
    await sql.query(
      `insert into price (price_id, product_id, provider_price_id, currency, unit_amount, recurring_interval,
         recurring_interval_count, is_metered, is_active, is_default, created_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
       on conflict (product_id, provider_price_id) do update set
         currency = excluded.currency, unit_amount = excluded.unit_amount,
         recurring_interval = excluded.recurring_interval,
         recurring_interval_count = excluded.recurring_interval_count,
         is_metered = excluded.is_metered, is_active = excluded.is_active, is_default = excluded.is_default`,
      [
        randomUUID(),
        productId,
        price.providerPriceId,
        price.currency,
        price.unitAmount,
        price.recurringInterval,
        price.recurringIntervalCount,
        price.isMetered,
        price.isActive,
        price.isDefault,
        now,
      ],
    )
  }
}

/** The number of the fetch that begins now; undefined when the product is not linked. */
export async function beginProductFetch(
  sql: Sql,
  environment: Environment,
  providerProductId: string,
): Promise<number | undefined> {
  const { rows } = await sql.query<{ fetch_started: number }>(
    `update product set fetch_started = fetch_started + 1
     where environment = $1 and provider_product_id = $2
     returning fetch_started`,
    [environment, providerProductId],
  )
  return rows[0]?.fetch_started
}

/** As one fetch of each linked product: the numbers, by provider product. */
export async function beginProductFetches(sql: Sql, environment: Environment): Promise<Map<string, number>> {
  const { rows } = await sql.query<{ provider_product_id: string; fetch_started: number }>(
    `update product set fetch_started = fetch_started + 1
     where environment = $1 and provider_product_id is not null
     returning provider_product_id, fetch_started`,
    [environment],
  )
  return new Map(rows.map((row) => [row.provider_product_id, row.fetch_started]))
}

/** Undefined when a later fetch was saved already, else whether the provider had the product active before. */
export async function admitProductFetch(
  sql: Sql,
  productId: string,
  generation: number,
): Promise<boolean | undefined> {
  const { rows } = await sql.query<{ is_provider_active: boolean }>(
    'update product set fetch_saved = $2 where product_id = $1 and fetch_saved < $2 returning is_provider_active',
    [productId, generation],
  )
  return rows[0]?.is_provider_active
}

export async function setProviderActive(sql: Sql, productId: string, isActive: boolean): Promise<void> {
  await sql.query('update product set is_provider_active = $2 where product_id = $1', [productId, isActive])
}
