// What a customer is at the payment provider, as last fetched: its subscriptions, and the checkouts that were begun for it.
import type { Catalogue } from '../../domain/catalogue/catalogue.ts'
import { missing } from '../../domain/errors.ts'
import type { Subscription } from '../../domain/ledger/state.ts'
import { listCheckouts, type RecentCheckout } from '../../storage/billing/links.ts'
import type { Context } from '../context.ts'
import { findCustomer } from '../customers/get-customer.ts'
import type { Services } from '../services.ts'

export type ProviderCustomer = {
  providerCustomerId: string | undefined
  providerUrl: string | undefined
  hasPaymentMethod: boolean
  subscriptions: readonly Subscription[]
  catalogue: Catalogue
  checkouts: RecentCheckout[]
}

const checkoutsAtMost = 20

export async function getProviderCustomer(
  services: Services,
  context: Context,
  customerId: string,
): Promise<ProviderCustomer> {
  const view = await findCustomer(services, context, customerId)
  if (!view) throw missing('customer', customerId)
  const { customer, subscriptions } = view.state
  const { providerCustomerId, hasPaymentMethod } = customer
  const pages = services.providers[context.principal.environment]?.pages
  return {
    providerCustomerId,
    providerUrl: providerCustomerId === undefined ? undefined : pages?.customer(providerCustomerId),
    hasPaymentMethod,
    subscriptions,
    catalogue: view.catalogue,
    checkouts: await listCheckouts(services.database.pool, customer.customerUid, checkoutsAtMost),
  }
}
