// Makes a checkout session for a customer and a provider product, or shares the one that is open.

import { decidePrice } from '../../domain/billing/price.ts'
import { checkMetadataKeys } from '../../domain/billing/session-metadata.ts'
import type { Product } from '../../domain/catalogue/catalogue.ts'
import { invalid, missing, quote, RequestError } from '../../domain/errors.ts'
import { findCustomerUid } from '../../storage/customers/customers.ts'
import { type Context, toCustomerHash } from '../context.ts'
import { addCustomer } from '../customers/create-customer.ts'
import { changeDetails } from '../customers/update-customer.ts'
import { getEditableProduct } from '../products/update-product.ts'
import type { Services } from '../services.ts'
import { getProvider } from './get-provider.ts'
import { type Linked, withProviderCustomer } from './link-customer.ts'
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
  context: Context,
  customerId: string,
  input: CheckoutInput,
): Promise<string> {
  const { environment } = context.principal
  const provider = getProvider(services, environment)
  const product = getBuyable(getEditableProduct(context.catalogue, input.productKey))
  const { providerPriceId } = decidePrice(product, input.providerPriceId)
  provider.checkSessionParams(input.checkoutSessionParams ?? {})
  checkMetadataKeys(input.metadata ?? {}, 'metadata')
  checkMetadataKeys(input.customerInfo?.metadata ?? {}, 'customerInfo.metadata')

  await ensureCustomer(services, context, customerId, input.customerInfo)
  const customer = { customerHash: toCustomerHash(context, customerId), customerId, environment }
  const open = async ({ customerUid, providerCustomerId }: Linked) => {
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
      customerUid,
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
  context: Context,
  customerId: string,
  info: CustomerInfo | undefined,
): Promise<void> {
  const known = await findCustomerUid(services.database.pool, toCustomerHash(context, customerId))
  if (known === undefined) {
    if (!info) throw missing('customer', customerId)
    await addCustomer(services, context, { customerId, name: info.name, email: info.email }).catch(
      (error) => {
        // Somebody created it at the same moment: then it is there.
        if (!(error instanceof RequestError) || error.code !== 'customer_id_taken') throw error
      },
    )
  } else if (info && (info.name !== undefined || info.email !== undefined)) {
    await changeDetails(services, context, customerId, { name: info.name, email: info.email })
  }
}
