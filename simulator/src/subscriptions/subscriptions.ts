// The subscription endpoints.
import { z } from 'zod'
import { ApiError } from '../api/errors.ts'
import {
  bool,
  clearable,
  clearableTimestamp,
  integer,
  listOf,
  mergeMetadata,
  metadata,
  text,
  timestamp,
} from '../api/form.ts'
import { answerList, noParams, paging, present, type Route, route } from '../api/route.ts'
import { type Context, getObject } from '../context.ts'
import { computeCharge } from '../customers/payment-methods.ts'
import { saveAndEmit } from '../events/record.ts'
import type { StoredSubscription } from '../objects.ts'
import { cancelAt, cancelAtPeriodEnd, changeItems, keepRunning, restartCycle } from './change.ts'
import { createSubscription } from './create.ts'
import { endSubscription } from './lifecycle.ts'

const paymentBehaviors = ['allow_incomplete', 'default_incomplete', 'error_if_incomplete'] as const
const quantity = integer.refine((count) => count >= 0)
export const trialSettings = z.strictObject({
  end_behavior: z.strictObject({ missing_payment_method: z.enum(['create_invoice', 'cancel', 'pause']) }),
})
const shared = {
  metadata: metadata.optional(),
  default_payment_method: clearable.optional(),
  description: clearable.optional(),
  payment_behavior: z.enum(paymentBehaviors).default('allow_incomplete'),
  proration_behavior: z.enum(['create_prorations', 'none', 'always_invoice']).optional(),
  cancel_at_period_end: bool.optional(),
}

const createParams = z.strictObject({
  ...shared,
  customer: text,
  items: listOf(z.strictObject({ price: text, quantity: quantity.default(1) })),
  trial_period_days: integer.refine((days) => days >= 1 && days <= 730).optional(),
  trial_end: timestamp.optional(),
  trial_settings: trialSettings.optional(),
  backdate_start_date: timestamp.optional(),
  billing_cycle_anchor: timestamp.optional(),
})

async function createByApi(context: Context, input: z.infer<typeof createParams>) {
  await getObject(context, 'customer', input.customer, 'customer')
  const paymentMethod = input.default_payment_method ?? null
  const charge = await computeCharge(context, {
    customer: input.customer,
    default_payment_method: paymentMethod,
  })
  const hasTrial = input.trial_period_days !== undefined || input.trial_end !== undefined
  const mayBeIncomplete = input.payment_behavior === 'default_incomplete'
  if (charge === 'no_method' && !hasTrial && !mayBeIncomplete) {
    throw new ApiError('This customer has no attached payment source or default payment method.', {
      code: 'resource_missing',
    })
  }
  if (charge === 'failed' && !hasTrial && input.payment_behavior === 'error_if_incomplete') {
    throw new ApiError('Your card was declined.', { status: 402, type: 'card_error', code: 'card_declined' })
  }
  const subscription = await createSubscription(context, {
    customer: input.customer,
    lines: input.items,
    data: {
      metadata: mergeMetadata({}, input.metadata),
      ...(input.trial_period_days !== undefined && { trialPeriodDays: input.trial_period_days }),
      ...(input.trial_end !== undefined && { trialEnd: input.trial_end }),
      ...(input.description && { description: input.description }),
      ...(input.trial_settings && {
        missingPaymentMethod: input.trial_settings.end_behavior.missing_payment_method,
      }),
    },
    paymentMethod,
    status: charge === 'paid' && !mayBeIncomplete ? 'active' : 'incomplete',
    ...(input.backdate_start_date !== undefined && { startedAt: input.backdate_start_date }),
    ...(input.billing_cycle_anchor !== undefined && { anchor: input.billing_cycle_anchor }),
  })
  return input.cancel_at_period_end
    ? updateSubscription(context, subscription.id, updateParams.parse({ cancel_at_period_end: 'true' }))
    : subscription
}

const updateParams = z.strictObject({
  ...shared,
  items: listOf(
    z.strictObject({
      id: text.optional(),
      price: text.optional(),
      quantity: quantity.optional(),
      deleted: bool.optional(),
    }),
  ).optional(),
  cancel_at: clearableTimestamp.optional(),
  trial_end: z.union([z.literal('now'), timestamp]).optional(),
  pause_collection: z
    .union([
      z.literal('').transform(() => null),
      z.strictObject({ behavior: text, resumes_at: timestamp.optional() }),
    ])
    .optional(),
})

