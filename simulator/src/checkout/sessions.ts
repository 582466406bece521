// Checkout sessions: made and read by API; paid on the hosted page (checkout-completion.ts).
import { z } from 'zod'
import { ApiError } from '../api/errors.ts'
import { integer, listOf, mergeMetadata, metadata, text, timestamp } from '../api/form.ts'
import { answerList, noParams, paging, present, type Route, route } from '../api/route.ts'
import { type Context, getObject } from '../context.ts'
import { save, saveAndEmit } from '../events/record.ts'
import { newId, type StoredSession, type SubscriptionData } from '../objects.ts'
import { getRecurringPrice } from '../subscriptions/create.ts'
import { trialSettings } from '../subscriptions/subscriptions.ts'

const daySeconds = 86_400

const subscriptionData = z.strictObject({
  trial_period_days: integer.refine((days) => days >= 1 && days <= 730).optional(),
  trial_end: timestamp.optional(),
  trial_settings: trialSettings.optional(),
  description: text.optional(),
  metadata: metadata.optional(),
})

/** Parameters a caller may add that change nothing in the simulation. */
const ignored = z.unknown().optional()

const createParams = z.strictObject({
  mode: z.literal('subscription'),
  customer: text.optional(),
  line_items: listOf(
    z.strictObject({ price: text, quantity: integer.refine((count) => count >= 1).default(1) }),
  ),
  success_url: text,
  cancel_url: text.optional(),
  client_reference_id: text.optional(),
  metadata: metadata.optional(),
  subscription_data: subscriptionData.optional(),
  expires_at: timestamp.optional(),
  allow_promotion_codes: ignored,
  automatic_tax: ignored,
  billing_address_collection: ignored,
  consent_collection: ignored,
  currency: ignored,
  custom_fields: ignored,
  custom_text: ignored,
  customer_update: ignored,
  discounts: ignored,
  locale: ignored,
  payment_method_collection: ignored,
  payment_method_options: ignored,
  payment_method_types: ignored,
  phone_number_collection: ignored,
  saved_payment_method_options: ignored,
  submit_type: ignored,
  tax_id_collection: ignored,
})
type CreateParams = z.infer<typeof createParams>

function toSubscriptionData(input: CreateParams['subscription_data']): SubscriptionData {
  return {
    metadata: mergeMetadata({}, input?.metadata),
    ...(input?.trial_period_days !== undefined && { trialPeriodDays: input.trial_period_days }),
    ...(input?.trial_end !== undefined && { trialEnd: input.trial_end }),
    ...(input?.description !== undefined && { description: input.description }),
    ...(input?.trial_settings && {
      missingPaymentMethod: input.trial_settings.end_behavior.missing_payment_method,
    }),
  }
}

async function createSession(context: Context, input: CreateParams): Promise<StoredSession> {
  if (input.customer !== undefined) await getObject(context, 'customer', input.customer, 'customer')
  let amount = 0
  let currency = 'usd'
  for (const [index, line] of input.line_items.entries()) {
    const price = await getRecurringPrice(context, line.price, `line_items[${index}][price]`)
    amount += (price.unit_amount ?? 0) * line.quantity
    currency = price.currency
  }
  const expiresAt = input.expires_at ?? context.now + daySeconds
  if (expiresAt <= context.now || expiresAt > context.now + daySeconds) {
    throw new ApiError('`expires_at` must be within 24 hours from now.', { param: 'expires_at' })
  }
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
    client_reference_id: input.client_reference_id ?? null,
    subscription: null,
    success_url: input.success_url,
    cancel_url: input.cancel_url ?? null,
    url: `${context.publicUrl}/simulator/${context.environment}/checkout/${id}`,
    expires_at: expiresAt,
    currency,
    amount_total: amount,
    metadata: mergeMetadata({}, input.metadata),
    internal: {
      lines: input.line_items,
      subscriptionData: toSubscriptionData(input.subscription_data),
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
    z.strictObject({
      ...paging,
      customer: text.optional(),
      subscription: text.optional(),
      status: text.optional(),
    }),
    (context, _id, { customer, subscription, status, ...page }) =>
      answerList(context, page, {
        object: 'checkout.session',
        ...(customer === undefined ? {} : { owner: customer }),
        ...present({ subscription, status }),
      }),
  ),
]
