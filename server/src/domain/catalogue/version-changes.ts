// What moving a product's holders to its latest version changes for them, feature by feature.
import type { FeatureAccessEntry, Product } from './catalogue.ts'
import { heldVersion, latestVersion } from './catalogue.ts'

export type VersionChange = {
  fromVersion: number
  featureKey: string
  /** How many holders of that version are concerned. */
  customers: number
  /** Whether they have less afterwards: access gone, or a lower limit. */
  loses: boolean
  before: FeatureAccessEntry | undefined
  after: FeatureAccessEntry | undefined
}

/** One change per version held and feature whose entry differs, in the order of versions. */
export function computeVersionChanges(
  product: Product,
  holders: ReadonlyMap<number, number>,
): VersionChange[] {
  const latest = entriesByFeature(latestVersion(product).entries)
  return [...holders]
    .sort(([a], [b]) => a - b)
    .flatMap(([fromVersion, customers]) => {
      const held = entriesByFeature(heldVersion(product, fromVersion).entries)
      const featureKeys = new Set([...held.keys(), ...latest.keys()])
      return [...featureKeys].flatMap((featureKey) => {
        const before = held.get(featureKey)
        const after = latest.get(featureKey)
        if (weigh(before) === weigh(after)) return []
        return { fromVersion, featureKey, customers, loses: weigh(after) < weigh(before), before, after }
      })
    })
}

const entriesByFeature = (entries: FeatureAccessEntry[]) =>
  new Map(entries.map((entry) => [entry.featureKey, entry]))

/** How much an entry gives: nothing, access with a limit, everything. A boolean entry with access has no limit. */
function weigh(entry: FeatureAccessEntry | undefined): bigint | number {
  if (!entry?.hasAccess) return -1n
  return entry.isUnlimited ? Infinity : (entry.limit ?? 0n)
}
