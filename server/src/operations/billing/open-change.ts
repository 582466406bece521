// The provider's page on which a customer confirms moving to another product.
import { changeNotPossible, type Purchase } from '../../domain/billing/purchase.ts'
import { type Provider, ProviderError } from '../../provider/provider.ts'
import { deleteChangePage, findChangePage, saveChangePage } from '../../storage/billing/change-pages.ts'
import { hashToUuid } from '../../storage/customers/customer-uid.ts'
import type { Services } from '../services.ts'
import { type CheckoutNotes, chooseCheckout, closeSuperseded, toReturnUrl } from './open-checkout-session.ts'

export type ChangeIntent = CheckoutNotes & {
  change: Extract<Purchase, { flow: 'change' }>
  providerCustomerId: string
  providerProductId: string
  providerPriceId: string
  cancelUrl: string | undefined
}

/** Its address. An open checkout session is expired: the two would not go together. */
export async function openChange(
  services: Services,
  provider: Provider,
  intent: ChangeIntent,
): Promise<string> {
  const returnUrl = toReturnUrl(services)
  const checkout = await chooseCheckout(
    services,
    intent,
    hashToUuid(JSON.stringify(['change', intent, returnUrl])),
  )
  await closeSuperseded(services, intent.customerUid)
  const { change, providerCustomerId, providerPriceId, cancelUrl } = intent
  const request = {
    providerCustomerId,
    providerSubscriptionId: change.providerSubscriptionId,
    itemId: change.itemId,
    providerPriceId,
    quantity: change.quantity,
    successUrl: `${returnUrl}/${checkout.checkoutKey}`,
    ...(cancelUrl === undefined ? {} : { cancelUrl }),
  }
  try {
    return await onChangePage(services, provider, intent, async (changePageId) => {
      const { url } = await provider.createChangeSession({ ...request, changePageId })
      return url
    })
  } catch (error) {
    if (!isRefusal(error)) throw error
    throw changeNotPossible(error.message.replace(/\.$/, ''))
  }
}

const isRefusal = (error: unknown): error is ProviderError =>
  error instanceof ProviderError && (error.kind === 'rejected' || error.kind === 'not_found')

/** With the page of the price, made if need be; one kept here that the provider refuses is made anew, once. */
async function onChangePage<T>(
  { database: { pool } }: Services,
  provider: Provider,
  { providerProductId, providerPriceId }: ChangeIntent,
  work: (changePageId: string) => Promise<T>,
): Promise<T> {
  const { environment } = provider
  const kept = await findChangePage(pool, environment, providerPriceId)
  if (kept !== undefined) {
    try {
      return await work(kept)
    } catch (error) {
      if (!isRefusal(error)) throw error
      await deleteChangePage(pool, environment, kept)
    }
  }
  const { changePageId } = await provider.prepareChange({ providerProductId, providerPriceId })
  const result = await work(changePageId)
  await saveChangePage(pool, environment, providerPriceId, changePageId)
  return result
}
