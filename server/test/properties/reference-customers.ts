// The reference model's customers and the questions asked about them: contract section 4, the map and the check of
// section 5.
import { allowanceOf, heldProducts } from './reference-access.ts'
import { exact, largestTotal, periodFromAnchor } from './reference-arithmetic.ts'
import { bonusesThatCanBeDrawn } from './reference-bonuses.ts'
import { accessMapOf, entryOf, standingOf } from './reference-entry.ts'
import {
  getCustomer,
  getFeature,
  getProduct,
  Refusal,
  require,
  requireAmount,
  requireTimestamp,
} from './reference-refusal.ts'
import {
  type Answer,
  type Customer,
  type Feature,
  forget,
  type Metadata,
  type State,
} from './reference-state.ts'
import { withFallBack } from './reference-subscriptions.ts'

function shownProducts(state: State, customer: Customer, now: number) {
  const month = periodFromAnchor('month', customer.usageStartedAt, now)
  return heldProducts(state, customer).map((held) => {
    const { productKey, version, startedAt, status, canceledAt, items } = held
    const { name, isDefault, metadata, providerProductId } = getProduct(state, productKey)
    const currentPeriodStart = items[0]?.currentPeriodStart ?? month.start
    const currentPeriodEnd = items[0]?.currentPeriodEnd ?? month.end
    return {
      key: productKey,
      name,
      type: providerProductId === null ? 'custom' : 'provider',
      isDefault,
      status,
      version,
      metadata,
      canceledAt,
      startedAt,
      currentPeriodStart,
      currentPeriodEnd,
      prices: items.map(({ providerPriceId, quantity }) => ({ providerPriceId, quantity })),
    }
  })
}

function shownCustomer(state: State, customer: Customer, now: number) {
  const { customerId, name, email, metadata, created, usageStartedAt } = customer
  return {
    customerId,
    ...(name === undefined ? {} : { name }),
    ...(email === undefined ? {} : { email }),
    metadata,
    created,
    usageStartedAt,
    enviroment: 'test',
    products: shownProducts(state, customer, now),
    featureAccess: accessMapOf(state, customer, now),
    bonuses: bonusesThatCanBeDrawn(state, customer, now),
  }
}

/** What is held already stays at its version; a new one comes at the latest, unless it is archived. */
function assign(state: State, now: number, customer: Customer, productKeys: string[]): void {
  for (const productKey of productKeys) {
    if (customer.assigned.some((held) => held.productKey === productKey)) continue
    const product = state.products.find((one) => one.productKey === productKey)
    require(product?.providerProductId === null, 400, `no custom product ${productKey}`)
    require(product.archivedAt === null, 400, `${productKey} is archived`)
    product.wasHeld = true
    customer.assigned.push({ productKey, version: product.versions.length, startedAt: now })
  }
}

export type CustomerBody = {
  customerId: string
  name?: string
  email?: string
  metadata?: Metadata
  usageStartedAt?: number
  customProductKeys?: string[]
  ifExists?: 'return' | 'update'
}

/** The provider's id for it is given from outside. */
export function createCustomer(state: State, now: number, body: CustomerBody, providerId?: string): Answer {
  const { customerId, name, email, metadata = {}, usageStartedAt = now, customProductKeys = [] } = body
  const providerCustomerId = providerId ?? undefined
  requireTimestamp(usageStartedAt, 'usageStartedAt')
  if (state.customers.some((one) => one.customerId === customerId)) {
    if (body.ifExists === 'return') return readCustomer(state, now, customerId)
    require(body.ifExists === 'update', 409, 'customerId is taken')
    const { customProductKeys: addCustomProductKeys = [], ifExists: _ifExists, ...details } = body
    return updateCustomer(state, now, customerId, { ...details, addCustomProductKeys })
  }
  const blank = { assigned: [], subscriptions: [], providerCustomerId }
  const customer: Customer = { customerId, name, email, metadata, created: now, usageStartedAt, ...blank }
  assign(state, now, customer, customProductKeys)
  state.customers.push(customer)
  return { status: 201, body: shownCustomer(state, customer, now) }
}

export function readCustomer(state: State, now: number, customerId: string): Answer {
  const customer = state.customers.find((one) => one.customerId === customerId)
  return { status: 200, body: customer === undefined ? null : shownCustomer(state, customer, now) }
}

export type CustomerUpdate = {
  name?: string | null
  email?: string | null
  metadata?: Metadata
  usageStartedAt?: number
  addCustomProductKeys?: string[]
  removeCustomProductKeys?: string[]
}

export function updateCustomer(state: State, now: number, customerId: string, body: CustomerUpdate): Answer {
  const { addCustomProductKeys: added = [], removeCustomProductKeys: removed = [] } = body
  if (body.usageStartedAt !== undefined) requireTimestamp(body.usageStartedAt, 'usageStartedAt')
  require(!added.some((key) => removed.includes(key)), 400, 'a product is both added and removed')
  const customer = getCustomer(state, customerId)
  const isCustom = (key: string) =>
    state.products.some((product) => product.productKey === key && product.providerProductId === null)
  require([...added, ...removed].every(isCustom), 400, 'no custom product')
  withFallBack(state, customer, now, () => {
    assign(state, now, customer, added)
    customer.assigned = customer.assigned.filter((held) => !removed.includes(held.productKey))
  })
  customer.name = body.name === undefined ? customer.name : (body.name ?? undefined)
  customer.email = body.email === undefined ? customer.email : (body.email ?? undefined)
  customer.metadata = body.metadata ?? customer.metadata
  customer.usageStartedAt = body.usageStartedAt ?? customer.usageStartedAt
  return { status: 200, body: shownCustomer(state, customer, now) }
}

export function deleteCustomer(state: State, _now: number, customerId: string): Answer {
  getCustomer(state, customerId)
  state.customers = state.customers.filter((customer) => customer.customerId !== customerId)
  state.idempotencyKeys = state.idempotencyKeys.filter((taken) => taken.customerId !== customerId)
  forget(state, (of) => of.customerId === customerId)
  return { status: 200, body: { id: customerId } }
}

export function featureAccess(state: State, now: number, customerId: string): Answer {
  return { status: 200, body: accessMapOf(state, getCustomer(state, customerId), now) }
}

/** What would take the total beyond 10^12 is refused as the write would be. */
function requireTotal(state: State, customer: Customer, feature: Feature, amount: bigint, now: number): void {
  if (amount === 0n || standingOf(state, customer, feature, now).used + amount <= largestTotal) return
  throw new Refusal(400, 'the total would exceed 10^12', 'total_out_of_range')
}

export function check(
  state: State,
  now: number,
  query: { customerId: string; featureKey: string; amount?: number },
): Answer {
  const { amount = 1 } = query
  requireAmount(amount, 'amount')
  require(amount >= 0, 400, 'amount is below zero')
  const customer = getCustomer(state, query.customerId)
  const feature = getFeature(state, query.featureKey)
  const { hasAccess, isUnlimited, limit } = allowanceOf(state, customer, feature.featureKey)
  const remaining = feature.tracksUsage ? standingOf(state, customer, feature, now).remaining : limit
  const fits =
    feature.type === 'boolean' || isUnlimited || remaining === undefined || exact(amount) <= remaining
  const refusal = !hasAccess ? { reason: 'no_access' } : fits ? {} : { reason: 'limit_reached' }
  const entry = entryOf(state, customer, feature, now)
  if (hasAccess && fits && feature.tracksUsage) requireTotal(state, customer, feature, exact(amount), now)
  return { status: 200, body: { allowed: hasAccess && fits, ...refusal, ...entry } }
}
