// The way back from a checkout: the purchase is made known here before the customer goes on.
import { missing } from '../../domain/errors.ts'
import { findCheckoutByKey } from '../../storage/billing/checkouts.ts'
import { findLink } from '../../storage/billing/provider-customers.ts'
import type { Services } from '../services.ts'
import { syncCustomer } from './sync-customer.ts'

const keyForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Where to send the customer; undefined when the caller gave no address, and the page is ours. */
export async function finishCheckout(services: Services, checkoutKey: string): Promise<string | undefined> {
  const checkout = keyForm.test(checkoutKey)
    ? await findCheckoutByKey(services.database.pool, checkoutKey)
    : undefined
  const link = checkout && (await findLink(services.database.pool, checkout.customerUid))
  if (!checkout || !link?.providerCustomerId) throw missing('checkout', checkoutKey)
  await syncCustomer(services, checkout.environment, link.providerCustomerId)
  return checkout.successUrl?.replaceAll('{CHECKOUT_SESSION_ID}', checkout.checkoutSessionId ?? '')
}
