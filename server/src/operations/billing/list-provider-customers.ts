// What customers the payment provider has, a page at a time: for taking them over.
import type { ListedProviderCustomer, ProviderPage } from '../../provider/provider.ts'
import type { Context } from '../context.ts'
import type { Services } from '../services.ts'
import { getProvider } from './get-provider.ts'
import { callProvider } from './provider-call.ts'

export async function listProviderCustomers(
  services: Services,
  { principal }: Context,
  cursor: string | undefined,
): Promise<ProviderPage<ListedProviderCustomer>> {
  const provider = getProvider(services, principal.environment)
  return callProvider(() => provider.listCustomers(cursor))
}
