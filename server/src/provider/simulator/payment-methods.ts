// Payment methods: cards that are made, attached to a customer, detached, and charged when a subscription falls due.
import { z } from 'zod'
import { findCard, findNamedCard, type TestCard } from './cards.ts'
import { ApiError } from './errors.ts'
import { integer, mergeMetadata, metadata, text } from './form.ts'
import type { ChargeOutcome } from './lifecycle.ts'
import { newId, type StoredCustomer, type StoredPaymentMethod, type StoredSubscription } from './objects.ts'
import { answerList, noParams, paging, type Route, route } from './route.ts'
import { findObject, getLiving, getObject, save, saveAndEmit, type World } from './world.ts'

export async function createPaymentMethod(world: World, card: TestCard): Promise<StoredPaymentMethod> {
  const method: StoredPaymentMethod = {
    id: newId('pm_1'),
    object: 'payment_method',
    created: world.now,
    livemode: world.environment === 'live',
    type: 'card',
    customer: null,
    card: {
      brand: card.brand,
      last4: card.number.slice(-4),
      exp_month: 12,
      exp_year: new Date(world.now * 1000).getUTCFullYear() + 3,
    },
    metadata: {},
    internal: { fails: card.kind === 'fails_later' },
  }
  await save(world, method)
  return method
}

export async function attachPaymentMethod(
  world: World,
  method: StoredPaymentMethod,
  customerId: string,
): Promise<StoredPaymentMethod> {
  const attached = { ...method, customer: customerId }
  await saveAndEmit(world, 'payment_method.attached', attached)
  return attached
}

/** What charging the subscription would bring: its own method, else its customer's default. */
export async function computeCharge(
  world: World,
  subscription: Pick<StoredSubscription, 'customer' | 'default_payment_method'>,
): Promise<ChargeOutcome> {
  const customer = await getObject<StoredCustomer>(world, 'customer', subscription.customer)
  const methodId =
    subscription.default_payment_method ?? customer.invoice_settings?.default_payment_method ?? null
  if (methodId === null) return customer.default_source ? 'paid' : 'no_method'
  const method = await findObject<StoredPaymentMethod>(world, 'payment_method', methodId)
  if (!method?.customer) return 'no_method'
  return method.internal.fails ? 'failed' : 'paid'
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

async function getOrMakeMethod(world: World, id: string): Promise<StoredPaymentMethod> {
  const named = findNamedCard(id)
  if (named !== undefined) return createPaymentMethod(world, named)
  return getObject<StoredPaymentMethod>(world, 'payment_method', id)
}

async function detach(world: World, id: string): Promise<StoredPaymentMethod> {
  const method = await getObject<StoredPaymentMethod>(world, 'payment_method', id)
  if (method.customer === null) throw new ApiError('The payment method is not attached to a customer.')
  const customer = await getObject<StoredCustomer>(world, 'customer', method.customer)
  const detached = { ...method, customer: null }
  await saveAndEmit(world, 'payment_method.detached', detached, method)
  if (customer.invoice_settings?.default_payment_method === id) {
    const changed = { ...customer, invoice_settings: { default_payment_method: null } }
    await saveAndEmit(world, 'customer.updated', changed, customer)
  }
  return detached
}

export const paymentMethodRoutes: Route[] = [
  route('POST', '/v1/payment_methods', createParams, async (world, _id, input) => {
    const card = findCard(input.card.number)
    if (card === undefined) throw new ApiError('Your card number is not one of the test cards.')
    const method = await createPaymentMethod(world, card)
    const described = { ...method, metadata: mergeMetadata({}, input.metadata) }
    await save(world, described)
    return described
  }),
  route('GET', '/v1/payment_methods/:id', noParams, (world, id) => getObject(world, 'payment_method', id)),
  route(
    'GET',
    '/v1/payment_methods',
    z.strictObject({ ...paging, customer: text, type: text.optional() }),
    (world, _id, input) => answerList(world, input, { object: 'payment_method', owner: input.customer }),
  ),
  route(
    'GET',
    '/v1/customers/:id/payment_methods',
    z.strictObject({ ...paging, type: text.optional() }),
    async (world, id, input) => {
      await getLiving(world, 'customer', id)
      return answerList(world, input, { object: 'payment_method', owner: id })
    },
  ),
  route(
    'POST',
    '/v1/payment_methods/:id/attach',
    z.strictObject({ customer: text }),
    async (world, id, { customer }) => {
      await getObject(world, 'customer', customer, 'customer')
      return attachPaymentMethod(world, await getOrMakeMethod(world, id), customer)
    },
  ),
  route('POST', '/v1/payment_methods/:id/detach', noParams, detach),
]
