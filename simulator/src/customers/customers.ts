// Customers: made, read, changed, deleted (which ends their subscriptions at once), listed.
import { z } from 'zod'
import { clearable, type MetadataChange, mergeMetadata, metadata, text } from '../api/form.ts'
import { answerList, noParams, paging, present, type Route, route } from '../api/route.ts'
import { type Context, getLiving, getObject, listOwned } from '../context.ts'
import { save, saveAndEmit } from '../events/record.ts'
import { newId, type StoredCustomer, type StoredPaymentMethod, type StoredSubscription } from '../objects.ts'
import { endSubscription } from '../subscriptions/lifecycle.ts'

const fields = {
  name: clearable.optional(),
  email: clearable.optional(),
  description: clearable.optional(),
  phone: clearable.optional(),
  metadata: metadata.optional(),
  invoice_settings: z.strictObject({ default_payment_method: clearable.optional() }).optional(),
  default_source: clearable.optional(),
}
const customerParams = z.strictObject(fields)
type CustomerParams = z.infer<typeof customerParams>

async function applyParams(
  context: Context,
  customer: StoredCustomer,
  input: CustomerParams,
): Promise<StoredCustomer> {
  const { metadata: change, invoice_settings: settings, ...rest } = input
  const given = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined))
  const method = settings?.default_payment_method
  if (method) {
    await getObject<StoredPaymentMethod>(
      context,
      'payment_method',
      method,
      'invoice_settings[default_payment_method]',
    )
  }
  return {
    ...customer,
    ...given,
    metadata: mergeMetadata(customer.metadata, change),
    invoice_settings: method === undefined ? customer.invoice_settings : { default_payment_method: method },
  }
}

export async function createCustomer(
  context: Context,
  input: CustomerParams & { metadata?: MetadataChange | undefined },
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
    default_source: null,
    invoice_settings: { default_payment_method: null },
  }
  const customer = await applyParams(context, empty, input)
  await saveAndEmit(context, 'customer.created', customer)
  return customer
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

export const customerRoutes: Route[] = [
  route('POST', '/v1/customers', customerParams, (context, _id, input) => createCustomer(context, input)),
  route(
    'GET',
    '/v1/customers',
    z.strictObject({ ...paging, email: text.optional() }),
    (context, _id, { email, ...page }) =>
      answerList(context, page, { object: 'customer', ...present({ email }) }),
  ),
  route('GET', '/v1/customers/:id', noParams, (context, id) => getObject(context, 'customer', id)),
  route('POST', '/v1/customers/:id', customerParams, async (context, id, input) => {
    const customer = await getLiving<StoredCustomer>(context, 'customer', id)
    const changed = await applyParams(context, customer, input)
    await saveAndEmit(context, 'customer.updated', changed, customer)
    return changed
  }),
  route('DELETE', '/v1/customers/:id', noParams, deleteCustomer),
]
