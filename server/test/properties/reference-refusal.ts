// When the reference model refuses: unknown things, and values that are none.
import { isExact } from './reference-arithmetic.ts'
import type { Bonus, Customer, Feature, Id, Product, State, UsageEvent } from './reference-state.ts'

/** An answer outside 2xx; the code only where the contract names one. */
export class Refusal extends Error {
  readonly status: number
  readonly code: string | undefined
  constructor(status: number, message: string, code?: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

export function require(condition: boolean, status: number, message: string): asserts condition {
  if (!condition) throw new Refusal(status, message)
}

function found<T>(thing: T | undefined, name: string): T {
  if (thing === undefined) throw new Refusal(404, `unknown ${name}`)
  return thing
}

export const getFeature = (state: State, featureKey: string): Feature =>
  found(
    state.features.find((feature) => feature.featureKey === featureKey),
    `feature ${featureKey}`,
  )

export const getProduct = (state: State, productKey: string): Product =>
  found(
    state.products.find((product) => product.productKey === productKey),
    `product ${productKey}`,
  )

export const getCustomer = (state: State, customerId: string): Customer =>
  found(
    state.customers.find((customer) => customer.customerId === customerId),
    `customer ${customerId}`,
  )

export const getEvent = (state: State, id: Id): UsageEvent =>
  found(
    state.events.find((event) => event.id === id && !event.isDeleted),
    `usage event ${id}`,
  )

export const getBonus = (state: State, id: Id): Bonus =>
  found(
    state.bonuses.find((bonus) => bonus.id === id),
    `bonus ${id}`,
  )

export function requireAmount(value: number, name: string): void {
  require(isExact(value), 400, `${name} is not an amount`)
}

export function requireTimestamp(value: number, name: string): void {
  const inRange = value >= Date.UTC(2000, 0) && value < Date.UTC(2101, 0)
  require(Number.isInteger(value) && inRange, 400, `${name} is not a timestamp`)
}

export function requireTracking(feature: Feature): void {
  require(feature.type === 'limit' && feature.tracksUsage, 400, `${feature.featureKey} tracks no usage`)
}
