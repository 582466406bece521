// Makes a checkout session for a customer and a provider product, or shares the one that is open.

import { checkMetadataKeys, checkSessionParams } from '../../domain/billing/checkout.ts'
import { decidePrice } from '../../domain/billing/price.ts'
import type { Caller } from '../../domain/caller.ts'
import type { Product } from '../../domain/catalogue/catalogue.ts'
import { invalid, missing, quote, RequestError } from '../../domain/errors.ts'
import { customerUid } from '../../storage/customers/customer-uid.ts'
import { findCustomerIds } from '../../storage/customers/customers.ts'
import { addCustomer } from '../customers/create-customer.ts'
import { changeDetails } from '../customers/update-customer.ts'
import { getEditableProduct } from '../products/change-product.ts'
import type { Services } from '../services.ts'
import { withProviderCustomer } from './link-customer.ts'
import { openCheckoutSession } from './open-checkout-session.ts'
import { callProvider } from './provider-call.ts'

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
  const { providerPriceId } = decidePrice(product, input.providerPriceId)
  checkSessionParams(input.checkoutSessionParams ?? {})
  checkMetadataKeys(input.metadata ?? {}, 'metadata')
  checkMetadataKeys(input.customerInfo?.metadata ?? {}, 'customerInfo.metadata')

  const uid = await ensureCustomer(services, caller, customerId, input.customerInfo)
  const provider = services.providers[caller.environment]
  const customer = { uid, customerId, environment: caller.environment }
  const open = async (providerCustomerId: string) => {
    const metadata = input.customerInfo?.metadata
    if (metadata) await provider.updateCustomer(providerCustomerId, { metadata })
    const request = {
      providerCustomerId,
      providerPriceId,
      ...(input.cancelUrl === undefined ? {} : { cancelUrl: input.cancelUrl }),
      metadata: toSessionMetadata(customerId, product, input),
      ...(input.checkoutSessionParams ? { params: input.checkoutSessionParams } : {}),
    }
    const { successUrl, pricingTableReleaseId } = input
    return openCheckoutSession(services, provider, {
      uid,
      customerId,
      successUrl,
      pricingTableReleaseId,
      request,
    })
  }
  return callProvider(() => withProviderCustomer(services, customer, open), true)
}

const toSessionMetadata = (customerId: string, { productKey }: Product, input: CheckoutInput) => ({
  ...input.metadata,
  tollkeeper_customer_id: customerId,
  tollkeeper_product_key: productKey,
  ...(input.pricingTableReleaseId === undefined
    ? {}
    : { tollkeeper_pricing_table_release_id: input.pricingTableReleaseId }),
})

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
    await addCustomer(services, caller, { customerId, name: info.name, email: info.email }).catch((error) => {
      // Somebody created it at the same moment: then it is there.
      if (!(error instanceof RequestError) || error.code !== 'customer_id_taken') throw error
    })
  } else if (info && (info.name !== undefined || info.email !== undefined)) {
    await changeDetails(services, caller, customerId, { name: info.name, email: info.email })
  }
  return uid
}
