// The catalogue of the running service, in the form that a file has.
import type { Feature, Product, Tollkeeper } from '@tollkeeper/sdk/src/sdk.ts'
import type { DefinedFeature, DefinedProduct } from './definition.ts'

export type AccessValue = boolean | number | 'unlimited'

export type RunningFeature = { definition: DefinedFeature; isArchived: boolean }
export type RunningProduct = { definition: DefinedProduct; isArchived: boolean; version: number }
export type Running = { features: Map<string, RunningFeature>; products: Map<string, RunningProduct> }

export async function readRunning(remote: Tollkeeper): Promise<Running> {
  const running: Running = { features: new Map(), products: new Map() }
  for await (const feature of remote.features.list({ includeArchived: true }))
    running.features.set(feature.featureKey, {
      definition: toFeature(feature),
      isArchived: feature.isArchived,
    })
  for await (const product of remote.products.list({ includeArchived: true }))
    running.products.set(product.key, {
      definition: toProduct(product),
      isArchived: product.isArchived,
      version: product.version,
    })
  return running
}

function toFeature({ name, description, type, ...tracking }: Feature): DefinedFeature {
  const common = { name, ...(description === undefined ? {} : { description }) }
  if (type === 'boolean') return { ...common, type }
  const { tracksUsage, usageResetInterval, usageResetAnchor } = tracking
  return { ...common, type, tracksUsage, usageResetInterval, usageResetAnchor }
}

function toProduct(product: Product): DefinedProduct {
  const { isAddOn, limitsPerUnit = false, providerProductId } = product
  const access = toAccess(product)
  if (providerProductId !== null) return { providerProductId, isAddOn, limitsPerUnit, access }
  const { name, metadata, isDefault } = product
  return { name, metadata, isDefault, isAddOn, access }
}

const toAccess = ({ featureAccess }: Product): Record<string, AccessValue> =>
  Object.fromEntries(featureAccess.map((entry) => [entry.featureKey, toValue(entry)]))

function toValue({ type, hasAccess, isUnlimited, limit }: Product['featureAccess'][number]): AccessValue {
  if (!hasAccess || type === 'boolean') return hasAccess
  return isUnlimited ? 'unlimited' : (limit ?? 0)
}
