// Makes a portal session in which a customer manages payment and subscriptions.
import type { Caller } from '../domain/caller.ts'
import { missing } from '../domain/errors.ts'
import { customerUid } from '../storage/customer-uid.ts'
import { ensureLinked } from './link-customer.ts'
import { callProvider } from './provider-call.ts'
import type { Services } from './services.ts'

type Input = { flow?: 'payment_method_update' | undefined; returnUrl?: string | undefined }

export async function openPortal(
  services: Services,
  caller: Caller,
  customerId: string,
  { flow, returnUrl }: Input,
): Promise<string> {
  const uid = customerUid(caller.environment, customerId)
  const providerCustomerId = await callProvider(() => ensureLinked(services, uid))
  if (providerCustomerId === undefined) throw missing('customer', customerId)
  const request = {
    providerCustomerId,
    ...(flow === undefined ? {} : { flow }),
    ...(returnUrl === undefined ? {} : { returnUrl }),
  }
  const { url } = await callProvider(() =>
    services.providers[caller.environment].createPortalSession(request),
  )
  return url
}
