// The reference model's custom products: the parts of contract section 3 that decide what customers hold.

import { getCustomer, getFeature, getProduct, require, requireAmount } from './reference-refusal.ts'
import type { Answer, Customer, Entry, Metadata, Product, State } from './reference-state.ts'

const latestOf = (product: Product): Entry[] => product.versions.at(-1) ?? []

function shownEntry(state: State, entry: Entry) {
  const { name, type } = getFeature(state, entry.featureKey)
  const shown = { featureKey: entry.featureKey, name, type, hasAccess: entry.hasAccess }
  if (type === 'boolean') return shown
  return { ...shown, limit: entry.limit ?? null, isUnlimited: entry.isUnlimited ?? false }
}

function productAnswer(state: State, product: Product, status = 200): Answer {
  const body = {
    key: product.productKey,
    name: product.name,
    type: product.providerProductId === null ? 'custom' : 'provider',
    isDefault: product.isDefault,
    isAddOn: product.isAddOn,
    isArchived: product.archivedAt !== null,
    archivedAt: product.archivedAt,
    ...(product.providerProductId === null ? {} : { limitsPerUnit: product.limitsPerUnit }),
    version: product.versions.length,
    providerProductId: product.providerProductId,
    metadata: product.metadata,
    prices: [],
    featureAccess: latestOf(product).map((entry) => shownEntry(state, entry)),
  }
  return { status, body }
}

/** An archived feature may stay where it is, but not be added anew. */
function requireEntries(state: State, entries: Entry[], before: Entry[]): void {
  const keys = entries.map((entry) => entry.featureKey)
  require(new Set(keys).size === keys.length, 400, 'a featureKey is repeated')
  for (const { featureKey, hasAccess, limit, isUnlimited } of entries) {
    const feature = state.features.find((one) => one.featureKey === featureKey)
    require(feature !== undefined, 400, `unknown feature ${featureKey}`)
    const wasThere = before.some((entry) => entry.featureKey === featureKey)
    require(feature.archivedAt === null || wasThere, 400, `${featureKey} is archived`)
    if (limit !== undefined) requireAmount(limit, 'limit')
    require(limit === undefined || limit >= 0, 400, 'limit is below zero')
    const sent = Number(limit !== undefined) + Number(isUnlimited !== undefined)
    if (feature.type === 'boolean') require(sent === 0, 400, `${featureKey} is boolean and has no limit`)
    else require(!hasAccess || sent === 1, 400, `${featureKey} needs exactly one of limit and isUnlimited`)
  }
}

function moveDefault(state: State, product: Product, isDefault: boolean): void {
  if (isDefault) for (const other of state.products) other.isDefault = false
  product.isDefault = isDefault
  product.wasHeld ||= isDefault
}

const blank = {
  isDefault: false,
  isAddOn: false,
  limitsPerUnit: false,
  wasHeld: false,
  archivedAt: null,
}

export type ProductBody = {
  name: string
  productKey: string
  metadata?: Metadata
  isDefault?: boolean
  featureAccess?: Entry[]
}

export function createCustomProduct(state: State, _now: number, body: ProductBody): Answer {
  const { name, productKey, metadata = {}, isDefault = false, featureAccess = [] } = body
  requireEntries(state, featureAccess, [])
  require(!state.products.some((product) => product.productKey === productKey), 409, 'productKey is taken')
  const versions = [featureAccess]
  const product: Product = { ...blank, providerProductId: null, productKey, name, metadata, versions }
  state.products.push(product)
  moveDefault(state, product, isDefault)
  return productAnswer(state, product, 201)
}

/** Links a product of the provider, named as it is there. */
export function linkProduct(
  state: State,
  _now: number,
  body: { productKey: string; providerProductId: string; name: string },
): Answer {
  require(!state.products.some((one) => one.productKey === body.productKey), 409, 'productKey is taken')
  const product: Product = { ...blank, ...body, metadata: {}, versions: [[]] }
  state.products.push(product)
  return productAnswer(state, product, 201)
}

