// What has to be done so that the running catalogue is as the file says, in an order in which nothing is missing.
import { CommandError } from '../command-error.ts'
import { type DefinedFeature, type DefinedProduct, type Definition, isProviderProduct } from './definition.ts'
import type { AccessValue, Running, RunningProduct } from './running.ts'

/** `takes` says that it takes something away from somebody: it is asked for before it is done. */
export type FieldChange = { field: string; before: unknown; after: unknown; takes: boolean }

export type Action =
  | { kind: 'create'; noun: 'feature'; key: string; definition: DefinedFeature }
  | { kind: 'create'; noun: 'product'; key: string; definition: DefinedProduct }
  | { kind: 'change'; noun: 'feature'; key: string; changes: FieldChange[] }
  | ProductChange
  | { kind: 'archive'; noun: 'feature' | 'product'; key: string }
  | { kind: 'unarchive'; noun: 'feature' | 'product'; key: string }

export type ProductChange = {
  kind: 'change'
  noun: 'product'
  key: string
  /** The one whose holders follow. */
  version: number
  changes: FieldChange[]
  access: FieldChange[]
  /** Whether a version is made for it, and holders stay on theirs. */
  isNewVersion: boolean
  definition: DefinedProduct
}

export type CompareOptions = { prune: boolean; newVersions: boolean }

export function compare(wanted: Definition, running: Running, options: CompareOptions): Action[] {
  checkReferences(wanted, running)
  const features = Object.entries(wanted.features).flatMap(([key, definition]) =>
    compareFeature(key, definition, running),
  )
  const products = Object.entries(wanted.products).flatMap(([key, definition]) =>
    compareProduct(key, definition, running.products.get(key), options),
  )
  // The default moves to another product before it leaves the one that has it: at no time is there none.
  products.sort((a, b) => Number(takesDefault(b)) - Number(takesDefault(a)))
  return [...features, ...products, ...(options.prune ? findUnnamed(wanted, running) : [])]
}

const takesDefault = (action: Action): boolean =>
  'definition' in action && 'isDefault' in action.definition && action.definition.isDefault === true

/** Products first: a feature that nobody sells any more is archived after them. */
function findUnnamed(wanted: Definition, running: Running): Action[] {
  const unnamed = (noun: 'feature' | 'product'): Action[] =>
    [...running[`${noun}s`]]
      .filter(([key, { isArchived }]) => !isArchived && !Object.hasOwn(wanted[`${noun}s`], key))
      .map(([key]) => ({ kind: 'archive', noun, key }))
  return [...unnamed('product'), ...unnamed('feature')]
}

function checkReferences(wanted: Definition, running: Running): void {
  for (const [productKey, { access }] of Object.entries(wanted.products)) {
    for (const [featureKey, value] of Object.entries(access)) {
      const at = `products.${productKey}.access.${featureKey}`
      const feature = wanted.features[featureKey] ?? running.features.get(featureKey)?.definition
      if (feature === undefined) throw new CommandError(`${at}: there is no such feature.`)
      if (feature.type === 'boolean' && typeof value !== 'boolean')
        throw new CommandError(`${at} must be true or false: it is a boolean feature.`)
      if (feature.type === 'limit' && value === true)
        throw new CommandError(`${at} must be a number, "unlimited" or false: it is a limit feature.`)
    }
  }
}

function compareFeature(key: string, definition: DefinedFeature, running: Running): Action[] {
  const found = running.features.get(key)
  if (!found) return [{ kind: 'create', noun: 'feature', key, definition }]
  if (found.definition.type !== definition.type)
    throw new CommandError(
      `features.${key}.type is ${found.definition.type} and never changes: use another key.`,
    )
  const changes = compareFields(found.definition, definition, (field, after) =>
    field === 'tracksUsage' ? after === false : field.startsWith('usageReset'),
  )
  return [
    ...(found.isArchived ? [{ kind: 'unarchive', noun: 'feature', key } as const] : []),
    ...(changes.length > 0 ? [{ kind: 'change', noun: 'feature', key, changes } as const] : []),
  ]
}

function compareProduct(
  key: string,
  definition: DefinedProduct,
  found: RunningProduct | undefined,
  { newVersions }: CompareOptions,
): Action[] {
  if (!found) return [{ kind: 'create', noun: 'product', key, definition }]
  checkKind(key, definition, found.definition)
  // An archived product is no longer the default, whatever is said of it.
  const changes = compareFields(
    found.definition,
    definition,
    (field, after) =>
      field === 'isDefault' || field === 'isAddOn' || (field === 'limitsPerUnit' && after === false),
  )
  const access = compareAccess(found.definition.access, definition.access)
  const isNewVersion = newVersions && access.length > 0
  const change: ProductChange = {
    kind: 'change',
    noun: 'product',
    key,
    version: found.version,
    changes,
    // Whoever holds the version before keeps what it gives.
    access: isNewVersion ? access.map((each) => ({ ...each, takes: false })) : access,
    isNewVersion,
    definition,
  }
  return [
    ...(found.isArchived ? [{ kind: 'unarchive', noun: 'product', key } as const] : []),
    ...(changes.length + access.length > 0 ? [change] : []),
  ]
}

function checkKind(key: string, wanted: DefinedProduct, found: DefinedProduct): void {
  const idOf = (product: DefinedProduct) =>
    isProviderProduct(product) ? product.providerProductId : undefined
  if (idOf(wanted) === idOf(found)) return
  const is = idOf(found) === undefined ? 'a custom product' : `linked to ${idOf(found)}`
  throw new CommandError(`products.${key} is ${is}, which never changes: use another key.`)
}

/** What the file leaves out is left as it is. */
function compareFields(
  before: object,
  after: object,
  takes: (field: string, after: unknown) => boolean,
): FieldChange[] {
  const present = before as Record<string, unknown>
  return Object.entries(after)
    .filter(([field]) => field !== 'access' && field !== 'type')
    .filter(([field, value]) => value !== undefined && !isEqual(present[field], value))
    .map(([field, value]) => ({
      field,
      before: present[field],
      after: value,
      takes: takes(field, value),
    }))
}

/** Metadata is the only value with parts; the order of its keys says nothing. */
function isEqual(a: unknown, b: unknown): boolean {
  const sorted = (value: unknown) =>
    typeof value === 'object' && value !== null ? Object.entries(value).sort() : value
  return JSON.stringify(sorted(a)) === JSON.stringify(sorted(b))
}

type Access = Readonly<Record<string, AccessValue | undefined>>

/** No entry gives as little as one that says no. */
function compareAccess(before: Access, after: Access): FieldChange[] {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...keys].sort().flatMap((field) => {
    const [was = false, is = false] = [before[field], after[field]]
    return was === is ? [] : [{ field, before: was, after: is, takes: isLess(is, was) }]
  })
}

const sizeOf = (value: AccessValue): number =>
  value === 'unlimited' ? Number.POSITIVE_INFINITY : value === false ? -1 : Number(value)

const isLess = (is: AccessValue, was: AccessValue): boolean => sizeOf(is) < sizeOf(was)

export const takesAway = (action: Action): boolean =>
  action.kind === 'archive' ||
  (action.kind === 'change' &&
    [...action.changes, ...('access' in action ? action.access : [])].some(({ takes }) => takes))
