// The parameters of a checkout session that a caller may not set: what the service decides itself.
import { checkMetadataKeys } from '../../domain/billing/session-metadata.ts'
import { invalid, quote } from '../../domain/errors.ts'

// The customer and what is bought, where the customer goes afterwards, how the page is shown, and who gets the money.
const reserved = new Set([
  'customer',
  'customer_account',
  'customer_creation',
  'customer_email',
  'mode',
  'line_items',
  'optional_items',
  'success_url',
  'cancel_url',
  'return_url',
  'redirect_on_completion',
  'ui_mode',
  'payment_intent_data',
  'setup_intent_data',
])

const reservedOfSubscription = new Set([
  'transfer_data',
  'application_fee_percent',
  'on_behalf_of',
  'invoice_settings',
])

export function checkSessionParams(params: Record<string, unknown>): void {
  checkNames(params, 'checkoutSessionParams')
  for (const key of Object.keys(params)) {
    if (reserved.has(key))
      throw invalid(`checkoutSessionParams.${key} is set by the service and cannot be given.`)
  }
  const { subscription_data: subscription, metadata } = params
  if (isObject(subscription)) {
    for (const key of Object.keys(subscription)) {
      if (!reservedOfSubscription.has(key)) continue
      throw invalid(
        `checkoutSessionParams.subscription_data.${key} is set by the service and cannot be given.`,
      )
    }
    if (isObject(subscription.metadata)) {
      checkMetadataKeys(subscription.metadata, 'checkoutSessionParams.subscription_data.metadata')
    }
  }
  if (metadata === undefined) return
  if (!isObject(metadata)) throw invalid('checkoutSessionParams.metadata must be an object.')
  checkMetadataKeys(metadata, 'checkoutSessionParams.metadata')
}

/** Stripe writes nesting with brackets: a name that has them could stand for any parameter. */
function checkNames(value: unknown, field: string): void {
  if (typeof value !== 'object' || value === null) return
  for (const [name, each] of Object.entries(value)) {
    if (/[[\]]/.test(name)) throw invalid(`${field}: names cannot contain brackets, but ${quote(name)} came.`)
    checkNames(each, field)
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
