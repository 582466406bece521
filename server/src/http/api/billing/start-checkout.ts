// POST /v1/customers/{customerId}/checkout
import { z } from 'zod'
import { startCheckout } from '../../../operations/billing/start-checkout.ts'
import { catalogueKey, customerId, email, metadata, name, providerId, redirectUrl } from '../../fields.ts'
import { defineRoute } from '../../route.ts'

export const startCheckoutRoute = defineRoute({
  method: 'POST',
  path: '/v1/customers/{customerId}/checkout',
  access: 'write',
  tag: 'Customers',
  summary: 'Create a checkout session of the payment provider',
  description:
    'An unknown customer is created from customerInfo. Without providerPriceId the default price is bought, else the only active one. Calls that ask for the same share one open session.',
  params: z.strictObject({ customerId }),
  body: z.strictObject({
    productKey: catalogueKey,
    successUrl: redirectUrl.optional(),
    cancelUrl: redirectUrl.optional(),
    customerInfo: z
      .strictObject({ name: name.optional(), email: email.optional(), metadata: metadata.optional() })
      .optional(),
    providerPriceId: providerId.optional(),
    pricingTableReleaseId: providerId.optional(),
    metadata: metadata.optional(),
    checkoutSessionParams: z
      .record(z.string(), z.unknown())
      .meta({ description: 'Parameters of the provider’s own, merged into the request' })
      .optional(),
  }),
  responses: { 200: z.strictObject({ url: z.string() }) },
  errors: [404, 502],
  waitsForProvider: true,
  handle: async ({ params, body, context }, services) => ({
    body: { url: await startCheckout(services, context, params.customerId, body) },
  }),
})
