// The endpoint that makes a subscription: its parameters, the first charge, and what becomes of one that fails.
import { z } from 'zod'
import { ApiError, declined, onlyOneOf } from '../api/errors.ts'
import { listOf, mergeMetadata, text, timestamp } from '../api/form.ts'
import { type Context, getObject } from '../context.ts'
import { computeCharge } from '../customers/payment-methods.ts'
import { save } from '../events/record.ts'
import type { StoredSubscription } from '../objects.ts'
import { cancelAt, cancelAtPeriodEnd, computePeriodEnd } from './change.ts'
import { createSubscription } from './create.ts'
import {
  billingMode,
  cancelTime,
  checkMethod,
  quantity,
  sharedParams,
  toBillingMode,
  trialDays,
} from './params.ts'

export const createParams = z.strictObject({
  ...sharedParams,
  customer: text,
  items: listOf(z.strictObject({ price: text, quantity: quantity.optional() }), 20),
  trial_period_days: trialDays.optional(),
  trial_end: z.union([z.literal('now'), timestamp]).optional(),
  backdate_start_date: timestamp.optional(),
  billing_cycle_anchor: timestamp.optional(),
  billing_mode: billingMode.optional(),
  cancel_at: cancelTime.optional(),
})
type CreateParams = z.infer<typeof createParams>

function checkParams(context: Context, input: CreateParams): void {
  if (input.trial_end !== undefined && input.trial_period_days !== undefined) {
    throw onlyOneOf('trial_end', 'trial_period_days')
  }
  if (input.cancel_at !== undefined && input.cancel_at_period_end) {
    throw onlyOneOf('cancel_at', 'cancel_at_period_end')
  }
  if (typeof input.trial_end === 'number' && input.trial_end <= context.now) {
    throw new ApiError('Invalid timestamp: must be an integer Unix timestamp in the future.', {
      param: 'trial_end',
    })
  }
}

/** How the first charge went; throws where the caller wants to hear of it rather than get an incomplete subscription. */
async function chargeFirst(context: Context, input: CreateParams): Promise<'active' | 'incomplete'> {
  const { customer, payment_behavior: behavior = 'allow_incomplete' } = input
  if (input.default_payment_method) await checkMethod(context, customer, input.default_payment_method)
  const method = input.default_payment_method ?? null
  const charge = await computeCharge(context, { customer, default_payment_method: method })
  const hasTrial = input.trial_period_days !== undefined || typeof input.trial_end === 'number'
  if (hasTrial) return 'active'
  context.faults.countCharge()
  if (charge === 'no_method' && behavior !== 'default_incomplete') {
    throw new ApiError(
      'This customer has no attached payment source or default payment method. Please consider adding a default payment method.',
      { code: 'resource_missing' },
    )
  }
  if (charge === 'failed' && behavior === 'error_if_incomplete') throw declined()
  return charge === 'paid' && behavior !== 'default_incomplete' ? 'active' : 'incomplete'
}

export async function startSubscription(context: Context, input: CreateParams): Promise<StoredSubscription> {
  checkParams(context, input)
  await getObject(context, 'customer', input.customer, 'customer')
  const status = await chargeFirst(context, input)
  const made = await createSubscription(context, {
    customer: input.customer,
    lines: input.items.map(({ price, quantity: count }) => ({
      price,
      ...(count !== undefined && { quantity: count }),
    })),
    data: {
      metadata: mergeMetadata({}, input.metadata),
      ...(input.trial_period_days !== undefined && { trialPeriodDays: input.trial_period_days }),
      ...(typeof input.trial_end === 'number' && { trialEnd: input.trial_end }),
      ...(input.description && { description: input.description }),
      ...(input.billing_mode && { billingMode: toBillingMode(input.billing_mode) }),
      ...(input?.trial_settings && { trialSettings: input.trial_settings }),
    },
    paymentMethod: input.default_payment_method ?? null,
    status,
    ...(input.backdate_start_date !== undefined && { startedAt: input.backdate_start_date }),
    ...(input.billing_cycle_anchor !== undefined && { anchor: input.billing_cycle_anchor }),
  })
  const { cancel_at: at } = input
  if (at === undefined && !input.cancel_at_period_end) return made
  const ending =
    at === undefined
      ? cancelAtPeriodEnd(made, context.now)
      : cancelAt(made, typeof at === 'number' ? at : computePeriodEnd(made), context.now)
  await save(context, ending)
  return ending
}
