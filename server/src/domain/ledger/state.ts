// A customer and everything one has, as one immutable value per revision; what is computed from it is in the files beside.
import type { Period } from '../access/period.ts'
import type { Amount } from '../amount.ts'
import type { SubscriptionPhase } from '../billing/subscription-phase.ts'
import type { Environment } from '../environment.ts'

export type Customer = {
  /** Names this customer and all it owns; one made anew under the same id has another. */
  customerUid: string
  /** Of environment and id: what a request knows without a look-up. */
  customerHash: string
  environment: Environment
  customerId: string
  name: string | undefined
  email: string | undefined
  metadata: Record<string, string>
  createdAt: number
  usageStartedAt: number
  /** When the last main product that gave access ended, was suspended or removed. */
  mainEndedAt: number | undefined
  /** The same, of what ended or was removed whole: leaving a subscription that goes on cuts no period. */
  fellBackAt: number | undefined
  providerCustomerId: string | undefined
  hasPaymentMethod: boolean
  /** Nothing was counted or drawn later; undefined while there is nothing. */
  lastEventAt: number | undefined
  /** By their numbers: no other feature ever had an event. */
  usedFeatures: readonly number[]
}

export type Assignment = { productId: string; version: number; startedAt: number }

export type SubscriptionItem = {
  itemId: string
  providerProductId: string
  providerPriceId: string
  /** The product version held, undefined when the product was not linked yet as the item was seen. */
  version: number | undefined
  quantity: number
  /** Billed by what was used: its quantity says nothing. */
  isMetered: boolean
  currency: string | null
  unitAmount: number | null
  recurringInterval: string | null
  recurringIntervalCount: number | null
  isActive: boolean
  currentPeriodStart: number
  currentPeriodEnd: number
}

export type Subscription = {
  subscriptionId: string
  /** In the provider's own word: shown, never decided by. */
  status: string
  phase: SubscriptionPhase
  startedAt: number
  billingAnchorAt: number
  canceledAt: number | null
  items: SubscriptionItem[]
}

export type Bonus = {
  bonusId: string
  featureNo: number
  amount: Amount
  /** What all periods together have drawn, as stored. */
  drawn: Amount
  createdAt: number
  updatedAt: number
  expiresAt: number | undefined
  reason: string | undefined
  metadata: Record<string, string>
}

/** A run of draws on one bonus, in the order drawn. */
export type Draw = { bonusId: string; amount: Amount }

/** A period's sum of the ledger, and what the period drew from bonuses. */
export type Counter = { featureNo: number; period: Period; total: Amount; draws: readonly Draw[] }

export type CustomerState = {
  revision: number
  /** The catalogue's revision at an instant at which the customer had this state. */
  catalogueRevision: number
  /** Business time of the load: what was over by then is not held, so an earlier time needs another load. */
  asOf: number
  customer: Customer
  assignments: readonly Assignment[]
  subscriptions: readonly Subscription[]
  /** Those that can still be drawn on, and those that the counters below have drawn on. */
  bonuses: readonly Bonus[]
  /** All stored ones that were not over at `asOf`, and any that were computed since. */
  counters: readonly Counter[]
}

export const isExpired = (bonus: Pick<Bonus, 'expiresAt'>, now: number): boolean =>
  bonus.expiresAt !== undefined && bonus.expiresAt <= now

/** Whether it can still be drawn on. */
export const isOpen = (bonus: Bonus, now: number): boolean =>
  bonus.drawn < bonus.amount && !isExpired(bonus, now)

/** A state without what is over by now, so that it does not grow while it is held; nothing in it is needed from now on. */
export function pruneState(state: CustomerState, now: number): CustomerState {
  if (state.counters.every((counter) => counter.period.end > now)) return state
  const counters = state.counters.filter((counter) => counter.period.end > now)
  const drawnOn = new Set(counters.flatMap((counter) => counter.draws.map((draw) => draw.bonusId)))
  const bonuses = state.bonuses.filter((bonus) => drawnOn.has(bonus.bonusId) || isOpen(bonus, now))
  return { ...state, asOf: now, counters, bonuses }
}
