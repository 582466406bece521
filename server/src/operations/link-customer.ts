// Makes a customer known at the payment provider, once, and keeps name and email there as they are here.
import type { ProviderLink } from '../storage/provider-customers.ts'
import { claimDueLinks, findLink, finishLink, saveLink, setLinkDue } from '../storage/provider-customers.ts'
import { computeRetryDelayMs } from './retry-delay.ts'
import type { Services } from './services.ts'

const leaseMs = 30_000
const linksAtOnce = 20

/**
 * The provider customer of a customer, created there if need be. Whoever asks at the same time uses the same idempotency
 * key and the same body, so that there is one; what may change meanwhile is told by an update after it.
 */
export async function ensureLinked(
  { database, providers }: Services,
  uid: string,
): Promise<string | undefined> {
  const link = await findLink(database.pool, uid)
  if (!link) return undefined
  const provider = providers[link.environment]
  let { providerCustomerId } = link
  if (providerCustomerId === undefined) {
    const fields = { metadata: { tollkeeper_customer_id: link.customerId } }
    const created = await provider.createCustomer(fields, link.linkKey)
    providerCustomerId = created.providerCustomerId
    await saveLink(database.pool, link, providerCustomerId)
  }
  await tell(provider, providerCustomerId, link)
  await finishLink(database.pool, link)
  return providerCustomerId
}

async function tell(
  provider: Services['providers']['test'],
  providerCustomerId: string,
  { name, email }: ProviderLink,
) {
  if (name === undefined && email === undefined) return
  await provider.updateCustomer(providerCustomerId, {
    ...(name === undefined ? {} : { name }),
    ...(email === undefined ? {} : { email }),
  })
}

/** Best effort, for a request that does not depend on it: what fails now is done later by the worker. */
export async function tryLink(services: Services, uid: string): Promise<void> {
  await setLinkDue(services.database.pool, uid, Date.now() + leaseMs)
  await ensureLinked(services, uid).catch(() => setLinkDue(services.database.pool, uid, Date.now() + 1_000))
}

/** Tells the provider of customers it could not be told of before; says how many it tried. */
export async function linkDue(services: Services): Promise<number> {
  const now = Date.now()
  const links = await claimDueLinks(services.database.pool, now, now + leaseMs, linksAtOnce)
  await Promise.all(
    links.map((link) =>
      ensureLinked(services, link.customerUid).catch(() =>
        setLinkDue(services.database.pool, link.customerUid, Date.now() + computeRetryDelayMs(link.attempts)),
      ),
    ),
  )
  return links.length
}
