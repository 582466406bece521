// The parameters that make a checkout session: what Stripe takes, what it refuses, and what changes nothing here.
import { z } from 'zod'
import { bool, email, ignored, integer, listOf, metadata, oneOf, text, timestamp, url } from '../api/form.ts'
import { paymentMethodType } from '../customers/payment-method-types.ts'
import { billingMode, prorationBehavior, trialDays, trialSettings } from '../subscriptions/params.ts'

const locale = oneOf(
  ...['auto', 'bg', 'cs', 'da', 'de', 'el', 'en', 'en-GB', 'es', 'es-419', 'et', 'fi', 'fil', 'fr', 'fr-CA'],
  ...['hi-IN', 'hr', 'hu', 'id', 'it', 'ja', 'ko', 'lt', 'lv', 'ms', 'mt', 'nb', 'nl', 'pl', 'pt', 'pt-BR'],
  ...['ro', 'ru', 'sk', 'sl', 'sv', 'th', 'tr', 'vi', 'zh', 'zh-HK', 'zh-TW'],
)

const subscriptionData = z.strictObject({
  trial_period_days: trialDays.optional(),
  trial_end: timestamp.optional(),
  trial_settings: trialSettings.optional(),
  billing_mode: billingMode.optional(),
  description: text.optional(),
  metadata: metadata.optional(),
  proration_behavior: prorationBehavior.optional(),
  default_tax_rates: ignored,
  invoice_settings: ignored,
})

const autoOrNever = oneOf('auto', 'never').optional()

export const createParams = z.strictObject({
  mode: oneOf('payment', 'setup', 'subscription'),
  customer: text.optional(),
  customer_email: email.optional(),
  customer_update: z
    .strictObject({ address: autoOrNever, name: autoOrNever, shipping: autoOrNever })
    .optional(),
  line_items: listOf(
    z.strictObject({
      price: text,
      quantity: integer
        .refine((count) => count >= 1 && count <= 1_000_000_000, 'must be 1 or more')
        .optional(),
      adjustable_quantity: ignored,
      metadata: ignored,
      tax_rates: ignored,
    }),
    20,
  ),
  success_url: url,
  cancel_url: url.optional(),
  client_reference_id: text.max(200).optional(),
  metadata: metadata.optional(),
  subscription_data: subscriptionData.optional(),
  expires_at: timestamp.optional(),
  payment_method_collection: oneOf('always', 'if_required').default('always'),
  allow_promotion_codes: bool.optional(),
  discounts: listOf(
    z.strictObject({ coupon: text.optional(), promotion_code: text.optional() }),
    20,
  ).optional(),
  allowed_payment_method_types: listOf(paymentMethodType).optional(),
  billing_address_collection: oneOf('auto', 'required').optional(),
  locale: locale.optional(),
  submit_type: oneOf('auto', 'book', 'donate', 'pay', 'subscribe').optional(),
  ui_mode: oneOf('hosted_page').optional(),
  adaptive_pricing: ignored,
  automatic_tax: z.strictObject({ enabled: bool, liability: ignored }).optional(),
  branding_settings: ignored,
  consent_collection: ignored,
  currency: z
    .string()
    .regex(/^[a-z]{3}$/i)
    .optional(),
  custom_fields: ignored,
  custom_text: ignored,
  excluded_payment_method_types: listOf(paymentMethodType).optional(),
  integration_identifier: ignored,
  managed_payments: ignored,
  name_collection: ignored,
  optional_items: ignored,
  origin_context: oneOf('mobile_app', 'web').optional(),
  payment_method_configuration: ignored,
  payment_method_data: ignored,
  payment_method_options: ignored,
  phone_number_collection: z.strictObject({ enabled: bool }).optional(),
  saved_payment_method_options: ignored,
  tax_id_collection: z
    .strictObject({ enabled: bool, required: oneOf('if_supported', 'never').optional() })
    .optional(),
  wallet_options: ignored,
})
export type CreateParams = z.infer<typeof createParams>
