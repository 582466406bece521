// Customers: made, read, changed, deleted (which ends their subscriptions at once), listed.
import { z } from 'zod'
import { clearable, clearableEmail, ignored, mergeMetadata, metadata, oneOf, text } from '../api/form.ts'
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
import { type Context, getLiving, getObject, listOwned } from '../context.ts'
import { save, saveAndEmit } from '../events/record.ts'
import { newId } from '../ids.ts'
import type { StoredCustomer, StoredPaymentMethod, StoredSubscription } from '../objects.ts'
import { endSubscription } from '../subscriptions/lifecycle.ts'
import { attachPaymentMethod, getOrMakeMethod } from './payment-methods.ts'

const fields = {
  name: clearable.optional(),
  email: clearableEmail.optional(),
  description: clearable.optional(),
  phone: clearable.optional(),
  metadata: metadata.optional(),
  invoice_settings: z
    .strictObject({
      default_payment_method: clearable.optional(),
      custom_fields: ignored,
      footer: ignored,
      rendering_options: ignored,
    })
    .optional(),
  address: ignored,
  preferred_locales: ignored,
  shipping: ignored,
  tax: ignored,
  tax_exempt: oneOf('none', 'exempt', 'reverse').optional(),
}
const ignoredFields = ['address', 'preferred_locales', 'shipping', 'tax', 'tax_exempt']
const createParams = z.strictObject({ ...fields, payment_method: text.optional() })
const updateParams = z.strictObject({ ...fields, default_source: text.optional() })
type CustomerParams = z.infer<typeof updateParams>

async function applyParams(
  context: Context,
  customer: StoredCustomer,
  input: CustomerParams,
): Promise<StoredCustomer> {
  const { metadata: change, invoice_settings: settings, ...rest } = input
  const given = Object.fromEntries(
    Object.entries(rest).filter(([name, value]) => value !== undefined && !ignoredFields.includes(name)),
  )
  const methodId = settings?.default_payment_method
  if (methodId) {
    const param = 'invoice_settings[default_payment_method]'
    await getObject<StoredPaymentMethod>(context, 'payment_method', methodId, param)
  }
  return {
    ...customer,
    ...given,
    metadata: mergeMetadata(customer.metadata, change),
    invoice_settings:
      methodId === undefined ? customer.invoice_settings : { default_payment_method: methodId },
  }
}

export async function createCustomer(
  context: Context,
  { payment_method: methodId, ...input }: z.infer<typeof createParams>,
): Promise<StoredCustomer> {
  const empty: StoredCustomer = {
    id: newId('cus_', 14),
    object: 'customer',
    created: context.now,
    livemode: context.environment === 'live',
    name: null,
    email: null,
    description: null,
    phone: null,
    metadata: {},
    balance: 0,
    default_source: null,
    invoice_settings: { default_payment_method: null },
  }
  const customer = await applyParams(context, empty, input)
  await saveAndEmit(context, 'customer.created', customer)
  if (methodId !== undefined) {
    await attachPaymentMethod(context, await getOrMakeMethod(context, methodId), customer.id)
  }
  return customer
}

async function updateCustomer(context: Context, id: string, input: CustomerParams): Promise<StoredCustomer> {
  const customer = await getLiving<StoredCustomer>(context, 'customer', id)
  const changed = await applyParams(context, customer, input)
  await saveAndEmit(context, 'customer.updated', changed, customer)
  return changed
}

async function deleteCustomer(context: Context, id: string) {
  const customer = await getLiving<StoredCustomer>(context, 'customer', id)
  for (const subscription of await listOwned<StoredSubscription>(context, 'subscription', id)) {
    if (subscription.ended_at !== null) continue
    const ended = endSubscription(subscription, context.now)
    await saveAndEmit(context, 'customer.subscription.deleted', ended, subscription)
  }
  await saveAndEmit(context, 'customer.deleted', customer)
  const deleted = { id, object: 'customer', created: customer.created, deleted: true }
  await save(context, deleted)
  return deleted
}

const listParams = z.strictObject({ ...paging, email: text.optional(), created: createdParam })

export const customerRoutes: Route[] = [
  route('POST', '/v1/customers', createParams, (context, _id, input) => createCustomer(context, input)),
  route('GET', '/v1/customers', listParams, (context, _id, { email, created, ...page }) =>
    answerList(context, page, { object: 'customer', ...present({ email }), ...toCreated(created) }),
  ),
  route('GET', '/v1/customers/:id', noParams, (context, id) => getObject(context, 'customer', id)),
  route('POST', '/v1/customers/:id', updateParams, updateCustomer),
  route('DELETE', '/v1/customers/:id', noParams, deleteCustomer),
]
