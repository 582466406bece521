// Portal flows: links that lead straight to one thing, with the checks Stripe makes before it gives one out.
import { z } from 'zod'
import { ApiError, missing } from '../api/errors.ts'
import { ignored, integer, listOf, oneOf, text, url } from '../api/form.ts'
import { type Context, findObject } from '../context.ts'
import type {
  PortalFeatures,
  PortalFlow,
  StoredPortalConfiguration,
  UpdateConfirm,
} from '../hosted-objects.ts'
import type { StoredItem, StoredSubscription } from '../objects.ts'
import { getRecurringPrice } from '../subscriptions/create.ts'

const subscription = z.strictObject({ subscription: text })

export const flowParams = z.strictObject({
  type: oneOf(
    'payment_method_update',
    'subscription_cancel',
    'subscription_update',
    'subscription_update_confirm',
  ),
  after_completion: z
    .strictObject({
      type: oneOf('hosted_confirmation', 'portal_homepage', 'redirect'),
      redirect: z.strictObject({ return_url: url }).optional(),
      hosted_confirmation: z.strictObject({ custom_message: text.max(500).optional() }).optional(),
    })
    .optional(),
  subscription_cancel: z.strictObject({ subscription: text, retention: ignored }).optional(),
  subscription_update: subscription.optional(),
  subscription_update_confirm: z
    .strictObject({
      subscription: text,
      items: listOf(
        z.strictObject({
          id: text,
          price: text.optional(),
          quantity: integer.refine((count) => count >= 1, 'must be 1 or more').optional(),
        }),
      ),
      discounts: ignored,
    })
    .optional(),
})
type FlowParams = z.infer<typeof flowParams>

const confirmParam = 'flow_data[subscription_update_confirm]'

function refuse(reason: string, param: string): never {
  throw new ApiError(`This subscription cannot be updated because ${reason}.`, { param })
}

async function getOwn(context: Context, customerId: string, id: string, param: string) {
  const found = await findObject<StoredSubscription>(context, 'subscription', id)
  if (found === undefined || found.customer !== customerId) {
    throw missing('subscription', id, `${param}[subscription]`)
  }
  return found
}

function checkUpdatable(held: StoredSubscription, features: PortalFeatures, param: string): StoredItem {
  if (!features.subscription_update.enabled) {
    refuse('the subscription update feature in the portal configuration is disabled', param)
  }
  if (!['trialing', 'active', 'past_due', 'unpaid'].includes(held.status)) {
    refuse(`it is \`${held.status}\``, param)
  }
  const [item, ...more] = held.items.data
  if (item === undefined || more.length > 0) refuse('it contains multiple subscription items', param)
  if (item.quantity === undefined) refuse('its price is metered', param)
  return item
}

async function checkConfirm(
  context: Context,
  customerId: string,
  { features }: StoredPortalConfiguration,
  input: NonNullable<FlowParams['subscription_update_confirm']>,
): Promise<UpdateConfirm> {
  const held = await getOwn(context, customerId, input.subscription, confirmParam)
  const item = checkUpdatable(held, features, confirmParam)
  const [wanted, ...more] = input.items
  const param = `${confirmParam}[items]`
  if (wanted === undefined || more.length > 0) {
    throw new ApiError('Exactly one subscription item can be updated through this flow.', { param })
  }
  if (wanted.id !== item.id) throw missing('subscription item', wanted.id, `${param}[0][id]`)
  const { default_allowed_updates: allowed, products } = features.subscription_update
  const priceId = wanted.price ?? item.price
  if (priceId !== item.price) {
    const place = `${param}[0][price]`
    const price = await getRecurringPrice(context, priceId, place)
    if (!allowed.includes('price')) refuse('its configuration does not allow updates of the price', place)
    if (!products.some((product) => product.prices.includes(priceId))) {
      refuse(
        `the price ${priceId} is not in the configuration's features.subscription_update.products`,
        place,
      )
    }
    if (price.currency !== held.currency) refuse('the price has another currency', place)
    if (price.recurring.usage_type === 'metered') refuse('the price is metered', place)
  }
  const quantity = wanted.quantity ?? item.quantity ?? 1
  if (quantity !== item.quantity && !allowed.includes('quantity')) {
    refuse('its configuration does not allow updates of the quantity', `${param}[0][quantity]`)
  }
  return { subscription: held.id, items: [{ id: item.id, price: priceId, quantity }], discounts: null }
}

function toCompletion(input: FlowParams['after_completion']): PortalFlow['after_completion'] {
  const type = input?.type ?? 'portal_homepage'
  if (type === 'redirect' && input?.redirect === undefined) {
    const param = 'flow_data[after_completion][redirect]'
    throw new ApiError(`Missing required param: ${param}.`, { code: 'parameter_missing', param })
  }
  return {
    type,
    redirect: type === 'redirect' ? (input?.redirect ?? null) : null,
    hosted_confirmation:
      type === 'hosted_confirmation'
        ? { custom_message: input?.hosted_confirmation?.custom_message ?? null }
        : null,
  }
}

export async function toFlow(
  context: Context,
  customerId: string,
  configuration: StoredPortalConfiguration,
  input: FlowParams,
): Promise<PortalFlow> {
  const { type } = input
  const { features } = configuration
  const flow: PortalFlow = {
    type,
    after_completion: toCompletion(input.after_completion),
    customer_update: null,
    subscription_cancel: null,
    subscription_pause: null,
    subscription_update: null,
    subscription_update_confirm: null,
  }
  if (type === 'payment_method_update') return flow
  const given = input[type]
  const param = `flow_data[${type}]`
  if (given === undefined) {
    throw new ApiError(`Missing required param: ${param}.`, { code: 'parameter_missing', param })
  }
  if (type === 'subscription_update_confirm') {
    const confirm = input.subscription_update_confirm as NonNullable<FlowParams[typeof type]>
    return { ...flow, [type]: await checkConfirm(context, customerId, configuration, confirm) }
  }
  const held = await getOwn(context, customerId, given.subscription, param)
  if (type === 'subscription_update') {
    checkUpdatable(held, features, param)
    return { ...flow, subscription_update: { subscription: held.id } }
  }
  if (!features.subscription_cancel.enabled) {
    throw new ApiError(
      'This subscription cannot be canceled because the subscription cancellation feature in the portal configuration is disabled.',
      { param },
    )
  }
  if (held.ended_at !== null || held.cancel_at !== null) {
    throw new ApiError('This subscription cannot be canceled because it is already set to cancel.', { param })
  }
  return { ...flow, subscription_cancel: { subscription: held.id, retention: null } }
}
