// Makes a customer known at the payment provider, once, and keeps name and email there as they are here.
import type { Environment } from '../../domain/environment.ts'
import { missing } from '../../domain/errors.ts'
import { ProviderError } from '../../provider/provider.ts'
import type { ProviderLink } from '../../storage/billing/provider-customers.ts'
import {
  claimDueLinks,
  findLink,
  finishLink,
  saveLink,
  setLinkDue,
} from '../../storage/billing/provider-customers.ts'
import type { Services } from '../services.ts'
import { endWithin } from './provider-call.ts'
import { computeRetryDelayMs } from './retry-delay.ts'
import { syncCustomer } from './sync-customer.ts'

export const linkLeaseMs = 30_000
const tryLimitMs = 8_000
const linksAtOnce = 20

/**
 * The provider customer of a customer, created there if need be. Whoever asks at the same time uses the same idempotency
 * key and the same body, so that there is one; what may change meanwhile is told by an update after it.
 */
async function ensureLinked({ database, providers }: Services, uid: string): Promise<string | undefined> {
  const link = await findLink(database.pool, uid)
  if (!link) return undefined
  const provider = providers[link.environment]
  let { providerCustomerId } = link
  if (providerCustomerId === undefined) {
    const fields = { metadata: { tollkeeper_customer_id: link.customerId } }
    const created = await provider.createCustomer(fields, link.linkKey)
    providerCustomerId = created.providerCustomerId
    await saveLink(database.pool, link, providerCustomerId)
  } else if (!link.isDue) return providerCustomerId
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

type Identified = { uid: string; customerId: string; environment: Environment }

/** Works with the customer's provider customer; one that turns out to be gone there is made anew, once. */
export async function withProviderCustomer<T>(
  services: Services,
  { uid, customerId, environment }: Identified,
  work: (providerCustomerId: string) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const used = await findLink(services.database.pool, uid)
    try {
      const providerCustomerId = await ensureLinked(services, uid)
      if (providerCustomerId === undefined) throw missing('customer', customerId)
      return await work(providerCustomerId)
    } catch (error) {
      if (attempt > 1 || !(error instanceof ProviderError) || error.kind !== 'not_found') throw error
      if (used?.providerCustomerId) await syncCustomer(services, environment, used.providerCustomerId)
      const now = await findLink(services.database.pool, uid)
      if (now?.linkKey === used?.linkKey) throw error
    }
  }
}

/** Best effort, for a request that does not depend on it: what fails now is done later by the worker. */
export async function tryLink(services: Services, uid: string): Promise<void> {
  const { pool } = services.database
  await setLinkDue(pool, uid, Date.now() + linkLeaseMs)
  await endWithin(tryLimitMs, ensureLinked(services, uid)).catch(() =>
    setLinkDue(pool, uid, Date.now() + 1_000),
  )
}

/** Tells the provider of customers it could not be told of before; says how many it tried. */
export async function linkDue(services: Services): Promise<number> {
  const now = Date.now()
  const links = await claimDueLinks(services.database.pool, now, now + linkLeaseMs, linksAtOnce)
  await Promise.all(
    links.map((link) =>
      ensureLinked(services, link.customerUid).catch(() =>
        setLinkDue(services.database.pool, link.customerUid, Date.now() + computeRetryDelayMs(link.attempts)),
      ),
    ),
  )
  return links.length
}
