// Makes a portal session in which a customer manages payment and subscriptions.
import type { Caller } from '../../domain/caller.ts'
import { customerUid } from '../../storage/customers/customer-uid.ts'
import type { Services } from '../services.ts'
import { withProviderCustomer } from './link-customer.ts'
import { callProvider } from './provider-call.ts'

type Input = { flow?: 'payment_method_update' | undefined; returnUrl?: string | undefined }

export async function openPortal(
  services: Services,
  caller: Caller,
  customerId: string,
  { flow, returnUrl }: Input,
): Promise<string> {
  const { environment } = caller
  const customer = { uid: customerUid(environment, customerId), customerId, environment }
  const open = (providerCustomerId: string) =>
    services.providers[environment].createPortalSession({
      providerCustomerId,
      ...(flow === undefined ? {} : { flow }),
      ...(returnUrl === undefined ? {} : { returnUrl }),
    })
  const { url } = await callProvider(() => withProviderCustomer(services, customer, open))
  return url
}
