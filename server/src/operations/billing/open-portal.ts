// Makes a portal session in which a customer manages payment and subscriptions.

import { type Context, toCustomerHash } from '../context.ts'
import type { Services } from '../services.ts'
import { getProvider } from './get-provider.ts'
import { type Linked, withProviderCustomer } from './link-customer.ts'
import { callProvider } from './provider-call.ts'

type Input = { flow?: 'payment_method_update' | undefined; returnUrl?: string | undefined }

export async function openPortal(
  services: Services,
  context: Context,
  customerId: string,
  { flow, returnUrl }: Input,
): Promise<string> {
  const { environment } = context.principal
  const customer = { customerHash: toCustomerHash(context, customerId), customerId, environment }
  const provider = getProvider(services, environment)
  const open = ({ providerCustomerId }: Linked) =>
    provider.createPortalSession({
      providerCustomerId,
      ...(flow === undefined ? {} : { flow }),
      ...(returnUrl === undefined ? {} : { returnUrl }),
    })
  const { url } = await callProvider(() => withProviderCustomer(services, customer, open))
  return url
}
