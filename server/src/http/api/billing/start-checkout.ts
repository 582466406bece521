// POST /v1/customers/{customerId}/checkout
import { z } from 'zod'
import { startCheckout } from '../../../operations/billing/start-checkout.ts'
import { catalogueKey, customerId, email, metadata, name, providerId, redirectUrl } from '../../fields.ts'
import { defineRoute } from '../../route.ts'

export const startCheckoutRoute = defineRoute({
  operationId: 'startCheckout',
  method: 'POST',
  path: '/v1/customers/{customerId}/checkout',
  access: 'write',
  tag: 'Customers',
  summary: 'Create a checkout session of the payment provider, or the page that confirms a change',
  description:
    'An unknown customer is created from customerInfo. Without providerPriceId the default price is bought, else the only active one. Calls that ask for the same share one open session. Whoever subscribes to another main product gets the page that confirms the change instead (flow is change); whoever subscribes to this one, 409.',
  params: z.strictObject({ customerId }),
  body: z.strictObject({
    productKey: catalogueKey,
    successUrl: redirectUrl.optional(),
    cancelUrl: redirectUrl.optional(),
    customerInfo: z
      .strictObject({ name: name.optional(), email: email.optional(), metadata: metadata.optional() })
      .optional(),
    providerPriceId: providerId.optional(),
    quantity: z
      .int()
      .min(1)
      .max(1_000_000)
      .meta({ description: 'How many are bought; 1 unless given. Not for metered prices' })
      .optional(),
    additional: z
      .boolean()
      .meta({ description: 'true sells a subscription beside those that there are' })
      .optional(),
    pricingTableReleaseId: providerId.optional(),
    metadata: metadata
      .meta({ description: 'At most 47 keys beside ours, none empty: the provider would drop it' })
      .optional(),
    checkoutSessionParams: z
      .record(z.string(), z.unknown())
      .meta({ description: 'Parameters of the provider’s own, merged into the request' })
      .optional(),
  }),
  responses: {
    200: z
      .strictObject({ url: z.string(), flow: z.enum(['checkout', 'change']) })
      .meta({ id: 'StartedCheckout', description: 'A page of the payment provider' }),
  },
  errors: [404, 409, 502],
  waitsForProvider: true,
  handle: async ({ params, body, context }, services) => ({
    body: await startCheckout(services, context, params.customerId, body),
  }),
})