function getEditableProduct(state: State, productKey: string): Product {
  const product = getProduct(state, productKey)
  require(product.archivedAt === null, 400, `${productKey} is archived`)
  return product
}

export function getLatestProduct(state: State, _now: number, productKey: string): Answer {
  const product = getProduct(state, productKey)
  require(product.archivedAt === null, 404, `${productKey} is archived`)
  return productAnswer(state, product)
}

export function updateProduct(
  state: State,
  _now: number,
  productKey: string,
  body: {
    name?: string
    metadata?: Metadata
    isDefault?: boolean
    isAddOn?: boolean
    limitsPerUnit?: boolean
  },
): Answer {
  const product = getEditableProduct(state, productKey)
  const isCustom = product.providerProductId === null
  const ofCustom = [body.name, body.metadata, body.isDefault].some((sent) => sent !== undefined)
  require(isCustom || !ofCustom, 400, 'only custom products have these')
  require(!isCustom || body.limitsPerUnit === undefined, 400, 'only provider products have units')
  product.isAddOn = body.isAddOn ?? product.isAddOn
  product.limitsPerUnit = body.limitsPerUnit ?? product.limitsPerUnit
  require(!product.isAddOn || !(body.isDefault ?? product.isDefault), 400, 'the default is no add-on')
  product.name = body.name ?? product.name
  product.metadata = body.metadata ?? product.metadata
  if (body.isDefault !== undefined) moveDefault(state, product, body.isDefault)
  return productAnswer(state, product)
}

export function archiveProduct(
  state: State,
  now: number,
  productKey: string,
  body: { archived: boolean },
): Answer {
  const product = getProduct(state, productKey)
  product.archivedAt = body.archived ? (product.archivedAt ?? now) : null
  if (body.archived) product.isDefault = false
  return productAnswer(state, product)
}

export function deleteProduct(state: State, _now: number, productKey: string): Answer {
  const { providerProductId, wasHeld } = getProduct(state, productKey)
  require(providerProductId === null && !wasHeld, 409, `${productKey} was held`)
  state.products = state.products.filter((product) => product.productKey !== productKey)
  return { status: 200, body: { deleted: true, productKey } }
}

export function setFeatureAccess(
  state: State,
  _now: number,
  productKey: string,
  body: { featureAccess: Entry[] },
): Answer {
  const product = getEditableProduct(state, productKey)
  requireEntries(state, body.featureAccess, latestOf(product))
  product.versions[product.versions.length - 1] = body.featureAccess
  return productAnswer(state, product)
}

export function createVersion(state: State, _now: number, productKey: string): Answer {
  const product = getEditableProduct(state, productKey)
  product.versions.push([...latestOf(product)])
  return productAnswer(state, product, 201)
}

/** Moves all holders to the latest version; of the answer only their number is modelled. */
export function migrate(
  state: State,
  _now: number,
  productKey: string,
  body: { fromVersion?: number; customerIds?: string[]; dryRun?: boolean } = {},
): Answer {
  const { versions, providerProductId } = getProduct(state, productKey)
  const latest = versions.length
  const customers = body.customerIds?.map((id) => getCustomer(state, id)) ?? state.customers
  const movingOf = (customer: Customer) => {
    const items = customer.subscriptions.flatMap((subscription) => subscription.items)
    return [
      ...customer.assigned.filter((held) => held.productKey === productKey),
      ...items.filter((item) => item.providerProductId === providerProductId),
    ].filter((held) => held.version !== latest && held.version === (body.fromVersion ?? held.version))
  }
  const moved = customers.filter((customer) => movingOf(customer).length > 0)
  if (body.dryRun !== true) for (const held of customers.flatMap(movingOf)) held.version = latest
  return { status: 200, body: { migrated: moved.length } }
}
