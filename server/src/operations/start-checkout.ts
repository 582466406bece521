// Makes a checkout session for a customer and a provider product, or shares the one that is open.
import { randomUUID } from 'node:crypto'
import type { Caller } from '../domain/caller.ts'
import type { Product } from '../domain/catalogue.ts'
import { checkMetadataKeys, checkSessionParams } from '../domain/checkout.ts'
import { invalid, missing, quote, RequestError } from '../domain/errors.ts'
import { decidePrice } from '../domain/provider-product.ts'
import type { CheckoutRequest, Provider } from '../provider/provider.ts'
import {
  type Checkout,
  findCurrentCheckout,
  insertCheckout,
  saveCheckoutSession,
} from '../storage/checkouts.ts'
import { customerUid, hashToUuid } from '../storage/customer-uid.ts'
import { findCustomerIds, lockCustomer } from '../storage/customers.ts'
import { getEditableProduct } from './change-product.ts'
import { createCustomer } from './create-customer.ts'
import { ensureLinked } from './link-customer.ts'
import { callProvider } from './provider-call.ts'
import type { Services } from './services.ts'
import { updateCustomer } from './update-customer.ts'

export type CheckoutInput = {
  productKey: string
  successUrl?: string | undefined
  cancelUrl?: string | undefined
  customerInfo?: CustomerInfo | undefined
  providerPriceId?: string | undefined
  pricingTableReleaseId?: string | undefined
  metadata?: Record<string, string> | undefined
  checkoutSessionParams?: Record<string, unknown> | undefined
}

type CustomerInfo = {
  name?: string | undefined
  email?: string | undefined
  metadata?: Record<string, string> | undefined
}

export async function startCheckout(
  services: Services,
  caller: Caller,
  customerId: string,
  input: CheckoutInput,
): Promise<string> {
  const catalogue = await services.catalogues.get(caller.environment, caller.catalogueRevision)
  const product = getBuyable(getEditableProduct(catalogue, input.productKey))
  const price = decidePrice(product, input.providerPriceId)
  checkSessionParams(input.checkoutSessionParams ?? {})
  checkMetadataKeys(input.metadata ?? {}, 'metadata')
  checkMetadataKeys(input.customerInfo?.metadata ?? {}, 'customerInfo.metadata')

  const uid = await ensureCustomer(services, caller, customerId, input.customerInfo)
  const provider = services.providers[caller.environment]
  const providerCustomerId = await callProvider(() => ensureLinked(services, uid))
  if (providerCustomerId === undefined) throw missing('customer', customerId)
  const customerMetadata = input.customerInfo?.metadata
  if (customerMetadata) {
    await callProvider(() => provider.updateCustomer(providerCustomerId, { metadata: customerMetadata }))
  }

  const request = {
    providerCustomerId,
    providerPriceId: price.providerPriceId,
    ...(input.cancelUrl === undefined ? {} : { cancelUrl: input.cancelUrl }),
    metadata: {
      ...input.metadata,
      tollkeeper_customer_id: customerId,
      tollkeeper_product_key: product.productKey,
      ...(input.pricingTableReleaseId === undefined
        ? {}
        : { tollkeeper_pricing_table_release_id: input.pricingTableReleaseId }),
    },
    ...(input.checkoutSessionParams ? { params: input.checkoutSessionParams } : {}),
  }
  return openSession(services, provider, uid, input, request)
}

function getBuyable(product: Product): Product {
  if (product.type === 'provider') return product
  throw invalid(
    `productKey: ${quote(product.productKey)} is a custom product; only provider products are bought.`,
  )
}

/** An unknown customer is created from what is known of it; a known one's name and email follow. */
async function ensureCustomer(
  services: Services,
  caller: Caller,
  customerId: string,
  info: CustomerInfo | undefined,
): Promise<string> {
  const uid = customerUid(caller.environment, customerId)
  const [known] = await findCustomerIds(services.database.pool, caller.environment, [uid])
  if (known === undefined) {
    if (!info) throw missing('customer', customerId)
    await createCustomer(services, caller, { customerId, name: info.name, email: info.email }).catch(
      (error) => {
        // Somebody created it at the same moment: then it is there.
        if (!(error instanceof RequestError) || error.code !== 'customer_id_taken') throw error
      },
    )
  } else if (info && (info.name !== undefined || info.email !== undefined)) {
    await updateCustomer(services, caller, customerId, { name: info.name, email: info.email })
  }
  return uid
}

type SessionRequest = Omit<CheckoutRequest, 'successUrl'>

/** Twice at most: a session that is no longer open is replaced once. */
async function openSession(
  services: Services,
  provider: Provider,
  uid: string,
  input: CheckoutInput,
  request: SessionRequest,
): Promise<string> {
  const requestHash = hashToUuid(JSON.stringify([request, input.successUrl]))
  for (let attempt = 1; ; attempt++) {
    const { checkout, previous } = await chooseCheckout(services, uid, requestHash, input, attempt > 1)
    // The same key and body give the same session, however many ask for it at once.
    const session = await callProvider(
      () =>
        provider.createCheckoutSession(
          {
            ...request,
            successUrl: `${services.publicUrl()}/checkout/return/${checkout.checkoutKey}?session={CHECKOUT_SESSION_ID}`,
          },
          checkout.checkoutKey,
        ),
      true,
    )
    const current = checkout.checkoutSessionId
      ? await callProvider(() => provider.getCheckoutSession(session.checkoutSessionId))
      : session
    if (current.url === null && attempt === 1) continue
    const isCurrent = await saveCheckoutSession(services.database.pool, checkout, session.checkoutSessionId)
    const superseded = isCurrent ? previous?.checkoutSessionId : session.checkoutSessionId
    if (superseded) await callProvider(() => provider.expireCheckoutSession(superseded))
    if (current.url !== null) return current.url
    throw new RequestError(
      'provider_failed',
      'provider_rejected',
      'The payment provider closed the checkout session at once.',
    )
  }
}

/** The checkout to use, under the customer's lock: the current one if everything is equal, else a new one in its place. */
async function chooseCheckout(
  { database }: Services,
  uid: string,
  requestHash: string,
  input: CheckoutInput,
  isReplaced: boolean,
): Promise<{ checkout: Checkout; previous: Checkout | undefined }> {
  return database.inTransaction(async (sql) => {
    await lockCustomer(sql, uid)
    const current = await findCurrentCheckout(sql, uid)
    if (current && current.requestHash === requestHash && !isReplaced)
      return { checkout: current, previous: undefined }
    const checkout = {
      customerUid: uid,
      checkoutKey: randomUUID(),
      requestHash,
      checkoutSessionId: undefined,
      successUrl: input.successUrl,
    }
    await insertCheckout(sql, { ...checkout, pricingTableReleaseId: input.pricingTableReleaseId }, Date.now())
    return { checkout, previous: current?.requestHash === requestHash ? undefined : current }
  })
}
