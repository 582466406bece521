// Does one action of a plan at the running service.
import type { NewFeature, ProductAccessEntry, Tollkeeper } from '@tollkeeper/sdk/src/sdk.ts'
import type { Action, FieldChange, ProductChange } from './compare.ts'
import { type DefinedProduct, isProviderProduct } from './definition.ts'

export async function apply(remote: Tollkeeper, action: Action): Promise<void> {
  if (action.kind === 'archive' || action.kind === 'unarchive') await archive(remote, action)
  else if (action.kind === 'change' && action.noun === 'product') await changeProduct(remote, action)
  else if (action.kind === 'change') await remote.features.update(action.key, toUpdate(action.changes))
  else if (action.noun === 'product') await createProduct(remote, action.key, action.definition)
  else await remote.features.create({ featureKey: action.key, ...action.definition } as NewFeature)
}

type Archiving = Extract<Action, { kind: 'archive' | 'unarchive' }>

async function archive({ features, products }: Tollkeeper, { kind, noun, key }: Archiving): Promise<void> {
  const archived = kind === 'archive'
  if (noun === 'feature') await features.archive(key, { archived })
  else await products.archive(key, archived)
}

async function createProduct(remote: Tollkeeper, key: string, definition: DefinedProduct): Promise<void> {
  const featureAccess = toEntries(definition)
  if (isProviderProduct(definition)) {
    const { access: _, ...link } = definition
    await remote.products.link({ productKey: key, ...link })
    if (featureAccess.length > 0) await remote.products.setFeatureAccess(key, featureAccess)
    return
  }
  const { access: _, isAddOn, ...product } = definition
  await remote.products.createCustom({ productKey: key, ...product, featureAccess })
  if (isAddOn) await remote.products.update(key, { isAddOn })
}

async function changeProduct(remote: Tollkeeper, action: ProductChange): Promise<void> {
  const { key, changes, access, isNewVersion, definition } = action
  if (changes.length > 0) await remote.products.update(key, toUpdate(changes))
  if (access.length === 0) return
  if (isNewVersion) await remote.products.createVersion(key)
  await remote.products.setFeatureAccess(key, toEntries(definition))
}

const toUpdate = (changes: FieldChange[]): Record<string, unknown> =>
  Object.fromEntries(changes.map(({ field, after }) => [field, after]))

const toEntries = ({ access }: DefinedProduct): ProductAccessEntry[] =>
  Object.entries(access).flatMap(([featureKey, value]) => {
    if (value === undefined || value === false) return []
    if (value === true) return { featureKey, hasAccess: true }
    return value === 'unlimited'
      ? { featureKey, hasAccess: true, isUnlimited: true as const }
      : { featureKey, hasAccess: true, limit: value }
  })
