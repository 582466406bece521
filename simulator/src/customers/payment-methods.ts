// Payment methods: cards that are made, attached to a customer, detached, and charged when a subscription falls due.
import { z } from 'zod'
import { ApiError } from '../api/errors.ts'
import { integer, mergeMetadata, metadata, oneOf, text } from '../api/form.ts'
import { answerList, noParams, paging, type Route, route } from '../api/route.ts'
import { type Context, findObject, getLiving, getObject } from '../context.ts'
import { save, saveAndEmit } from '../events/record.ts'
import { newId } from '../ids.ts'
import type { StoredCustomer, StoredPaymentMethod, StoredSubscription } from '../objects.ts'
import type { ChargeOutcome } from '../subscriptions/lifecycle.ts'
import { findCard, findNamedCard, type TestCard } from './cards.ts'
import { paymentMethodType } from './payment-method-types.ts'

export async function createPaymentMethod(context: Context, card: TestCard): Promise<StoredPaymentMethod> {
  const method: StoredPaymentMethod = {
    id: newId('pm_1'),
    object: 'payment_method',
    created: context.now,
    livemode: context.environment === 'live',
    type: 'card',
    customer: null,
    card: {
      brand: card.brand,
      last4: card.number.slice(-4),
      exp_month: 12,
      exp_year: new Date(context.now * 1000).getUTCFullYear() + 3,
    },
    metadata: {},
    internal: { fails: card.kind === 'fails_later' },
  }
  await save(context, method)
  return method
}

export async function attachPaymentMethod(
  context: Context,
  method: StoredPaymentMethod,
  customerId: string,
): Promise<StoredPaymentMethod> {
  const attached = { ...method, customer: customerId }
  await saveAndEmit(context, 'payment_method.attached', attached)
  return attached
}

/**
 * What charging the subscription would bring: its own method, else its customer's default. Whoever then does charge counts it
 * with the faults, so that those that tests ask for come to an end.
 */
export async function computeCharge(
  context: Context,
  subscription: Pick<StoredSubscription, 'customer' | 'default_payment_method'>,
): Promise<ChargeOutcome> {
  const customer = await getObject<StoredCustomer>(context, 'customer', subscription.customer)
  const methodId =
    subscription.default_payment_method ?? customer.invoice_settings?.default_payment_method ?? null
  if (methodId === null) return customer.default_source ? 'paid' : 'no_method'
  const method = await findObject<StoredPaymentMethod>(context, 'payment_method', methodId)
  if (!method?.customer) return 'no_method'
  return method.internal.fails || context.faults.failingCharges > 0 ? 'failed' : 'paid'
}

const createParams = z.strictObject({
  type: z.literal('card'),
  card: z.strictObject({
    number: text,
    exp_month: integer.optional(),
    exp_year: integer.optional(),
    cvc: text.optional(),
  }),
  metadata: metadata.optional(),
})

/** By id, or by the name of a test card, which makes one. */
export async function getOrMakeMethod(context: Context, id: string): Promise<StoredPaymentMethod> {
  const named = findNamedCard(id)
  if (named !== undefined) return createPaymentMethod(context, named)
  return getObject<StoredPaymentMethod>(context, 'payment_method', id)
}

async function detach(context: Context, id: string): Promise<StoredPaymentMethod> {
  const method = await getObject<StoredPaymentMethod>(context, 'payment_method', id)
  if (method.customer === null) throw new ApiError('The payment method is not attached to a customer.')
  const customer = await getObject<StoredCustomer>(context, 'customer', method.customer)
  const detached = { ...method, customer: null }
  await saveAndEmit(context, 'payment_method.detached', detached, method)
  if (customer.invoice_settings?.default_payment_method === id) {
    const changed = { ...customer, invoice_settings: { default_payment_method: null } }
    await saveAndEmit(context, 'customer.updated', changed, customer)
  }
  return detached
}

const toTypes = (type: string | undefined) => (type === undefined ? {} : { types: [type] })

export const paymentMethodRoutes: Route[] = [
  route('POST', '/v1/payment_methods', createParams, async (context, _id, input) => {
    const card = findCard(input.card.number)
    if (card === undefined) throw new ApiError('Your card number is not one of the test cards.')
    const method = await createPaymentMethod(context, card)
    const described = { ...method, metadata: mergeMetadata({}, input.metadata) }
    await save(context, described)
    return described
  }),
  route('GET', '/v1/payment_methods/:id', noParams, (context, id) =>
    getObject(context, 'payment_method', id),
  ),
  route(
    'GET',
    '/v1/payment_methods',
    z.strictObject({ ...paging, customer: text, type: paymentMethodType.optional() }),
    (context, _id, { customer, type, ...page }) =>
      answerList(context, page, { object: 'payment_method', owner: customer, ...toTypes(type) }),
  ),
  route(
    'GET',
    '/v1/customers/:id/payment_methods',
    z.strictObject({
      ...paging,
      type: paymentMethodType.optional(),
      allow_redisplay: oneOf('always', 'limited', 'unspecified').optional(),
    }),
    async (context, id, { type, allow_redisplay: _, ...page }) => {
      await getLiving(context, 'customer', id)
      return answerList(context, page, { object: 'payment_method', owner: id, ...toTypes(type) })
    },
  ),
  route(
    'POST',
    '/v1/payment_methods/:id/attach',
    z.strictObject({ customer: text }),
    async (context, id, { customer }) => {
      await getObject(context, 'customer', customer, 'customer')
      return attachPaymentMethod(context, await getOrMakeMethod(context, id), customer)
    },
  ),
  route('POST', '/v1/payment_methods/:id/detach', noParams, detach),
]
