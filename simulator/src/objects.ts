// The simulator's stored objects: Stripe's fields, with references as ids and what is only ours under `internal`.
import { randomBytes } from 'node:crypto'

export type SubscriptionStatus =
  | 'incomplete'
  | 'incomplete_expired'
  | 'trialing'
  | 'active'
  | 'past_due'
  | 'unpaid'
  | 'paused'
  | 'canceled'

type Metadata = Record<string, string>
type Stored<Name extends string> = { id: string; object: Name; created: number; livemode: boolean }

export type StoredCustomer = Stored<'customer'> & {
  name: string | null
  email: string | null
  description: string | null
  phone: string | null
  metadata: Metadata
  default_source: string | null
  invoice_settings: { default_payment_method: string | null }
}

export type StoredProduct = Stored<'product'> & {
  active: boolean
  name: string
  description: string | null
  default_price: string | null
  metadata: Metadata
  updated: number
}

export type Recurring = { interval: 'day' | 'week' | 'month' | 'year'; interval_count: number }

export type StoredPrice = Stored<'price'> & {
  active: boolean
  product: string
  currency: string
  unit_amount: number | null
  unit_amount_decimal: string | null
  nickname: string | null
  lookup_key: string | null
  type: 'recurring' | 'one_time'
  recurring: Recurring | null
  metadata: Metadata
}

/** `fails`: the card can be saved and pays at checkout, but no later charge goes through. */
export type StoredPaymentMethod = Stored<'payment_method'> & {
  type: 'card'
  customer: string | null
  card: { brand: string; last4: string; exp_month: number; exp_year: number }
  metadata: Metadata
  internal: { fails: boolean }
}

export type StoredItem = {
  id: string
  object: 'subscription_item'
  created: number
  subscription: string
  price: string
  quantity: number
  metadata: Metadata
  current_period_start: number
  current_period_end: number
}

export type StoredSubscription = Stored<'subscription'> & {
  customer: string
  status: SubscriptionStatus
  currency: string
  start_date: number
  billing_cycle_anchor: number
  cancel_at: number | null
  cancel_at_period_end: boolean
  canceled_at: number | null
  ended_at: number | null
  trial_start: number | null
  trial_end: number | null
  trial_settings: { end_behavior: { missing_payment_method: 'create_invoice' | 'cancel' | 'pause' } }
  pause_collection: { behavior: string; resumes_at: number | null } | null
  default_payment_method: string | null
  description: string | null
  metadata: Metadata
  items: { object: 'list'; data: StoredItem[]; has_more: false; url: string }
  internal: { dunningEndsAt: number | null; recurring: Record<string, Recurring> }
}

export type SubscriptionData = {
  trialPeriodDays?: number
  trialEnd?: number
  missingPaymentMethod?: 'create_invoice' | 'cancel' | 'pause'
  description?: string
  metadata: Metadata
}

export type StoredSession = Stored<'checkout.session'> & {
  mode: 'subscription'
  status: 'open' | 'complete' | 'expired'
  payment_status: 'paid' | 'unpaid' | 'no_payment_required'
  customer: string | null
  client_reference_id: string | null
  subscription: string | null
  success_url: string
  cancel_url: string | null
  url: string | null
  expires_at: number
  currency: string
  amount_total: number
  metadata: Metadata
  internal: {
    lines: { price: string; quantity: number }[]
    subscriptionData: SubscriptionData
    /** The card that waits for its owner's authentication. */
    pendingCard: string | null
  }
}

export type StoredPortalSession = Stored<'billing_portal.session'> & {
  customer: string
  return_url: string | null
  url: string
  flow: { type: 'payment_method_update' } | null
  internal: { expiresAt: number }
}

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** 24 characters of 62: nobody guesses one, which is all that guards a hosted page. */
export function newId(prefix: string, length = 24): string {
  let id = prefix
  while (id.length < prefix.length + length) {
    for (const byte of randomBytes(length)) {
      // Bytes above a multiple of 62 are left out, or some characters would come up more often.
      if (byte < 248 && id.length < prefix.length + length) id += alphabet[byte % 62]
    }
  }
  return id
}
