// The rules of a product's feature access configuration.
import { type Amount, amountFromNumber } from '../amount.ts'
import { invalid, quote } from '../errors.ts'
import type { Catalogue, Feature, FeatureAccessEntry, ProductVersion } from './catalogue.ts'

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
