// POST /v1/customers/{customerId}/customer_portal
import { z } from 'zod'
import { openPortal } from '../../../operations/billing/open-portal.ts'
import { customerId, redirectUrl } from '../../fields.ts'
import { defineRoute } from '../../route.ts'

export const openPortalRoute = defineRoute({
  operationId: 'openPortal',
  method: 'POST',
  path: '/v1/customers/{customerId}/customer_portal',
  access: 'write',
  tag: 'Customers',
  summary: 'Create a customer portal session of the payment provider',
  params: z.strictObject({ customerId }),
  body: z.strictObject({
    flow: z.enum(['payment_method_update']).optional(),
    returnUrl: redirectUrl.optional(),
  }),
  responses: { 200: z.strictObject({ url: z.string() }) },
  errors: [404, 502],
  waitsForProvider: true,
  handle: async ({ params, body, context }, services) => ({
    body: { url: await openPortal(services, context, params.customerId, body) },
  }),
})
