// A product on the wire, and a feature access configuration as it is sent.
import { z } from 'zod'
import { amountToNumber } from '../../domain/amount.ts'
import {
  type Catalogue,
  type FeatureAccessEntry,
  featureTypes,
  latestVersion,
  type Price,
  type Product,
  type ProductVersion,
  productTypes,
} from '../../domain/catalogue/catalogue.ts'
import { amount, catalogueKey } from '../fields.ts'

export const featureAccessItems = z
  .array(
    z
      .strictObject({
        featureKey: catalogueKey,
        hasAccess: z.boolean(),
        limit: amount.min(0).optional(),
        isUnlimited: z.literal(true).optional(),
      })
      .meta({ id: 'FeatureAccessItem', description: 'What a product shall give of one feature' }),
  )
  .max(1000)
  .meta({ description: 'A limit feature with access needs exactly one of limit and isUnlimited' })

const priceSchema = z
  .strictObject({
    id: z.string(),
    providerPriceId: z.string(),
    currency: z.string().nullable(),
    unitAmount: z.number().nullable(),
    recurringInterval: z.string().nullable(),
    recurringIntervalCount: z.number().nullable(),
    isActive: z.boolean(),
    isDefault: z.boolean(),
  })
  .meta({ id: 'Price', description: 'A price of the payment provider' })

const entrySchema = z
  .strictObject({
    featureKey: z.string(),
    name: z.string(),
    type: z.enum(featureTypes),
    hasAccess: z.boolean(),
    limit: z.number().nullable().optional(),
    isUnlimited: z.boolean().optional(),
  })
  .meta({ id: 'ProductFeatureAccess', description: 'What a product version gives of one feature' })

export const productSchema = z
  .strictObject({
    id: z.string(),
    key: z.string(),
    name: z.string(),
    type: z.enum(productTypes),
    isDefault: z.boolean(),
    isAddOn: z.boolean(),
    isArchived: z.boolean(),
    archivedAt: z.int().nullable(),
    limitsPerUnit: z
      .boolean()
      .optional()
      .meta({ description: 'Provider products only: limits are multiplied by the quantity bought' }),
    version: z.int(),
    providerProductId: z.string().nullable(),
    metadata: z.record(z.string(), z.string()),
    prices: z.array(priceSchema),
    featureAccess: z.array(entrySchema),
  })
  .meta({ id: 'Product', description: 'One version of a product, the latest unless said otherwise' })

export function toApiProduct(
  catalogue: Catalogue,
  product: Product,
  version: ProductVersion = latestVersion(product),
): z.input<typeof productSchema> {
  return {
    id: product.productId,
    key: product.productKey,
    name: product.name,
    type: product.type,
    isDefault: product.isDefault,
    isAddOn: product.isAddOn,
    isArchived: product.archivedAt !== null,
    archivedAt: product.archivedAt,
    ...(product.type === 'provider' ? { limitsPerUnit: product.limitsPerUnit } : {}),
    version: version.version,
    providerProductId: product.providerProductId,
    metadata: product.metadata,
    prices: product.prices.map(toApiPrice),
    featureAccess: version.entries.flatMap((entry) => toApiEntry(catalogue, entry) ?? []),
  }
}

const toApiPrice = ({ priceId, isMetered: _, ...price }: Price): z.input<typeof priceSchema> => ({
  id: priceId,
  ...price,
})

function toApiEntry(
  catalogue: Catalogue,
  entry: FeatureAccessEntry,
): z.input<typeof entrySchema> | undefined {
  const feature = catalogue.features.get(entry.featureKey)
  if (!feature) return undefined
  const { featureKey, name, type } = feature
  const common = { featureKey, name, type, hasAccess: entry.hasAccess }
  if (type === 'boolean') return common
  const limit = entry.limit === undefined ? null : amountToNumber(entry.limit)
  return { ...common, limit, isUnlimited: entry.isUnlimited }
}
