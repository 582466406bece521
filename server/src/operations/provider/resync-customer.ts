// Brings one customer and the payment provider together now: name and email as they are here, everything else as it is there.
import { invalid, missing } from '../../domain/errors.ts'
import { ProviderError } from '../../provider/provider.ts'
import { findLink } from '../../storage/billing/provider-customers.ts'
import { findCustomerUid } from '../../storage/customers/customers.ts'
import { getProvider } from '../billing/get-provider.ts'
import { tryLink } from '../billing/link-customer.ts'
import { callProvider } from '../billing/provider-call.ts'
import { tell } from '../billing/provider-customer.ts'
import { syncCustomer } from '../billing/sync-customer.ts'
import { type Context, toCustomerHash } from '../context.ts'
import type { Services } from '../services.ts'

export async function resyncCustomer(
  services: Services,
  context: Context,
  customerId: string,
): Promise<{ isChanged: boolean }> {
  const { pool } = services.database
  const { environment } = context.principal
  const provider = getProvider(services, environment)
  const uid = await findCustomerUid(pool, toCustomerHash(context, customerId))
  const link = uid === undefined ? undefined : await findLink(pool, uid)
  if (!link) throw missing('customer', customerId)
  const { providerCustomerId } = link
  if (providerCustomerId === undefined) {
    await tryLink(services, link.customerUid)
    return { isChanged: (await findLink(pool, link.customerUid))?.providerCustomerId !== undefined }
  }
  return callProvider(async () => {
    const theirs = await provider.getCustomerState(providerCustomerId)
    if (theirs.presence === 'unknown')
      throw invalid('The payment provider does not know this customer.', 'provider_customer_unknown')
    const isTold =
      theirs.presence === 'known' && differs(link.name, theirs.name, link.email, theirs.email)
        ? await tell(provider, providerCustomerId, link).then(() => true, ignoreGone)
        : false
    const synced = await syncCustomer(services, environment, providerCustomerId)
    return { isChanged: isTold || synced?.isChanged === true || synced?.presence === 'deleted' }
  })
}

const differs = (
  name: string | undefined,
  theirName: string | null,
  email: string | undefined,
  theirs: string | null,
) => (name !== undefined && name !== theirName) || (email !== undefined && email !== theirs)

/** Deleted there in between: what is fetched next says so. */
function ignoreGone(error: unknown): boolean {
  if (error instanceof ProviderError && error.kind === 'not_found') return false
  throw error
}
