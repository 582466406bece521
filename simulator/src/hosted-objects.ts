// The stored objects behind the hosted pages: checkout sessions, portal sessions and portal configurations.
import type { Line, Metadata, Stored, SubscriptionData } from './objects.ts'

export type StoredSession = Stored<'checkout.session'> & {
  mode: 'subscription'
  status: 'open' | 'complete' | 'expired'
  payment_status: 'paid' | 'unpaid' | 'no_payment_required'
  customer: string | null
  customer_email: string | null
  customer_details: Record<string, unknown> | null
  client_reference_id: string | null
  subscription: string | null
  invoice: string | null
  success_url: string
  cancel_url: string | null
  url: string | null
  expires_at: number
  currency: string
  amount_subtotal: number
  amount_total: number
  payment_method_collection: 'always' | 'if_required'
  allow_promotion_codes: boolean | null
  allowed_payment_method_types: string[] | null
  billing_address_collection: string | null
  locale: string | null
  submit_type: string | null
  metadata: Metadata
  internal: {
    lines: Line[]
    subscriptionData: SubscriptionData
    /** The card that waits for its owner's authentication. */
    pendingCard: string | null
  }
}

export type UpdateConfirm = {
  subscription: string
  items: { id: string; price: string; quantity?: number }[]
  discounts: null
}

export type PortalFlow = {
  type:
    | 'payment_method_update'
    | 'subscription_cancel'
    | 'subscription_update'
    | 'subscription_update_confirm'
  after_completion: {
    type: 'portal_homepage' | 'redirect' | 'hosted_confirmation'
    redirect: { return_url: string } | null
    hosted_confirmation: { custom_message: string | null } | null
  }
  customer_update: null
  subscription_cancel: { subscription: string; retention: null } | null
  subscription_pause: null
  subscription_update: { subscription: string } | null
  subscription_update_confirm: UpdateConfirm | null
}

export type StoredPortalSession = Stored<'billing_portal.session'> & {
  customer: string
  configuration: string
  return_url: string | null
  locale: string | null
  url: string
  flow: PortalFlow | null
  internal: { expiresAt: number }
}

export type UpdatableProduct = {
  product: string
  prices: string[]
  adjustable_quantity: { enabled: boolean; maximum: number | null; minimum: number }
}

export type PortalFeatures = {
  customer_update: { enabled: boolean; allowed_updates: string[] }
  invoice_history: { enabled: boolean }
  payment_method_update: { enabled: boolean; payment_method_configuration: null }
  subscription_cancel: {
    enabled: boolean
    mode: 'at_period_end' | 'immediately'
    proration_behavior: string
    cancellation_reason: { enabled: boolean; options: string[]; feedback_options: null }
  }
  subscription_pause: { enabled: boolean; duration: { type: string; interval_options: [] } }
  subscription_update: {
    enabled: boolean
    billing_cycle_anchor: 'now' | 'unchanged' | null
    default_allowed_updates: string[]
    products: UpdatableProduct[]
    proration_behavior: 'none' | 'create_prorations' | 'always_invoice'
    schedule_at_period_end: { conditions: { type: string }[] }
    trial_update_behavior: 'continue_trial' | 'end_trial'
  }
}

export type StoredPortalConfiguration = Stored<'billing_portal.configuration'> & {
  active: boolean
  is_default: boolean
  default_return_url: string | null
  name: string | null
  business_profile: {
    headline: string | null
    privacy_policy_url: string | null
    terms_of_service_url: string | null
  }
  features: PortalFeatures
  login_page: { enabled: boolean; url: null }
  metadata: Metadata
  updated: number
}
