// What the reference model remembers of one environment: plain arrays, nothing derived, nothing indexed.
import type { Interval } from './reference-arithmetic.ts'

export type Metadata = Record<string, string>

/** A number of the model's own, or what the service answered when it made the thing. */
export type Id = number | string

export type Feature = {
  featureKey: string
  name: string
  description?: string | undefined
  type: 'boolean' | 'limit'
  tracksUsage: boolean
  /** Kept while usage is not tracked. */
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
  /** Of a provider product; a custom one has none. */
  providerProductId: string | null
  name: string
  metadata: Metadata
  isDefault: boolean
  isAddOn: boolean
  limitsPerUnit: boolean
  /** Ever assigned or the default. */
  wasHeld: boolean
  archivedAt: number | null
  versions: Entry[][]
}

export type Customer = {
  customerId: string
  name?: string | undefined
  email?: string | undefined
  metadata: Metadata
  created: number
  usageStartedAt: number
  /** When the last main product that gave access went, and when the last that did not leave a subscription going on. */
  mainEndedAt?: number | undefined
  fellBackAt?: number | undefined
  assigned: { productKey: string; version: number; startedAt: number }[]
  providerCustomerId?: string | undefined
  subscriptions: Subscription[]
}

export type SubscriptionItem = {
  providerProductId: string
  providerPriceId: string
  quantity: number
  currentPeriodStart: number
  currentPeriodEnd: number
}

/** As the provider has it, and which version of its product each item holds. */
export type Subscription = {
  subscriptionId: string
  status: string
  startedAt: number
  billingAnchorAt: number
  canceledAt: number | null
  items: (SubscriptionItem & { version: number })[]
}

/** A deleted event stays, because it keeps its keys; `sent` is what the caller first sent. */
export type UsageEvent = {
  id: Id
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
  id: Id
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
export type Draw = { bonusId: Id; amount: bigint; at: number }

export type Answer = { status: number; code?: string; body?: unknown }

export type State = {
  frozenAt: number | null
  lastId: number
  /** Ids that things made from now on get, as the service answered them. */
  given: Id[]
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
  given: [],
  features: [],
  products: [],
  customers: [],
  events: [],
  bonuses: [],
  draws: [],
  idempotencyKeys: [],
})

/** A copy that no operation on the original changes, and the other way round. */
export const copyState = (state: State): State => ({
  ...state,
  given: [...state.given],
  features: state.features.map((feature) => ({ ...feature })),
  products: state.products.map((product) => ({ ...product, versions: [...product.versions] })),
  customers: state.customers.map((customer) => ({
    ...customer,
    assigned: customer.assigned.map((held) => ({ ...held })),
    subscriptions: customer.subscriptions.map((subscription) => ({
      ...subscription,
      items: subscription.items.map((item) => ({ ...item })),
    })),
  })),
  events: state.events.map((event) => ({ ...event })),
  bonuses: state.bonuses.map((bonus) => ({ ...bonus })),
  draws: [...state.draws],
  idempotencyKeys: [...state.idempotencyKeys],
})

export const nextId = (state: State): Id => state.given.shift() ?? ++state.lastId

export const compareIds = (a: Id, b: Id): number => (a < b ? -1 : a > b ? 1 : 0)

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
