// What the reference model remembers of one environment: plain arrays, nothing derived, nothing indexed.
import { type Interval, isExact } from './reference-arithmetic.ts'

export type Metadata = Record<string, string>

export type Feature = {
  featureKey: string
  name: string
  description?: string | undefined
  type: 'boolean' | 'limit'
  tracksUsage: boolean
  interval: Interval
  anchor: 'billing_cycle' | 'calendar'
  archivedAt: number | null
  archivedReason: string | null
}

export type Entry = {
  featureKey: string
  hasAccess: boolean
  limit?: number | undefined
  isUnlimited?: true | undefined
}

/** Version n is versions[n - 1]. */
export type Product = {
  productKey: string
  name: string
  metadata: Metadata
  isDefault: boolean
  isArchived: boolean
  versions: Entry[][]
}

export type Customer = {
  customerId: string
  name?: string | undefined
  email?: string | undefined
  created: number
  usageStartedAt: number
  assigned: { productKey: string; version: number; startedAt: number }[]
}

/** A deleted event stays, because it keeps its keys; `sent` is what the caller first sent. */
export type UsageEvent = {
  id: number
  customerId: string
  featureKey: string
  amount: bigint
  occurredAt: number
  source: 'usage' | 'usage_set_adjustment'
  eventKey?: string | undefined
  keysTaken: string[]
  metadata: Metadata
  isDeleted: boolean
  sent: { kind: 'record' | 'set'; amount: bigint; occurredAt?: number | undefined }
  firstAdjustment: bigint
}

export type Bonus = {
  id: number
  customerId: string
  featureKey: string
  amount: bigint
  createdAt: number
  updatedAt: number
  expiresAt?: number | undefined
  reason?: string | undefined
  metadata: Metadata
}

/** In the order they were made. */
export type Draw = { bonusId: number; amount: bigint; at: number }

export type Answer = { status: number; code?: string; body?: unknown }

export type State = {
  frozenAt: number | null
  lastId: number
  features: Feature[]
  products: Product[]
  customers: Customer[]
  events: UsageEvent[]
  bonuses: Bonus[]
  draws: Draw[]
  idempotencyKeys: { key: string; customerId: string; body: string; answer: Answer }[]
}

export const createState = (): State => ({
  frozenAt: null,
  lastId: 0,
  features: [],
  products: [],
  customers: [],
  events: [],
  bonuses: [],
  draws: [],
  idempotencyKeys: [],
})

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

export const getEvent = (state: State, id: number): UsageEvent =>
  found(
    state.events.find((event) => event.id === id && !event.isDeleted),
    `usage event ${id}`,
  )

export const getBonus = (state: State, id: number): Bonus =>
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

/** Forgets all that a customer, a feature, or the pair of them leaves behind. */
export function forget(
  state: State,
  isGone: (of: { customerId: string; featureKey: string }) => boolean,
): void {
  const bonusIds = state.bonuses.filter(isGone).map((bonus) => bonus.id)
  state.draws = state.draws.filter((draw) => !bonusIds.includes(draw.bonusId))
  state.bonuses = state.bonuses.filter((bonus) => !isGone(bonus))
  state.events = state.events.filter((event) => !isGone(event))
}
