// Checkout sessions: made and read by API; paid on the hosted page (completion.ts).
import { z } from 'zod'
import { ApiError } from '../api/errors.ts'
import { mergeMetadata, oneOf, text } from '../api/form.ts'
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
import { save, saveAndEmit } from '../events/record.ts'
import type { StoredSession } from '../hosted-objects.ts'
import { newId } from '../ids.ts'
import type { SubscriptionData } from '../objects.ts'
import { computeAmount } from '../subscriptions/amounts.ts'
import { computeTrialEnd, isRecurring } from '../subscriptions/create.ts'
import { toBillingMode } from '../subscriptions/params.ts'
import { checkParams, loadPrices } from './checks.ts'
import { type CreateParams, createParams } from './params.ts'

const daySeconds = 86_400

function toSubscriptionData(input: CreateParams['subscription_data']): SubscriptionData {
  return {
    metadata: mergeMetadata({}, input?.metadata),
    ...(input?.trial_period_days !== undefined && { trialPeriodDays: input.trial_period_days }),
    ...(input?.trial_end !== undefined && { trialEnd: input.trial_end }),
    ...(input?.description !== undefined && { description: input.description }),
    ...(input?.billing_mode && { billingMode: toBillingMode(input.billing_mode) }),
    ...(input?.trial_settings && { trialSettings: input.trial_settings }),
  }
}

async function createSession(context: Context, input: CreateParams): Promise<StoredSession> {
  checkParams(input, context.now)
  if (input.customer !== undefined) await getObject(context, 'customer', input.customer, 'customer')
  const prices = await loadPrices(context, input.line_items)
  const subscriptionData = toSubscriptionData(input.subscription_data)
  const isTrial = computeTrialEnd(context.now, subscriptionData) !== null
  const amount = prices.reduce(
    (sum, price, index) =>
      // In a trial only what is bought once is due.
      isTrial && isRecurring(price) ? sum : sum + computeAmount(price, input.line_items[index]?.quantity),
    0,
  )
  const id = newId(`cs_${context.environment}_a1`, 58)
  const session: StoredSession = {
    id,
    object: 'checkout.session',
    created: context.now,
    livemode: context.environment === 'live',
    mode: 'subscription',
    status: 'open',
    payment_status: 'unpaid',
    customer: input.customer ?? null,
    customer_email: input.customer_email ?? null,
    customer_details: null,
    client_reference_id: input.client_reference_id ?? null,
    subscription: null,
    invoice: null,
    success_url: input.success_url,
    cancel_url: input.cancel_url ?? null,
    url: `${context.publicUrl}/simulator/${context.environment}/checkout/${id}`,
    expires_at: input.expires_at ?? context.now + daySeconds,
    currency: prices[0]?.currency ?? 'usd',
    amount_subtotal: amount,
    amount_total: amount,
    payment_method_collection: input.payment_method_collection,
    allow_promotion_codes: input.allow_promotion_codes ?? null,
    allowed_payment_method_types: input.allowed_payment_method_types ?? null,
    billing_address_collection: input.billing_address_collection ?? null,
    locale: input.locale ?? null,
    submit_type: input.submit_type ?? null,
    metadata: mergeMetadata({}, input.metadata),
    internal: {
      lines: input.line_items.map(({ price, quantity }) => ({
        price,
        ...(quantity !== undefined && { quantity }),
      })),
      subscriptionData,
      pendingCard: null,
    },
  }
  await save(context, session)
  return session
}

/** Also what happens to a session whose time is over. */
export async function expireSession(context: Context, session: StoredSession): Promise<StoredSession> {
  const expired: StoredSession = { ...session, status: 'expired', url: null }
  await saveAndEmit(context, 'checkout.session.expired', expired)
  return expired
}

const listParams = z.strictObject({
  ...paging,
  customer: text.optional(),
  subscription: text.optional(),
  status: oneOf('complete', 'expired', 'open').optional(),
  created: createdParam,
})

export const checkoutSessionRoutes: Route[] = [
  route('POST', '/v1/checkout/sessions', createParams, (context, _id, input) =>
    createSession(context, input),
  ),
  route('GET', '/v1/checkout/sessions/:id', noParams, (context, id) =>
    getObject(context, 'checkout.session', id),
  ),
  route('POST', '/v1/checkout/sessions/:id/expire', noParams, async (context, id) => {
    const session = await getObject<StoredSession>(context, 'checkout.session', id)
    if (session.status === 'open') return expireSession(context, session)
    throw new ApiError(
      `Only Checkout Sessions with a status in ["open"] can be expired. This one is ${session.status}.`,
    )
  }),
  route(
    'GET',
    '/v1/checkout/sessions',
    listParams,
    (context, _id, { customer, subscription, status, created, ...page }) =>
      answerList(context, page, {
        object: 'checkout.session',
        ...(customer === undefined ? {} : { owner: customer }),
        ...present({ subscription, status }),
        ...toCreated(created),
      }),
  ),
]
