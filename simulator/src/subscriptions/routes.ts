// The subscription endpoints.
import { z } from 'zod'
import { ApiError, missing } from '../api/errors.ts'
import { bool, oneOf, text } from '../api/form.ts'
import {
  answerList,
  createdParam,
  noParams,
  paging,
  present,
  type Route,
  route,
  toCreated,
} from '../api/route.ts'
import { type Context, getObject } from '../context.ts'
import { computeCharge } from '../customers/payment-methods.ts'
import { saveAndEmit } from '../events/record.ts'
import type { StoredSubscription } from '../objects.ts'
import { restartCycle } from './change.ts'
import { endSubscription } from './lifecycle.ts'
import { cycleAnchor, prorationBehavior } from './params.ts'
import { createParams, startSubscription } from './start.ts'
import { updateParams, updateSubscription } from './update.ts'

const cancelParams = z.strictObject({
  invoice_now: bool.optional(),
  prorate: bool.optional(),
  cancellation_details: z.strictObject({ comment: text.optional(), feedback: text.optional() }).optional(),
})

async function cancelNow(
  context: Context,
  id: string,
  { cancellation_details: why }: z.infer<typeof cancelParams>,
): Promise<StoredSubscription> {
  const before = await getObject<StoredSubscription>(context, 'subscription', id)
  if (before.ended_at !== null) throw missing('subscription', id)
  const ended = {
    ...endSubscription(before, context.now),
    canceled_at: context.now,
    cancellation_details: { ...before.cancellation_details, ...why, reason: 'cancellation_requested' },
  } as StoredSubscription
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
  status: oneOf(
    'active',
    'all',
    'canceled',
    'ended',
    'incomplete',
    'incomplete_expired',
    'past_due',
    'paused',
    'trialing',
    'unpaid',
  ).optional(),
  created: createdParam,
})

function toStatuses(status: string | undefined): { statuses?: string[] } {
  if (status === 'all') return {}
  if (status === 'ended') return { statuses: ['canceled', 'incomplete_expired'] }
  return { statuses: status === undefined ? running : [status] }
}

export const subscriptionRoutes: Route[] = [
  route('POST', '/v1/subscriptions', createParams, (context, _id, input) =>
    startSubscription(context, input),
  ),
  route(
    'GET',
    '/v1/subscriptions',
    listParams,
    (context, _id, { customer, price, status, created, ...page }) =>
      answerList(context, page, {
        object: 'subscription',
        ...(customer === undefined ? {} : { owner: customer }),
        ...present({ items: price === undefined ? undefined : { data: [{ price }] } }),
        ...toStatuses(status),
        ...toCreated(created),
      }),
  ),
  route('GET', '/v1/subscriptions/:id', noParams, (context, id) => getObject(context, 'subscription', id)),
  route('POST', '/v1/subscriptions/:id', updateParams, updateSubscription),
  route(
    'POST',
    '/v1/subscriptions/:id/resume',
    z.strictObject({
      billing_cycle_anchor: cycleAnchor.optional(),
      payment_behavior: oneOf('resume_on_payment_attempt', 'resume_on_payment_success').optional(),
      proration_behavior: prorationBehavior.optional(),
    }),
    resume,
  ),
  route('DELETE', '/v1/subscriptions/:id', cancelParams, cancelNow),
]
