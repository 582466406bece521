// Makes the link on which a customer buys a provider product: a checkout session, or the page that confirms a change.
import { checkQuantity, decidePrice } from '../../domain/billing/price.ts'
import { changeTakesNoParams, decidePurchase, type PurchaseRequest } from '../../domain/billing/purchase.ts'
import { checkMetadata } from '../../domain/billing/session-metadata.ts'
import type { Product } from '../../domain/catalogue/catalogue.ts'
import { invalid, quote } from '../../domain/errors.ts'
import type { Provider } from '../../provider/provider.ts'
import { type Context, toCustomerHash } from '../context.ts'
import { getEditableProduct } from '../products/update-product.ts'
import type { Services } from '../services.ts'
import { type CustomerInfo, ensureCustomer } from './ensure-customer.ts'
import { getProvider } from './get-provider.ts'
import { type Linked, withProviderCustomer } from './link-customer.ts'
import { openChange } from './open-change.ts'
import { openCheckoutSession } from './open-checkout-session.ts'
import { callProvider } from './provider-call.ts'
import { toCustomerMetadata } from './provider-customer.ts'

export type CheckoutInput = {
  productKey: string
  successUrl?: string | undefined
  cancelUrl?: string | undefined
  customerInfo?: CustomerInfo | undefined
  providerPriceId?: string | undefined
  quantity?: number | undefined
  additional?: boolean | undefined
  pricingTableReleaseId?: string | undefined
  metadata?: Record<string, string> | undefined
  checkoutSessionParams?: Record<string, unknown> | undefined
}

export type CheckoutLink = { url: string; flow: 'checkout' | 'change' }

export async function startCheckout(
  services: Services,
  context: Context,
  customerId: string,
  input: CheckoutInput,
): Promise<CheckoutLink> {
  const { environment } = context.principal
  const provider = getProvider(services, environment)
  const product = getBuyable(getEditableProduct(context.catalogue, input.productKey))
  const price = decidePrice(product, input.providerPriceId)
  checkQuantity(price, input.quantity)
  provider.checkSessionParams(input.checkoutSessionParams ?? {})
  checkMetadata(input.metadata ?? {}, 'metadata', toSessionMetadata(customerId, product, input))
  const ofCustomer = toCustomerMetadata(customerId, '')
  checkMetadata(input.customerInfo?.metadata ?? {}, 'customerInfo.metadata', ofCustomer)

  await ensureCustomer(services, context, customerId, input.customerInfo)
  const customer = { customerHash: toCustomerHash(context, customerId), customerId, environment }
  const asked: PurchaseRequest = {
    product,
    price,
    quantity: input.quantity,
    additional: input.additional ?? false,
  }
  const open = async (linked: Linked) => {
    const metadata = input.customerInfo?.metadata
    if (metadata) await provider.updateCustomer(linked.providerCustomerId, { metadata })
    return openLink({ services, context, provider }, customerId, linked, asked, input)
  }
  return callProvider(() => withProviderCustomer(services, customer, open), true)
}

/** Decided on what the customer subscribes to now, not on what was last heard of it. */
async function openLink(
  { services, context, provider }: { services: Services; context: Context; provider: Provider },
  customerId: string,
  { customerUid, providerCustomerId }: Linked,
  asked: PurchaseRequest,
  input: CheckoutInput,
): Promise<CheckoutLink> {
  const { product, price } = asked
  const { successUrl, pricingTableReleaseId, cancelUrl } = input
  const { providerPriceId } = price
  const notes = { customerUid, successUrl, pricingTableReleaseId, metadata: input.metadata ?? {} }
  const subscriptions = asked.additional ? [] : await provider.listSubscriptions(providerCustomerId)
  const purchase = decidePurchase(context.catalogue, subscriptions, asked)
  if (purchase.flow === 'change') {
    if (Object.keys(input.checkoutSessionParams ?? {}).length > 0) throw changeTakesNoParams()
    const providerProductId = product.providerProductId as string
    const change = {
      ...notes,
      change: purchase,
      providerCustomerId,
      providerProductId,
      providerPriceId,
      cancelUrl,
    }
    return { url: await openChange(services, provider, change), flow: 'change' }
  }
  const request = {
    providerCustomerId,
    providerPriceId,
    ...(purchase.quantity === undefined ? {} : { quantity: purchase.quantity }),
    ...(cancelUrl === undefined ? {} : { cancelUrl }),
    metadata: { ...input.metadata, ...toSessionMetadata(customerId, product, input) },
    ...(input.checkoutSessionParams ? { params: input.checkoutSessionParams } : {}),
  }
  return { url: await openCheckoutSession(services, provider, { ...notes, request }), flow: 'checkout' }
}

/** What the service itself puts on a session. */
const toSessionMetadata = (customerId: string, { productKey }: Product, input: CheckoutInput) => ({
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
