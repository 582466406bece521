// The simulator's stored objects: the fields of Stripe's that it works with, references as ids, and what is only ours under
// `internal`. Fields that never differ are added when an object is shown (api/defaults.ts).

export type SubscriptionStatus =
  | 'incomplete'
  | 'incomplete_expired'
  | 'trialing'
  | 'active'
  | 'past_due'
  | 'unpaid'
  | 'paused'
  | 'canceled'

export type Metadata = Record<string, string>
export type Stored<Name extends string> = { id: string; object: Name; created: number; livemode: boolean }

export type StoredCustomer = Stored<'customer'> & {
  name: string | null
  email: string | null
  description: string | null
  phone: string | null
  metadata: Metadata
  /** What is owed (above zero) or held in the customer's favour (below zero) for the next invoice. */
  balance: number
  default_source: string | null
  invoice_settings: { default_payment_method: string | null }
}

export type StoredProduct = Stored<'product'> & {
  active: boolean
  name: string
  description: string | null
  default_price: string | null
  metadata: Metadata
  images: string[]
  url: string | null
  unit_label: string | null
  statement_descriptor: string | null
  shippable: boolean | null
  updated: number
}

export type Recurring = { interval: 'day' | 'week' | 'month' | 'year'; interval_count: number }
export type PriceRecurring = Recurring & {
  usage_type: 'licensed' | 'metered'
  meter: string | null
  trial_period_days: number | null
}

export type StoredPrice = Stored<'price'> & {
  active: boolean
  product: string
  currency: string
  unit_amount: number | null
  unit_amount_decimal: string | null
  nickname: string | null
  lookup_key: string | null
  tax_behavior: string
  type: 'recurring' | 'one_time'
  recurring: PriceRecurring | null
  metadata: Metadata
}
export type RecurringPrice = StoredPrice & { recurring: PriceRecurring }

/** `fails`: the card can be saved and pays at checkout, but no later charge goes through. */
export type StoredPaymentMethod = Stored<'payment_method'> & {
  type: 'card'
  customer: string | null
  card: { brand: string; last4: string; exp_month: number; exp_year: number }
  metadata: Metadata
  internal: { fails: boolean }
}

/** `quantity` is absent on metered items. */
export type StoredItem = {
  id: string
  object: 'subscription_item'
  created: number
  subscription: string
  price: string
  quantity?: number
  metadata: Metadata
  current_period_start: number
  current_period_end: number
}

export type BillingMode = { type: 'classic' | 'flexible'; flexible: { proration_discounts: string } | null }
type MissingPaymentMethod = 'create_invoice' | 'cancel' | 'pause'

export type TrialSettings = {
  end_behavior: {
    billing_cycle_anchor: 'now' | 'unchanged' | null
    missing_payment_method: MissingPaymentMethod
  }
}

export type StoredSubscription = Stored<'subscription'> & {
  customer: string
  status: SubscriptionStatus
  currency: string
  start_date: number
  billing_cycle_anchor: number
  billing_mode: BillingMode
  cancel_at: number | null
  cancel_at_period_end: boolean
  canceled_at: number | null
  cancellation_details: {
    comment: string | null
    feedback: string | null
    feedback_option: null
    reason: 'cancellation_requested' | 'payment_failed' | null
  }
  ended_at: number | null
  trial_start: number | null
  trial_end: number | null
  trial_settings: TrialSettings
  pause_collection: { behavior: string; resumes_at: number | null } | null
  default_payment_method: string | null
  description: string | null
  latest_invoice: string | null
  metadata: Metadata
  items: { object: 'list'; data: StoredItem[]; has_more: false; url: string }
  internal: { dunningEndsAt: number | null; recurring: Record<string, PriceRecurring> }
}

/** What a checkout session will make its subscription with. */
export type SubscriptionData = {
  trialPeriodDays?: number
  trialEnd?: number
  trialSettings?: TrialSettings
  billingMode?: BillingMode
  description?: string
  metadata: Metadata
}

export type Line = { price: string; quantity?: number }
