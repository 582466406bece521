// Gathers everything the service knows of a customer at Stripe: existence, contact, payment method, subscriptions; and lists
// customers page by page.
import Stripe from 'stripe'
import type { ListedProviderCustomer, ProviderCustomerState, ProviderPage } from '../provider.ts'
import type { Deadline } from './deadline.ts'
import { toMs } from './objects.ts'
import { startAfter, toPage } from './page.ts'
import { readSubscriptions } from './subscriptions.ts'

function absent(providerCustomerId: string, presence: 'deleted' | 'unknown'): ProviderCustomerState {
  return {
    providerCustomerId,
    presence,
    name: null,
    email: null,
    hasPaymentMethod: false,
    subscriptions: [],
  }
}

async function findCustomer(
  stripe: Stripe,
  deadline: Deadline,
  providerCustomerId: string,
): Promise<Stripe.Customer | 'deleted' | 'unknown'> {
  try {
    const customer = await stripe.customers.retrieve(providerCustomerId, {}, deadline.request())
    return customer.deleted ? 'deleted' : customer
  } catch (error) {
    if (error instanceof Stripe.errors.StripeInvalidRequestError && error.statusCode === 404) return 'unknown'
    throw error
  }
}

async function hasPaymentMethod(
  stripe: Stripe,
  deadline: Deadline,
  customer: Stripe.Customer,
): Promise<boolean> {
  if (customer.invoice_settings?.default_payment_method || customer.default_source) return true
  const saved = await stripe.customers.listPaymentMethods(customer.id, { limit: 1 }, deadline.request())
  return saved.data.length > 0
}

export async function readCustomerState(
  stripe: Stripe,
  deadline: Deadline,
  providerCustomerId: string,
): Promise<ProviderCustomerState> {
  const customer = await findCustomer(stripe, deadline, providerCustomerId)
  if (customer === 'deleted' || customer === 'unknown') return absent(providerCustomerId, customer)
  const subscriptions = await readSubscriptions(stripe, deadline, providerCustomerId)
  return {
    providerCustomerId,
    presence: 'known',
    name: customer.name ?? null,
    email: customer.email,
    hasPaymentMethod: await hasPaymentMethod(stripe, deadline, customer),
    subscriptions,
  }
}

export async function readCustomerPage(
  stripe: Stripe,
  deadline: Deadline,
  cursor: string | undefined,
): Promise<ProviderPage<ListedProviderCustomer>> {
  return toPage(await stripe.customers.list(startAfter(cursor), deadline.request()), (customer) => ({
    providerCustomerId: customer.id,
    name: customer.name ?? null,
    email: customer.email,
    metadata: customer.metadata,
    createdAt: toMs(customer.created),
  }))
}
