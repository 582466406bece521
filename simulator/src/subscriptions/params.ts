// Parameters that making and updating a subscription share, and what they mean.
import { z } from 'zod'
import { ApiError } from '../api/errors.ts'
import { bool, clearable, ignored, integer, metadata, oneOf, timestamp } from '../api/form.ts'
import { type Context, getObject } from '../context.ts'
import type { BillingMode, StoredPaymentMethod } from '../objects.ts'
import { classic, flexible, toTrialSettings } from './create.ts'

export const quantity = integer.refine((count) => count >= 0 && count <= 1_000_000_000, 'must be 0 or more')

const missingMethod = oneOf('create_invoice', 'cancel', 'pause')
export const trialSettings = z
  .strictObject({
    end_behavior: z.strictObject({
      billing_cycle_anchor: oneOf('now', 'unchanged').optional(),
      missing_payment_method: missingMethod.optional(),
    }),
  })
  .transform(({ end_behavior: end }) =>
    toTrialSettings({
      ...(end.billing_cycle_anchor && { billing_cycle_anchor: end.billing_cycle_anchor }),
      ...(end.missing_payment_method && { missing_payment_method: end.missing_payment_method }),
    }),
  )

/** What a change or a resumption does to the cycle. */
export const cycleAnchor = z.strictObject({ type: oneOf('now', 'unchanged') })

export const billingMode = z.strictObject({
  type: oneOf('classic', 'flexible'),
  flexible: z.strictObject({ proration_discounts: oneOf('included', 'itemized').optional() }).optional(),
})

export function toBillingMode(input: z.infer<typeof billingMode>): BillingMode {
  if (input.type === 'classic') return classic
  const discounts = input.flexible?.proration_discounts
  return discounts === undefined
    ? flexible
    : { type: 'flexible', flexible: { proration_discounts: discounts } }
}

export const trialDays = integer.refine((days) => days >= 1 && days <= 730, 'must be 1 to 730')
export const prorationBehavior = oneOf('create_prorations', 'none', 'always_invoice')
export const cancelTime = z.union([oneOf('min_period_end', 'max_period_end'), timestamp])

export const sharedParams = {
  metadata: metadata.optional(),
  default_payment_method: clearable.optional(),
  description: clearable.optional(),
  payment_behavior: oneOf(
    'allow_incomplete',
    'default_incomplete',
    'error_if_incomplete',
    'pending_if_incomplete',
  ).optional(),
  proration_behavior: prorationBehavior.optional(),
  cancel_at_period_end: bool.optional(),
  collection_method: oneOf('charge_automatically').optional(),
  trial_settings: trialSettings.optional(),
  automatic_tax: ignored,
  default_tax_rates: ignored,
  invoice_settings: ignored,
  off_session: ignored,
  payment_settings: ignored,
}

/** A subscription is paid by a method of its own customer only. */
export async function checkMethod(context: Context, customerId: string, methodId: string): Promise<void> {
  const param = 'default_payment_method'
  const method = await getObject<StoredPaymentMethod>(context, 'payment_method', methodId, param)
  if (method.customer === customerId) return
  throw new ApiError(
    `The customer does not have a payment method with the ID ${methodId}. The payment method must be attached to the customer.`,
    { code: 'resource_missing', param },
  )
}
