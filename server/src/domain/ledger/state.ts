// A customer and everything one has, as one immutable value per revision; what is computed from it is in the files beside.

import type { Period } from '../access/period.ts'
import type { Amount } from '../amount.ts'
import type { Environment } from '../environment.ts'

export type Customer = {
  customerUid: string
  environment: Environment
  customerId: string
  name: string | undefined
  email: string | undefined
  createdAt: number
  usageStartedAt: number
  providerCustomerId: string | undefined
  hasPaymentMethod: boolean
  /** No event occurred later; undefined while there is none. */
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
  status: string
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
  /** Business time of the load: what had expired by then is not held, so an earlier time needs another load. */
  asOf: number
  customer: Customer
  assignments: readonly Assignment[]
  subscriptions: readonly Subscription[]
  /** Those that can still be drawn on, and those drawn on in a period that is not over. */
  bonuses: readonly Bonus[]
  counters: readonly Counter[]
}
