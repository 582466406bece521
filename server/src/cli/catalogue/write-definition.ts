// Writes the running catalogue as a file that plan finds no difference in: what is archived is left out.
import type { DefinedFeature, DefinedProduct } from './definition.ts'
import type { Running } from './running.ts'

/** As JSON, or as a module that holds products to the features beside them. */
export function writeDefinition(running: Running, isJson: boolean): string {
  const definition = {
    features: toRecord(running.features, omitUsual),
    products: toRecord(running.products, omitUsualOfProduct),
  }
  const text = JSON.stringify(definition, null, 2)
  if (isJson) return `${text}\n`
  return `// Written by \`tollkeeper pull --catalogue\`. Change it, look at \`tollkeeper plan\`, then \`tollkeeper push\`.
import { defineCatalogue } from '@tollkeeper/sdk/catalogue'

export const catalogue = defineCatalogue(${text})
`
}

type Item<Definition> = { definition: Definition; isArchived: boolean }

/** In the order of keys, so that a change shows as one line. */
function toRecord<Definition>(
  items: Map<string, Item<Definition>>,
  write: (definition: Definition) => unknown,
): Record<string, unknown> {
  const open = [...items].filter(([, { isArchived }]) => !isArchived)
  return Object.fromEntries(
    open.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([key, { definition }]) => [key, write(definition)]),
  )
}

function omitUsual(feature: DefinedFeature): unknown {
  if (feature.type === 'boolean' || feature.tracksUsage) return feature
  // What is not counted is not reset.
  const { usageResetInterval: _, ...rest } = feature
  return rest
}

function omitUsualOfProduct(product: DefinedProduct): unknown {
  const usual = (value: unknown) =>
    value === false || (typeof value === 'object' && value !== null && Object.keys(value).length === 0)
  const kept = Object.entries(product).filter(([field, value]) => field === 'access' || !usual(value))
  const access = Object.entries(product.access).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return { ...Object.fromEntries(kept), access: Object.fromEntries(access) }
}
