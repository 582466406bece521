// Which official type each request and each answer of the protocol must satisfy.
import { type Form, parseForm } from '../src/api/form.ts'
import type { Claim } from './official-types.ts'
import type { Exchange } from './simulator-fixture.ts'

/** By method and path, `:id` for one segment. A request that is not here is a mistake of whoever sent it, or a line to add. */
const requestTypes: Record<string, string> = {
  'POST /v1/customers': 'CustomerCreateParams',
  'GET /v1/customers': 'CustomerListParams',
  'GET /v1/customers/search': 'CustomerSearchParams',
  'GET /v1/customers/:id': 'CustomerRetrieveParams',
  'POST /v1/customers/:id': 'CustomerUpdateParams',
  'DELETE /v1/customers/:id': 'CustomerDeleteParams',
  'GET /v1/customers/:id/payment_methods': 'CustomerListPaymentMethodsParams',
  'POST /v1/products': 'ProductCreateParams',
  'GET /v1/products': 'ProductListParams',
  'GET /v1/products/search': 'ProductSearchParams',
  'GET /v1/products/:id': 'ProductRetrieveParams',
  'POST /v1/products/:id': 'ProductUpdateParams',
  'DELETE /v1/products/:id': 'ProductDeleteParams',
  'POST /v1/prices': 'PriceCreateParams',
  'GET /v1/prices': 'PriceListParams',
  'GET /v1/prices/search': 'PriceSearchParams',
  'GET /v1/prices/:id': 'PriceRetrieveParams',
  'POST /v1/prices/:id': 'PriceUpdateParams',
  'POST /v1/billing/meters': 'Billing.MeterCreateParams',
  'GET /v1/billing/meters': 'Billing.MeterListParams',
  'GET /v1/billing/meters/:id': 'Billing.MeterRetrieveParams',
  'POST /v1/checkout/sessions': 'Checkout.SessionCreateParams',
  'GET /v1/checkout/sessions': 'Checkout.SessionListParams',
  'GET /v1/checkout/sessions/:id': 'Checkout.SessionRetrieveParams',
  'POST /v1/checkout/sessions/:id/expire': 'Checkout.SessionExpireParams',
  'POST /v1/billing_portal/configurations': 'BillingPortal.ConfigurationCreateParams',
  'GET /v1/billing_portal/configurations': 'BillingPortal.ConfigurationListParams',
  'GET /v1/billing_portal/configurations/:id': 'BillingPortal.ConfigurationRetrieveParams',
  'POST /v1/billing_portal/configurations/:id': 'BillingPortal.ConfigurationUpdateParams',
  'POST /v1/billing_portal/sessions': 'BillingPortal.SessionCreateParams',
  'POST /v1/subscriptions': 'SubscriptionCreateParams',
  'GET /v1/subscriptions': 'SubscriptionListParams',
  'GET /v1/subscriptions/search': 'SubscriptionSearchParams',
  'GET /v1/subscriptions/:id': 'SubscriptionRetrieveParams',
  'POST /v1/subscriptions/:id': 'SubscriptionUpdateParams',
  'DELETE /v1/subscriptions/:id': 'SubscriptionCancelParams',
  'POST /v1/subscriptions/:id/resume': 'SubscriptionResumeParams',
  'POST /v1/subscription_items': 'SubscriptionItemCreateParams',
  'GET /v1/subscription_items': 'SubscriptionItemListParams',
  'GET /v1/subscription_items/:id': 'SubscriptionItemRetrieveParams',
  'POST /v1/subscription_items/:id': 'SubscriptionItemUpdateParams',
  'DELETE /v1/subscription_items/:id': 'SubscriptionItemDeleteParams',
  'POST /v1/payment_methods': 'PaymentMethodCreateParams',
  'GET /v1/payment_methods': 'PaymentMethodListParams',
  'GET /v1/payment_methods/:id': 'PaymentMethodRetrieveParams',
  'POST /v1/payment_methods/:id/attach': 'PaymentMethodAttachParams',
  'POST /v1/payment_methods/:id/detach': 'PaymentMethodDetachParams',
  'GET /v1/invoices': 'InvoiceListParams',
  'GET /v1/invoices/:id': 'InvoiceRetrieveParams',
  'GET /v1/events': 'EventListParams',
  'GET /v1/events/:id': 'EventRetrieveParams',
}

const objectTypes: Record<string, string> = {
  customer: 'Customer',
  product: 'Product',
  price: 'Price',
  'billing.meter': 'Billing.Meter',
  'checkout.session': 'Checkout.Session',
  'billing_portal.configuration': 'BillingPortal.Configuration',
  'billing_portal.session': 'BillingPortal.Session',
  subscription: 'Subscription',
  subscription_item: 'SubscriptionItem',
  payment_method: 'PaymentMethod',
  invoice: 'Invoice',
  event: 'Event',
}

const patterns = Object.keys(requestTypes).map((key) => {
  const [method, path = ''] = key.split(' ')
  return { key, method, pattern: new RegExp(`^${path.replaceAll(':id', '[^/]+')}$`) }
})

/** The endpoint a request was sent to, as it is written in the table; the first that fits, so that `search` is no id. */
export function findEndpoint({ method, path }: Pick<Exchange, 'method' | 'path'>): string | undefined {
  return patterns.find((one) => one.method === method && one.pattern.test(path))?.key
}

type Sent = Pick<Exchange, 'method' | 'path' | 'encoded'>

export function toRequestClaim(sent: Sent): Claim {
  const endpoint = findEndpoint(sent)
  if (endpoint === undefined)
    throw new Error(`${sent.method} ${sent.path} is no endpoint that is known here.`)
  const form: Form = parseForm(sent.encoded)
  return {
    name: `${endpoint} ${sent.encoded}`,
    type: `Stripe.${requestTypes[endpoint]}`,
    value: form,
    isWire: true,
  }
}

type Answered = { object: string; deleted?: true; data?: Answered[] }

function findType(body: Answered): string {
  const known = objectTypes[body.object]
  if (known === undefined) throw new Error(`Nothing official is known of a ${body.object}.`)
  return body.deleted ? `Stripe.Deleted${known}` : `Stripe.${known}`
}

export function toAnswerClaim({ method, path, body }: Exchange): Claim {
  const answered = body as Answered
  const name = `${method} ${path} → ${answered.object}`
  const isList = answered.object === 'list' || answered.object === 'search_result'
  if (!isList) return { name, type: findType(answered), value: body }
  const item = answered.data?.[0] === undefined ? 'unknown' : findType(answered.data[0])
  const list = answered.object === 'list' ? 'ApiList' : 'ApiSearchResult'
  return { name, type: `Stripe.${list}<${item}>`, value: body }
}

/** Each claim once, however often it was made. */
export function toUnique(claims: Claim[]): Claim[] {
  return [...new Map(claims.map((claim) => [JSON.stringify([claim.type, claim.value]), claim])).values()]
}

export const endpoints = Object.keys(requestTypes)
