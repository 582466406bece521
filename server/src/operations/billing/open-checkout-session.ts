// One open checkout session per customer: shared by those who ask for the same, replaced by another wish.
import { randomUUID } from 'node:crypto'
import { missing, RequestError } from '../../domain/errors.ts'
import type { CheckoutRequest, Provider, ProviderCheckoutSession } from '../../provider/provider.ts'
import {
  type Checkout,
  claimSuperseded,
  findCurrentCheckout,
  insertCheckout,
  releaseSuperseded,
  saveCheckoutSession,
} from '../../storage/billing/checkouts.ts'
import { hashToUuid } from '../../storage/customers/customer-uid.ts'
import { lockCustomer } from '../../storage/customers/customers.ts'
import type { Services } from '../services.ts'

export type Wish = {
  uid: string
  customerId: string
  successUrl: string | undefined
  pricingTableReleaseId: string | undefined
  request: Omit<CheckoutRequest, 'successUrl'>
}

/** Its address. A session that turns out to be closed is replaced, once. */
export async function openCheckoutSession(
  services: Services,
  provider: Provider,
  wish: Wish,
): Promise<string> {
  const returnUrl = `${services.publicUrl()}/checkout/return`
  // All that goes to the provider: equal wishes over instances with different addresses are not equal there.
  const requestHash = hashToUuid(JSON.stringify([wish.request, wish.successUrl, returnUrl]))
  let closedKey: string | undefined
  for (let attempt = 1; attempt <= 2; attempt++) {
    const checkout = await chooseCheckout(services, wish, requestHash, closedKey)
    const session = await getSession(provider, wish, checkout, returnUrl)
    await saveCheckoutSession(services.database.pool, checkout, session.checkoutSessionId)
    await expireSuperseded(services, provider, wish.uid)
    if (session.url !== null) return session.url
    closedKey = checkout.checkoutKey
  }
  throw new RequestError(
    'provider_failed',
    'provider_rejected',
    'The payment provider closed the checkout session at once.',
  )
}

/** The same key and body give the same session, however many ask for it at once. */
function getSession(
  provider: Provider,
  { request }: Wish,
  { checkoutKey, checkoutSessionId }: Checkout,
  returnUrl: string,
): Promise<ProviderCheckoutSession> {
  if (checkoutSessionId !== undefined) return provider.getCheckoutSession(checkoutSessionId)
  const successUrl = `${returnUrl}/${checkoutKey}?session={CHECKOUT_SESSION_ID}`
  return provider.createCheckoutSession({ ...request, successUrl }, checkoutKey)
}

/** The checkout to use, under the customer's lock: the current one if all is equal and it is not closed, else a new one. */
async function chooseCheckout(
  { database }: Services,
  { uid, customerId, successUrl, pricingTableReleaseId }: Wish,
  requestHash: string,
  closedKey: string | undefined,
): Promise<Checkout> {
  return database.inTransaction(async (sql) => {
    if ((await lockCustomer(sql, uid)) === undefined) throw missing('customer', customerId)
    const current = await findCurrentCheckout(sql, uid)
    if (current?.requestHash === requestHash && current.checkoutKey !== closedKey) return current
    const checkout = { customerUid: uid, checkoutKey: randomUUID(), requestHash, successUrl }
    await insertCheckout(sql, { ...checkout, pricingTableReleaseId }, Date.now())
    return { ...checkout, checkoutSessionId: undefined }
  })
}

/** Also what an earlier call could not expire, because the provider failed it. */
async function expireSuperseded({ database }: Services, provider: Provider, uid: string): Promise<void> {
  const left = await claimSuperseded(database.pool, uid, Date.now())
  try {
    for (let next = left[0]; next !== undefined; next = left[0]) {
      await provider.expireCheckoutSession(next.checkoutSessionId)
      left.shift()
    }
  } catch (error) {
    await releaseSuperseded(
      database.pool,
      uid,
      left.map(({ checkoutKey }) => checkoutKey),
    )
    throw error
  }
}