export async function updateSubscription(
  context: Context,
  id: string,
  input: z.infer<typeof updateParams>,
): Promise<StoredSubscription> {
  const before = await getObject<StoredSubscription>(context, 'subscription', id)
  if (
    before.ended_at !== null &&
    Object.keys(input).some((key) => key !== 'metadata' && key !== 'payment_behavior')
  ) {
    throw new ApiError('A canceled subscription can only update its cancellation_details and metadata.')
  }
  let next: StoredSubscription = { ...before, metadata: mergeMetadata(before.metadata, input.metadata) }
  if (input.items !== undefined) next = await changeItems(context, next, input.items)
  if (input.trial_end === 'now' && next.status === 'trialing') {
    const isPaid = (await computeCharge(context, next)) === 'paid'
    next = restartCycle(
      { ...next, trial_end: context.now, status: isPaid ? 'active' : 'past_due' },
      context.now,
    )
  } else if (typeof input.trial_end === 'number') {
    const trialEnd = input.trial_end
    const data = next.items.data.map((item) => ({ ...item, current_period_end: trialEnd }))
    const items = { ...next.items, data }
    next = { ...next, status: 'trialing', trial_end: trialEnd, billing_cycle_anchor: trialEnd, items }
  }
  if (input.cancel_at_period_end === true) next = cancelAtPeriodEnd(next, context.now)
  if (input.cancel_at_period_end === false || input.cancel_at === null) next = keepRunning(next)
  if (typeof input.cancel_at === 'number') next = cancelAt(next, input.cancel_at, context.now)
  if (input.default_payment_method !== undefined) next.default_payment_method = input.default_payment_method
  if (input.description !== undefined) next.description = input.description
  if (input.pause_collection !== undefined) {
    const pause = input.pause_collection
    next.pause_collection = pause && { behavior: pause.behavior, resumes_at: pause.resumes_at ?? null }
  }
  await saveAndEmit(context, 'customer.subscription.updated', next, before)
  return next
}

async function cancelNow(context: Context, id: string): Promise<StoredSubscription> {
  const before = await getObject<StoredSubscription>(context, 'subscription', id)
  if (before.ended_at !== null)
    throw new ApiError(`No such subscription: '${id}'`, { status: 404, code: 'resource_missing' })
  const ended = { ...endSubscription(before, context.now), canceled_at: context.now }
  await saveAndEmit(context, 'customer.subscription.deleted', ended, before)
  return ended
}

async function resume(context: Context, id: string): Promise<StoredSubscription> {
  const before = await getObject<StoredSubscription>(context, 'subscription', id)
  if (before.status !== 'paused') throw new ApiError('Only a paused subscription can be resumed.')
  const isPaid = (await computeCharge(context, before)) === 'paid'
  if (!isPaid) throw new ApiError('This customer has no payment method that can be charged.')
  const resumed = restartCycle({ ...before, status: 'active' }, context.now)
  await saveAndEmit(context, 'customer.subscription.resumed', resumed, before)
  return resumed
}

const running = ['incomplete', 'incomplete_expired', 'trialing', 'active', 'past_due', 'unpaid', 'paused']
const listParams = z.strictObject({
  ...paging,
  customer: text.optional(),
  price: text.optional(),
  status: text.optional(),
})

function toStatuses(status: string | undefined): { statuses?: string[] } {
  if (status === 'all') return {}
  if (status === 'ended') return { statuses: ['canceled', 'incomplete_expired'] }
  return { statuses: status === undefined ? running : [status] }
}

export const subscriptionRoutes: Route[] = [
  route('POST', '/v1/subscriptions', createParams, (context, _id, input) => createByApi(context, input)),
  route('GET', '/v1/subscriptions', listParams, (context, _id, { customer, price, status, ...page }) =>
    answerList(context, page, {
      object: 'subscription',
      ...(customer === undefined ? {} : { owner: customer }),
      ...present({ items: price === undefined ? undefined : { data: [{ price }] } }),
      ...toStatuses(status),
    }),
  ),
  route('GET', '/v1/subscriptions/:id', noParams, (context, id) => getObject(context, 'subscription', id)),
  route('POST', '/v1/subscriptions/:id', updateParams, updateSubscription),
  route(
    'POST',
    '/v1/subscriptions/:id/resume',
    z.strictObject({ billing_cycle_anchor: text.optional() }),
    resume,
  ),
  route(
    'DELETE',
    '/v1/subscriptions/:id',
    z.strictObject({ invoice_now: bool.optional(), prorate: bool.optional() }),
    cancelNow,
  ),
]
