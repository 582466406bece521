// One open checkout session per customer: shared by those who ask for the same, replaced where something else is asked for.
import { RequestError } from '../../domain/errors.ts'
import {
  type CheckoutRequest,
  type Provider,
  type ProviderCheckoutSession,
  ProviderError,
} from '../../provider/provider.ts'
import {
  type Checkout,
  claimSuperseded,
  endRefusedCheckout,
  findCurrentCheckout,
  finishSuperseded,
  insertCheckout,
  saveCheckoutSession,
} from '../../storage/billing/checkouts.ts'
import { hashToUuid, makeOwnedUuid } from '../../storage/customers/customer-uid.ts'
import { raiseRevision } from '../../storage/customers/customers.ts'
import type { Services } from '../services.ts'
import { CustomerGone } from './link-customer.ts'

/** What a checkout is kept for: where it leads, and what the caller wrote on it. */
export type CheckoutNotes = {
  customerUid: string
  successUrl: string | undefined
  pricingTableReleaseId: string | undefined
  metadata: Record<string, string>
}

export type CheckoutIntent = CheckoutNotes & {
  request: Omit<CheckoutRequest, 'successUrl'>
}

/** Its address. A session that turns out to be closed is replaced, once, and so is a failure of before, given again. */
export async function openCheckoutSession(
  services: Services,
  provider: Provider,
  intent: CheckoutIntent,
): Promise<string> {
  const returnUrl = toReturnUrl(services)
  // All that goes to the provider: equal intents over instances with different addresses are not equal there.
  const requestHash = hashToUuid(JSON.stringify([intent.request, intent.successUrl, returnUrl]))
  let closedKey: string | undefined
  for (let attempt = 1; attempt <= 2; attempt++) {
    const checkout = await chooseCheckout(services, intent, requestHash, closedKey)
    const session = await getSession(provider, intent, checkout, returnUrl).catch(async (error) => {
      if (!(error instanceof ProviderError) || !error.endsKey) throw error
      await endRefusedCheckout(services.database.pool, checkout, Date.now())
      if (!error.isReplayed || attempt === 2) throw error
      return undefined
    })
    if (!session) continue
    const { checkoutSessionId } = session
    const { providerCustomerId } = intent.request
    if (
      !(await saveCheckoutSession(services.database.pool, checkout, providerCustomerId, checkoutSessionId))
    ) {
      await provider.expireCheckoutSession(checkoutSessionId)
      throw new CustomerGone()
    }
    await closeSuperseded(services, intent.customerUid)
    if (session.url !== null) return session.url
    closedKey = checkout.checkoutKey
  }
  throw new RequestError(
    'provider_failed',
    'provider_rejected',
    'The payment provider closed the checkout session at once.',
  )
}

/** The way back passes through us: the purchase is made known before the customer goes on. */
export const toReturnUrl = (services: Services) => `${services.publicUrl()}/checkout/return`

/** The same key and body give the same session, however many ask for it at once. */
function getSession(
  provider: Provider,
  { request }: CheckoutIntent,
  { checkoutKey, checkoutSessionId }: Checkout,
  returnUrl: string,
): Promise<ProviderCheckoutSession> {
  if (checkoutSessionId !== undefined) return provider.getCheckoutSession(checkoutSessionId)
  const successUrl = `${returnUrl}/${checkoutKey}?session={CHECKOUT_SESSION_ID}`
  return provider.createCheckoutSession({ ...request, successUrl }, checkoutKey)
}

/** The checkout to use, under the customer's lock: the current one if all is equal and it is not closed, else a new one. */
export async function chooseCheckout(
  { database }: Services,
  { customerUid, successUrl, pricingTableReleaseId, metadata }: CheckoutNotes,
  requestHash: string,
  closedKey?: string,
): Promise<Checkout> {
  return database.inTransaction(async (sql) => {
    if (!(await raiseRevision(sql, customerUid))) throw new CustomerGone()
    const current = await findCurrentCheckout(sql, customerUid)
    if (current?.requestHash === requestHash && current.checkoutKey !== closedKey) return current
    const now = Date.now()
    const checkoutKey = makeOwnedUuid(customerUid, now)
    const checkout = { customerUid, checkoutKey, requestHash, successUrl }
    await insertCheckout(sql, { ...checkout, pricingTableReleaseId, metadata }, now)
    return { ...checkout, checkoutSessionId: undefined }
  })
}

const closeLeaseMs = 30_000
const retryCloseMs = 5_000
const closedAtOnce = 20

/** Expires the sessions of superseded checkouts, of one customer or of all; says how many it tried. The job does what is left. */
export async function closeSuperseded(services: Services, customerUid?: string): Promise<number> {
  const { pool } = services.database
  const now = Date.now()
  const claim = { now, leaseEndsAt: now + closeLeaseMs, limit: closedAtOnce }
  const claimed = await claimSuperseded(pool, customerUid === undefined ? claim : { ...claim, customerUid })
  for (const each of claimed) {
    // Where the provider's key was removed, the session is let be until its own end.
    const provider = services.providers[each.environment]
    if (!provider) continue
    const isClosed = await provider
      .expireCheckoutSession(each.checkoutSessionId)
      .then(() => true)
      .catch((error) => {
        if (!(error instanceof ProviderError)) throw error
        return false
      })
    await finishSuperseded(pool, each, isClosed ? null : Date.now() + retryCloseMs)
  }
  return claimed.length
}
