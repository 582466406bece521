// Customers: made, read, changed, deleted (which ends their subscriptions at once), listed.
import { z } from 'zod'
import { clearable, type MetadataChange, mergeMetadata, metadata, text } from './form.ts'
import { endSubscription } from './lifecycle.ts'
import { newId, type StoredCustomer, type StoredPaymentMethod, type StoredSubscription } from './objects.ts'
import { answerList, noParams, paging, present, type Route, route } from './route.ts'
import { getLiving, getObject, listOwned, save, saveAndEmit, type World } from './world.ts'

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
  world: World,
  customer: StoredCustomer,
  input: CustomerParams,
): Promise<StoredCustomer> {
  const { metadata: change, invoice_settings: settings, ...rest } = input
  const given = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined))
  const method = settings?.default_payment_method
  if (method) {
    await getObject<StoredPaymentMethod>(
      world,
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
  world: World,
  input: CustomerParams & { metadata?: MetadataChange | undefined },
): Promise<StoredCustomer> {
  const empty: StoredCustomer = {
    id: newId('cus_', 14),
    object: 'customer',
    created: world.now,
    livemode: world.environment === 'live',
    name: null,
    email: null,
    description: null,
    phone: null,
    metadata: {},
    default_source: null,
    invoice_settings: { default_payment_method: null },
  }
  const customer = await applyParams(world, empty, input)
  await saveAndEmit(world, 'customer.created', customer)
  return customer
}

async function deleteCustomer(world: World, id: string) {
  const customer = await getLiving<StoredCustomer>(world, 'customer', id)
  for (const subscription of await listOwned<StoredSubscription>(world, 'subscription', id)) {
    if (subscription.ended_at !== null) continue
    const ended = endSubscription(subscription, world.now)
    await saveAndEmit(world, 'customer.subscription.deleted', ended, subscription)
  }
  await saveAndEmit(world, 'customer.deleted', customer)
  const deleted = { id, object: 'customer', created: customer.created, deleted: true }
  await save(world, deleted)
  return deleted
}

export const customerRoutes: Route[] = [
  route('POST', '/v1/customers', customerParams, (world, _id, input) => createCustomer(world, input)),
  route(
    'GET',
    '/v1/customers',
    z.strictObject({ ...paging, email: text.optional() }),
    (world, _id, { email, ...page }) =>
      answerList(world, page, { object: 'customer', ...present({ email }) }),
  ),
  route('GET', '/v1/customers/:id', noParams, (world, id) => getObject(world, 'customer', id)),
  route('POST', '/v1/customers/:id', customerParams, async (world, id, input) => {
    const customer = await getLiving<StoredCustomer>(world, 'customer', id)
    const changed = await applyParams(world, customer, input)
    await saveAndEmit(world, 'customer.updated', changed, customer)
    return changed
  }),
  route('DELETE', '/v1/customers/:id', noParams, deleteCustomer),
]
