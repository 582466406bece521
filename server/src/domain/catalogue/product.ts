// The rules of a product: what may be set on which kind, and its feature access configuration.
import { type Amount, amountFromNumber } from '../amount.ts'
import { invalid, quote } from '../errors.ts'
import type { Catalogue, Feature, FeatureAccessEntry, Product, ProductVersion } from './catalogue.ts'

export type ProductInput = {
  name?: string | undefined
  metadata?: Record<string, string> | undefined
  isDefault?: boolean | undefined
  isAddOn?: boolean | undefined
  limitsPerUnit?: boolean | undefined
}

const ofCustomOnly = ['name', 'metadata', 'isDefault'] as const

/** The product after an update. The default product is a main product: an add-on would give nobody a plan to fall back to. */
export function decideProduct(before: Product, input: ProductInput): Product {
  if (before.type === 'provider') {
    const field = ofCustomOnly.find((name) => input[name] !== undefined)
    if (field) throw invalid(`${field} can be set on custom products only.`)
  } else if (input.limitsPerUnit !== undefined) {
    throw invalid(
      'limitsPerUnit can be set on provider products only: a custom product is not bought in units.',
    )
  }
  const after = {
    ...before,
    name: input.name ?? before.name,
    metadata: input.metadata ?? before.metadata,
    isDefault: input.isDefault ?? before.isDefault,
    isAddOn: input.isAddOn ?? before.isAddOn,
    limitsPerUnit: input.limitsPerUnit ?? before.limitsPerUnit,
  }
  if (after.isDefault && after.isAddOn) {
    throw invalid(
      before.isAddOn && input.isAddOn === undefined
        ? 'isDefault: an add-on cannot be the default product; send isAddOn: false with it.'
        : 'isAddOn: the default product cannot be an add-on.',
    )
  }
  return after
}

export type FeatureAccessItem = {
  featureKey: string
  hasAccess: boolean
  limit?: number | undefined
  isUnlimited?: true | undefined
}

/** Checks a configuration as it was sent; `current` is the version it replaces, whose archived features may stay. */
export function decideEntries(
  catalogue: Catalogue,
  items: FeatureAccessItem[],
  current?: ProductVersion,
): FeatureAccessEntry[] {
  const seen = new Set<string>()
  const held = new Set(current?.entries.map((entry) => entry.featureKey))
  return items.map((item, index) => {
    const at = `featureAccess[${index}]`
    const feature = catalogue.features.get(item.featureKey)
    if (!feature) throw invalid(`${at}.featureKey: there is no feature ${quote(item.featureKey)}.`)
    if (seen.has(item.featureKey))
      throw invalid(`${at}.featureKey: ${quote(item.featureKey)} is given more than once.`)
    seen.add(item.featureKey)
    if (feature.archivedAt !== null && !held.has(item.featureKey)) {
      throw invalid(
        `${at}.featureKey: ${quote(item.featureKey)} is archived and cannot be added to a product.`,
      )
    }
    return decideEntry(feature, item, at)
  })
}

function decideEntry(feature: Feature, item: FeatureAccessItem, at: string): FeatureAccessEntry {
  const { featureKey, hasAccess, limit, isUnlimited } = item
  if (feature.type === 'boolean') {
    if (limit !== undefined)
      throw invalid(`${at}.limit: ${quote(featureKey)} is a boolean feature, it takes no limit.`)
    if (isUnlimited) throw invalid(`${at}.isUnlimited: ${quote(featureKey)} is a boolean feature.`)
  } else if (limit !== undefined && isUnlimited) {
    throw invalid(`${at}: give either limit or isUnlimited, not both.`)
  } else if (hasAccess && limit === undefined && !isUnlimited) {
    throw invalid(`${at}: limit or isUnlimited is required with hasAccess true.`)
  }
  return {
    featureKey,
    hasAccess,
    limit: limit === undefined ? undefined : (amountFromNumber(limit) satisfies Amount),
    isUnlimited: isUnlimited === true,
  }
}
