// The features of a portal configuration: their parameters, what they are when nothing is said, and how a change is merged.
import { z } from 'zod'
import { bool, ignored, integer, listOf, oneOf, text } from '../api/form.ts'
import type { PortalFeatures } from '../hosted-objects.ts'
import { prorationBehavior } from '../subscriptions/params.ts'

/** Stripe's own limit. */
const maxProducts = 10

/** An empty text empties the list. */
const emptyableList = <T extends z.ZodType>(item: T, max = 100) =>
  z.union([z.literal('').transform((): z.infer<T>[] => []), listOf(item, max)])

const reasons = oneOf(
  'customer_service',
  'low_quality',
  'missing_features',
  'other',
  'switched_service',
  'too_complex',
  'too_expensive',
  'unused',
)

const product = z.strictObject({
  product: text,
  prices: listOf(text),
  adjustable_quantity: z
    .strictObject({ enabled: bool, minimum: integer.optional(), maximum: integer.optional() })
    .optional(),
})

export const featureParams = z.strictObject({
  customer_update: z
    .strictObject({
      enabled: bool.optional(),
      allowed_updates: emptyableList(
        oneOf('address', 'email', 'name', 'phone', 'shipping', 'tax_id'),
      ).optional(),
    })
    .optional(),
  invoice_history: z.strictObject({ enabled: bool }).optional(),
  payment_method_update: z.strictObject({ enabled: bool, payment_method_configuration: ignored }).optional(),
  subscription_cancel: z
    .strictObject({
      enabled: bool.optional(),
      mode: oneOf('at_period_end', 'immediately').optional(),
      proration_behavior: prorationBehavior.optional(),
      cancellation_reason: z
        .strictObject({ enabled: bool, options: emptyableList(reasons).optional() })
        .optional(),
    })
    .optional(),
  subscription_pause: z.strictObject({ enabled: bool.optional(), duration: ignored }).optional(),
  subscription_update: z
    .strictObject({
      enabled: bool.optional(),
      billing_cycle_anchor: oneOf('now', 'unchanged').optional(),
      default_allowed_updates: emptyableList(oneOf('price', 'promotion_code', 'quantity')).optional(),
      products: emptyableList(product, maxProducts).optional(),
      proration_behavior: prorationBehavior.optional(),
      schedule_at_period_end: z
        .strictObject({
          conditions: emptyableList(
            z.strictObject({ type: oneOf('decreasing_item_amount', 'shortening_interval') }),
          ).optional(),
        })
        .optional(),
      trial_update_behavior: oneOf('continue_trial', 'end_trial').optional(),
    })
    .optional(),
})
export type FeatureParams = z.infer<typeof featureParams>

export const noFeatures: PortalFeatures = {
  customer_update: { enabled: false, allowed_updates: [] },
  invoice_history: { enabled: false },
  payment_method_update: { enabled: false, payment_method_configuration: null },
  subscription_cancel: {
    enabled: false,
    mode: 'at_period_end',
    proration_behavior: 'none',
    cancellation_reason: { enabled: false, options: [], feedback_options: null },
  },
  subscription_pause: { enabled: false, duration: { type: 'indefinite', interval_options: [] } },
  // Stripe's own defaults: nothing is charged for a change, and a trial ends with it, unless the configuration says otherwise.
  subscription_update: {
    enabled: false,
    billing_cycle_anchor: null,
    default_allowed_updates: [],
    products: [],
    proration_behavior: 'none',
    schedule_at_period_end: { conditions: [] },
    trial_update_behavior: 'end_trial',
  },
}

/** The fields that were given. */
function given<T extends object>(input: T | undefined): Partial<T> {
  const entries = Object.entries(input ?? {}).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries) as Partial<T>
}

export function mergeFeatures(before: PortalFeatures, input: FeatureParams): PortalFeatures {
  const { cancellation_reason: reason, ...cancel } = given(input.subscription_cancel)
  const { products, schedule_at_period_end: schedule, ...update } = given(input.subscription_update)
  const { payment_method_configuration: _, ...method } = given(input.payment_method_update)
  return {
    customer_update: { ...before.customer_update, ...given(input.customer_update) },
    invoice_history: { ...before.invoice_history, ...given(input.invoice_history) },
    payment_method_update: { ...before.payment_method_update, ...method },
    subscription_cancel: {
      ...before.subscription_cancel,
      ...cancel,
      cancellation_reason: { ...before.subscription_cancel.cancellation_reason, ...given(reason) },
    },
    subscription_pause: {
      ...before.subscription_pause,
      enabled: input.subscription_pause?.enabled ?? before.subscription_pause.enabled,
    },
    subscription_update: {
      ...before.subscription_update,
      ...update,
      ...(products !== undefined && {
        products: products.map(({ adjustable_quantity: quantity, ...one }) => ({
          ...one,
          adjustable_quantity: {
            enabled: quantity?.enabled ?? false,
            minimum: quantity?.minimum ?? 1,
            maximum: quantity?.maximum ?? null,
          },
        })),
      }),
      ...(schedule !== undefined && { schedule_at_period_end: { conditions: schedule.conditions ?? [] } }),
    },
  } as PortalFeatures
}
