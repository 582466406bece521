// A catalogue as a file of your repository: `tollkeeper plan` shows how the running one differs, `tollkeeper push` applies it.
import type { Feature } from './generated/api.ts'

export type FeatureDefinition =
  | { name: string; description?: string; type: 'boolean' }
  | {
      name: string
      description?: string
      type: 'limit'
      tracksUsage?: boolean
      usageResetInterval?: Feature['usageResetInterval']
      usageResetAnchor?: Feature['usageResetAnchor']
    }

type FeatureDefinitions = Readonly<Record<string, FeatureDefinition>>

/** What a product gives: true or false of a boolean feature; a limit, 'unlimited' or false of a limit feature. */
export type AccessDefinition<Features extends FeatureDefinitions = FeatureDefinitions> = {
  readonly [Key in keyof Features]?: Features[Key]['type'] extends 'boolean'
    ? boolean
    : Features[Key]['type'] extends 'limit'
      ? number | 'unlimited' | false
      : boolean | number | 'unlimited'
}

/** Assigned to customers, or, as the default, given to who has nothing else. */
export type CustomProductDefinition<Features extends FeatureDefinitions = FeatureDefinitions> = {
  name: string
  metadata?: Record<string, string>
  isDefault?: boolean
  isAddOn?: boolean
  access: AccessDefinition<Features>
}

/** Sold through the payment provider, where its name and prices are. */
export type ProviderProductDefinition<Features extends FeatureDefinitions = FeatureDefinitions> = {
  providerProductId: string
  isAddOn?: boolean
  limitsPerUnit?: boolean
  access: AccessDefinition<Features>
}

export type ProductDefinition<Features extends FeatureDefinitions = FeatureDefinitions> =
  | CustomProductDefinition<Features>
  | ProviderProductDefinition<Features>

/** By key. What a definition leaves out is left as it is; what no definition names is left alone. */
export type CatalogueDefinition<Features extends FeatureDefinitions = FeatureDefinitions> = {
  features: Features
  products: Readonly<Record<string, ProductDefinition<Features>>>
}

/**
 * Holds products to the features that are defined beside them.
 *
 * ```ts
 * export const catalogue = defineCatalogue({
 *   features: { api_calls: { name: 'API calls', type: 'limit' }, sso: { name: 'Single sign-on', type: 'boolean' } },
 *   products: { free: { name: 'Free', isDefault: true, access: { api_calls: 1000, sso: false } } },
 * })
 * ```
 */
export function defineCatalogue<const Features extends FeatureDefinitions>(
  catalogue: CatalogueDefinition<Features>,
): CatalogueDefinition<Features> {
  return catalogue
}
