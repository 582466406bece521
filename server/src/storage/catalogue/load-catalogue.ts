// Reading the catalogue's rows into one value.

import type { ResetAnchor, ResetInterval } from '../../domain/access/period.ts'
import { amountFromText } from '../../domain/amount.ts'
import {
  buildCatalogue,
  type Catalogue,
  type Feature,
  type FeatureAccessEntry,
  type FeatureType,
  type Price,
  type Product,
  type ProductType,
  type ProductVersion,
} from '../../domain/catalogue/catalogue.ts'
import type { Environment } from '../../domain/environment.ts'
import type { Sql } from '../database.ts'

/** Call it under the catalogue's lock or in one snapshot: it is several statements. */
export async function loadCatalogue(sql: Sql, environment: Environment): Promise<Catalogue> {
  const { rows } = await sql.query<{ revision: number; frozen_at: number | null }>(
    'select catalogue_revision as revision, frozen_at from environment where environment = $1',
    [environment],
  )
  const { revision, frozen_at: frozenAt } = rows[0] ?? { revision: 0, frozen_at: null }
  const features = await loadFeatures(sql, environment)
  const products = await loadProducts(sql, environment)
  return buildCatalogue({ environment, revision, frozenAt }, features, products)
}

type FeatureRow = {
  feature_id: string
  feature_no: number
  feature_key: string
  name: string
  description: string | null
  type: FeatureType
  tracks_usage: boolean
  usage_reset_interval: ResetInterval
  usage_reset_anchor: ResetAnchor
  archived_at: number | null
  archived_reason: string | null
  created_at: number
}

async function loadFeatures(sql: Sql, environment: Environment): Promise<Feature[]> {
  const { rows } = await sql.query<FeatureRow>(
    `select feature_id, feature_no, feature_key, name, description, type, tracks_usage, usage_reset_interval,
       usage_reset_anchor, archived_at, archived_reason, created_at
     from feature where environment = $1 order by created_at, feature_no`,
    [environment],
  )
  return rows.map((row) => ({
    featureId: row.feature_id,
    featureNo: row.feature_no,
    featureKey: row.feature_key,
    name: row.name,
    description: row.description ?? undefined,
    type: row.type,
    tracksUsage: row.tracks_usage,
    usageResetInterval: row.usage_reset_interval,
    usageResetAnchor: row.usage_reset_anchor,
    archivedAt: row.archived_at,
    archivedReason: row.archived_reason,
    createdAt: row.created_at,
  }))
}

type ProductRow = {
  product_id: string
  product_no: number
  product_key: string
  name: string
  type: ProductType
  is_default: boolean
  is_add_on: boolean
  limits_per_unit: boolean
  metadata: Record<string, string>
  provider_product_id: string | null
  archived_at: number | null
  created_at: number
}

async function loadProducts(sql: Sql, environment: Environment): Promise<Product[]> {
  const { rows } = await sql.query<ProductRow>(
    `select product_id, product_no, product_key, name, type, is_default, is_add_on, limits_per_unit, metadata,
       provider_product_id, archived_at, created_at
     from product where environment = $1 order by created_at, product_no`,
    [environment],
  )
  const versions = await loadVersions(sql, environment)
  const prices = await loadPrices(sql, environment)
  return rows.map((row) => ({
    productId: row.product_id,
    productNo: row.product_no,
    productKey: row.product_key,
    name: row.name,
    type: row.type,
    isDefault: row.is_default,
    isAddOn: row.is_add_on,
    limitsPerUnit: row.limits_per_unit,
    metadata: row.metadata,
    providerProductId: row.provider_product_id,
    archivedAt: row.archived_at,
    createdAt: row.created_at,
    versions: versions.get(row.product_id) ?? [],
    prices: prices.get(row.product_id) ?? [],
  }))
}

type EntryRow = {
  product_id: string
  version: number
  created_at: number
  feature_key: string | null
  has_access: boolean
  limit_amount: string | null
  is_unlimited: boolean
}

async function loadVersions(sql: Sql, environment: Environment): Promise<Map<string, ProductVersion[]>> {
  const { rows } = await sql.query<EntryRow>(
    `select v.product_id, v.version, v.created_at, f.feature_key, e.has_access, e.limit_amount, e.is_unlimited
     from product_version v
     join product p using (product_id)
     left join feature_access_entry e on e.product_id = v.product_id and e.version = v.version
     left join feature f on f.feature_id = e.feature_id
     where p.environment = $1
     order by v.product_id, v.version, e.position`,
    [environment],
  )
  const versions = new Map<string, ProductVersion[]>()
  for (const row of rows) {
    const list = versions.getOrInsert(row.product_id, [])
    if (list.at(-1)?.version !== row.version) {
      list.push({ version: row.version, createdAt: row.created_at, entries: [] })
    }
    if (row.feature_key !== null) list.at(-1)?.entries.push(toEntry(row, row.feature_key))
  }
  return versions
}

const toEntry = (row: EntryRow, featureKey: string): FeatureAccessEntry => ({
  featureKey,
  hasAccess: row.has_access,
  limit: row.limit_amount === null ? undefined : amountFromText(row.limit_amount),
  isUnlimited: row.is_unlimited,
})

type PriceRow = {
  product_id: string
  price_id: string
  provider_price_id: string
  currency: string | null
  unit_amount: string | null
  recurring_interval: string | null
  recurring_interval_count: number | null
  is_metered: boolean
  is_active: boolean
  is_default: boolean
}

async function loadPrices(sql: Sql, environment: Environment): Promise<Map<string, Price[]>> {
  const { rows } = await sql.query<PriceRow>(
    `select x.product_id, x.price_id, x.provider_price_id, x.currency, x.unit_amount, x.recurring_interval,
       x.recurring_interval_count, x.is_metered, x.is_active, x.is_default
     from price x join product p using (product_id)
     where p.environment = $1
     order by x.product_id, x.created_at, x.price_id`,
    [environment],
  )
  const byProduct = Map.groupBy(rows, (row) => row.product_id)
  return new Map([...byProduct].map(([productId, prices]) => [productId, prices.map(toPrice)]))
}

const toPrice = (row: PriceRow): Price => ({
  priceId: row.price_id,
  providerPriceId: row.provider_price_id,
  currency: row.currency,
  unitAmount: row.unit_amount === null ? null : Number(row.unit_amount),
  recurringInterval: row.recurring_interval,
  recurringIntervalCount: row.recurring_interval_count,
  isMetered: row.is_metered,
  isActive: row.is_active,
  isDefault: row.is_default,
})
