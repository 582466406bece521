// What an environment offers: features, products with their versions and prices. One immutable value per revision.

import type { ResetAnchor, ResetInterval } from '../access/period.ts'
import type { Amount } from '../amount.ts'
import type { Environment } from '../environment.ts'
import { missing } from '../errors.ts'

/** Keys of features and products go into paths and code. */
export const catalogueKeyForm = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$/

export const featureTypes = ['boolean', 'limit'] as const
export type FeatureType = (typeof featureTypes)[number]

export type Feature = {
  featureId: string
  featureNo: number
  featureKey: string
  name: string
  description: string | undefined
  type: FeatureType
  tracksUsage: boolean
  usageResetInterval: ResetInterval
  usageResetAnchor: ResetAnchor
  archivedAt: number | null
  archivedReason: string | null
  createdAt: number
}

/** What one product version says of one feature. `limit` is absent when unlimited, boolean or without access. */
export type FeatureAccessEntry = {
  featureKey: string
  hasAccess: boolean
  limit: Amount | undefined
  isUnlimited: boolean
}

export type Price = {
  priceId: string
  providerPriceId: string
  currency: string | null
  unitAmount: number | null
  recurringInterval: string | null
  recurringIntervalCount: number | null
  /** Paid by what is used: it is bought without a quantity. */
  isMetered: boolean
  isActive: boolean
  isDefault: boolean
}

export const productTypes = ['provider', 'custom'] as const
export type ProductType = (typeof productTypes)[number]

export type ProductVersion = { version: number; createdAt: number; entries: FeatureAccessEntry[] }

export type Product = {
  productId: string
  /** The order of making. */
  productNo: number
  productKey: string
  name: string
  type: ProductType
  isDefault: boolean
  /** An add-on adds to what is held; any other is a main product, which displaces the default one. */
  isAddOn: boolean
  /** Whether its limits are multiplied by the quantity bought; provider products only. */
  limitsPerUnit: boolean
  metadata: Record<string, string>
  providerProductId: string | null
  archivedAt: number | null
  createdAt: number
  /** In order; a version's number is its place plus one. Never empty. */
  versions: ProductVersion[]
  prices: Price[]
}

export type Catalogue = {
  environment: Environment
  revision: number
  /** Business time where it is frozen, else null: the clock is of one revision with the catalogue. */
  frozenAt: number | null
  features: ReadonlyMap<string, Feature>
  featuresByNo: ReadonlyMap<number, Feature>
  products: ReadonlyMap<string, Product>
  productsById: ReadonlyMap<string, Product>
  productsByProviderId: ReadonlyMap<string, Product>
  defaultProduct: Product | undefined
}

export function buildCatalogue(
  { environment, revision, frozenAt }: Pick<Catalogue, 'environment' | 'revision' | 'frozenAt'>,
  features: Feature[],
  products: Product[],
): Catalogue {
  return {
    environment,
    revision,
    frozenAt,
    features: new Map(features.map((feature) => [feature.featureKey, feature])),
    featuresByNo: new Map(features.map((feature) => [feature.featureNo, feature])),
    products: new Map(products.map((product) => [product.productKey, product])),
    productsById: new Map(products.map((product) => [product.productId, product])),
    productsByProviderId: new Map(
      products.flatMap((product) =>
        product.providerProductId ? [[product.providerProductId, product]] : [],
      ),
    ),
    defaultProduct: products.find((product) => product.isDefault),
  }
}

export function getFeature(catalogue: Catalogue, featureKey: string): Feature {
  const feature = catalogue.features.get(featureKey)
  if (!feature) throw missing('feature', featureKey)
  return feature
}

/** A product that is not archived: an archived one is not fetched, bought or edited. */
export function getProduct(catalogue: Catalogue, productKey: string): Product {
  const product = catalogue.products.get(productKey)
  if (!product || product.archivedAt !== null) throw missing('product', productKey)
  return product
}

export const latestVersion = (product: Product): ProductVersion => product.versions.at(-1) as ProductVersion

/** The version a holder has; versions are never removed, so it is there. */
export const heldVersion = (product: Product, version: number): ProductVersion =>
  product.versions[version - 1] ?? latestVersion(product)
