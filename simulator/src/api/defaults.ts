// Fields that Stripe's types require and that never differ in the simulation, by the kind of object they belong to.

type Fields = Record<string, unknown>

const automaticTax = { enabled: false, liability: null, disabled_reason: null }
const self = { type: 'self' }

const customer: Fields = {
  address: null,
  balance: 0,
  currency: null,
  delinquent: false,
  discount: null,
  invoice_prefix: null,
  next_invoice_sequence: 1,
  preferred_locales: [],
  shipping: null,
  tax_exempt: 'none',
  test_clock: null,
}

const subscription: Fields = {
  application: null,
  application_fee_percent: null,
  automatic_tax: automaticTax,
  billing_cycle_anchor_config: null,
  billing_schedules: [],
  billing_thresholds: null,
  collection_method: 'charge_automatically',
  customer_account: null,
  days_until_due: null,
  default_source: null,
  default_tax_rates: [],
  discounts: [],
  invoice_settings: {
    account_tax_ids: null,
    custom_fields: null,
    description: null,
    footer: null,
    issuer: self,
  },
  managed_payments: null,
  next_pending_invoice_item_invoice: null,
  on_behalf_of: null,
  payment_settings: {
    payment_method_options: null,
    payment_method_types: null,
    save_default_payment_method: 'off',
  },
  pending_invoice_item_interval: null,
  pending_setup_intent: null,
  pending_update: null,
  schedule: null,
  test_clock: null,
  transfer_data: null,
}

const checkoutSession: Fields = {
  adaptive_pricing: { enabled: false },
  after_expiration: null,
  automatic_tax: { enabled: false, liability: null, provider: null, status: null },
  client_secret: null,
  collected_information: null,
  consent: null,
  consent_collection: null,
  currency_conversion: null,
  custom_fields: [],
  custom_text: {
    after_submit: null,
    shipping_address: null,
    submit: null,
    terms_of_service_acceptance: null,
  },
  customer_account: null,
  customer_creation: null,
  discounts: [],
  integration_identifier: null,
  invoice_creation: null,
  managed_payments: null,
  origin_context: null,
  payment_intent: null,
  payment_link: null,
  payment_method_configuration_details: null,
  payment_method_options: {},
  payment_method_types: ['card'],
  permissions: null,
  phone_number_collection: { enabled: false },
  recovered_from: null,
  saved_payment_method_options: null,
  setup_intent: null,
  shipping_address_collection: null,
  shipping_cost: null,
  shipping_options: [],
  total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
  ui_mode: 'hosted_page',
  wallet_options: null,
}

const invoice: Fields = {
  account_country: 'US',
  account_name: 'Simulated account',
  account_tax_ids: null,
  amount_overpaid: 0,
  amount_shipping: 0,
  application: null,
  attempted: true,
  automatic_tax: { ...automaticTax, provider: null, status: null },
  automatically_finalizes_at: null,
  collection_method: 'charge_automatically',
  custom_fields: null,
  customer_account: null,
  customer_address: null,
  customer_phone: null,
  customer_shipping: null,
  customer_tax_exempt: 'none',
  customer_tax_ids: [],
  default_payment_method: null,
  default_source: null,
  default_tax_rates: [],
  description: null,
  discounts: [],
  due_date: null,
  footer: null,
  from_invoice: null,
  issuer: self,
  last_finalization_error: null,
  latest_revision: null,
  metadata: {},
  next_payment_attempt: null,
  on_behalf_of: null,
  payment_settings: { default_mandate: null, payment_method_options: null, payment_method_types: null },
  post_payment_credit_notes_amount: 0,
  pre_payment_credit_notes_amount: 0,
  receipt_number: null,
  rendering: null,
  shipping_cost: null,
  shipping_details: null,
  statement_descriptor: null,
  test_clock: null,
  total_discount_amounts: [],
  total_pretax_credit_amounts: [],
  total_taxes: [],
  webhooks_delivered_at: null,
}

const card: Fields = {
  checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: 'pass' },
  country: 'US',
  fingerprint: 'simulated0000000',
  funding: 'credit',
  generated_from: null,
  networks: null,
  regulated_status: 'unregulated',
  three_d_secure_usage: { supported: true },
  wallet: null,
}

const billingDetails: Fields = { address: null, email: null, name: null, phone: null, tax_id: null }
const invoiceSettings: Fields = { custom_fields: null, footer: null, rendering_options: null }

const defaults: Record<string, Fields> = {
  customer,
  product: {
    marketing_features: [],
    package_dimensions: null,
    tax_code: null,
    tax_details: null,
    type: 'service',
  },
  price: { billing_scheme: 'per_unit', tiers_mode: null, custom_unit_amount: null, transform_quantity: null },
  subscription,
  'checkout.session': checkoutSession,
  'billing_portal.session': { customer_account: null, on_behalf_of: null },
  'billing_portal.configuration': { application: null },
  payment_method: { allow_redisplay: 'limited', billing_details: billingDetails, customer_account: null },
  invoice,
}

export const itemDefaults: Fields = {
  billing_thresholds: null,
  current_trial: null,
  discounts: [],
  tax_rates: [],
}

/** The object with every field that its kind has. */
export function addDefaults<T extends { object: string }>(body: T): T {
  const whole: T & Fields = { ...defaults[body.object], ...body }
  if (body.object === 'customer') {
    return { ...whole, invoice_settings: { ...invoiceSettings, ...(whole.invoice_settings as Fields) } }
  }
  if (body.object === 'payment_method') {
    const shown = whole.card as { brand: string }
    return { ...whole, card: { ...card, display_brand: shown.brand, ...shown } }
  }
  return whole
}
