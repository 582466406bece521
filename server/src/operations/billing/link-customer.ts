// Makes a customer known at the payment provider, once, and keeps name and email there as they are here.
import type { Environment } from '../../domain/environment.ts'
import { missing, overloaded, RequestError } from '../../domain/errors.ts'
import { ProviderError } from '../../provider/provider.ts'
import type { ProviderLink } from '../../storage/billing/provider-customers.ts'
import {
  claimDueLinks,
  findLink,
  finishLink,
  saveLink,
  setLinkDue,
} from '../../storage/billing/provider-customers.ts'
import { findCustomerUid } from '../../storage/customers/customers.ts'
import type { Services } from '../services.ts'
import { listProvided } from './get-provider.ts'
import { endWithin } from './provider-call.ts'
import { createThere, tell } from './provider-customer.ts'
import { computeRetryDelayMs } from './retry-delay.ts'
import { syncCustomer } from './sync-customer.ts'

export const linkLeaseMs = 30_000
const tryLimitMs = 8_000
const linksAtOnce = 20
const attempts = 5

/**
 * The provider customer of a customer, created there if need be; undefined when the customer is gone. Whoever asks at the same
 * time uses the same idempotency key and the same body, so that there is one. What may change meanwhile is told by an update
 * after it, and again until what was told is what is stored: of two that overlap, the provider may hear the older one last.
 */
async function ensureLinked({ database, providers }: Services, uid: string): Promise<string | undefined> {
  let hasTold = false
  for (let attempt = 1; attempt <= attempts; attempt++) {
    const link = await findLink(database.pool, uid)
    if (!link) return undefined
    const provider = providers[link.environment]
    let { providerCustomerId } = link
    if (!provider) return providerCustomerId
    if (providerCustomerId === undefined) {
      providerCustomerId = await createThere(database.pool, provider, link)
      // The answer of an earlier try, given again: the next has another key.
      if (providerCustomerId === undefined) continue
      // Linked otherwise or deleted meanwhile: what is stored is looked at again.
      if (!(await saveLink(database.pool, link, providerCustomerId))) continue
    } else if (!link.isDue && !hasTold) return providerCustomerId
    await tell(provider, providerCustomerId, link)
    hasTold = true
    if (await finishLink(database.pool, link)) return providerCustomerId
  }
  // Changed faster than it can be told: the worker goes on.
  await setLinkDue(database.pool, uid, Date.now())
  return (await findLink(database.pool, uid))?.providerCustomerId
}

/** Thrown by work whose customer was deleted under it; one made anew under the same id is tried instead. */
export class CustomerGone extends Error {}

export type Named = { customerHash: string; customerId: string; environment: Environment }

export type Linked = { customerUid: string; providerCustomerId: string }

/** Works with the customer's provider customer; one that turns out to be gone there is made anew, once. */
export async function withProviderCustomer<T>(
  services: Services,
  { customerHash, customerId, environment }: Named,
  work: (linked: Linked) => Promise<T>,
): Promise<T> {
  const { pool } = services.database
  let isMadeAnew = false
  for (let attempt = 1; attempt <= attempts; attempt++) {
    const customerUid = await findCustomerUid(pool, customerHash)
    if (customerUid === undefined) throw missing('customer', customerId)
    const before = await findLink(pool, customerUid)
    try {
      const providerCustomerId = await ensureLinked(services, customerUid)
      if (providerCustomerId !== undefined) return await work({ customerUid, providerCustomerId })
    } catch (error) {
      if (error instanceof CustomerGone) continue
      if (isMadeAnew || !(error instanceof ProviderError) || error.kind !== 'not_found') throw error
      const synced = before?.providerCustomerId
        ? await syncCustomer(services, environment, before.providerCustomerId)
        : undefined
      if (synced?.presence === 'unknown') throw customerUnknown()
      if ((await findLink(pool, customerUid))?.linkKey === before?.linkKey) throw error
      isMadeAnew = true
    }
  }
  throw overloaded()
}

const customerUnknown = () =>
  new RequestError(
    'provider_failed',
    'provider_customer_unknown',
    "The payment provider does not know this customer; the service's key may be another account's.",
  )

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
  const { pool } = services.database
  const links: ProviderLink[] = []
  for (const environment of listProvided(services)) {
    links.push(...(await claimDueLinks(pool, environment, now, now + linkLeaseMs, linksAtOnce)))
  }
  await Promise.all(
    links.map((link) =>
      ensureLinked(services, link.customerUid).catch(() =>
        setLinkDue(pool, link.customerUid, Date.now() + computeRetryDelayMs(link.attempts)),
      ),
    ),
  )
  return links.length
}
