// PUT /v1/customers/{customerId}
import { z } from 'zod'
import { getCustomerView } from '../../../operations/customers/read-customer.ts'
import { updateCustomer } from '../../../operations/customers/update-customer.ts'
import { catalogueKey, customerId, email, metadata, name, providerId, timestamp } from '../../fields.ts'
import { customerSchema, toApiCustomer } from '../../resources/customer.ts'
import { defineRoute } from '../../route.ts'

export const updateCustomerRoute = defineRoute({
  operationId: 'updateCustomer',
  method: 'PUT',
  path: '/v1/customers/{customerId}',
  access: 'write',
  tag: 'Customers',
  summary: 'Update a customer',
  description:
    'null clears name and email; metadata is replaced whole. Adding a product that is held and removing one that is not are no errors.',
  params: z.strictObject({ customerId }),
  body: z.strictObject({
    name: name.nullable().optional(),
    email: email.nullable().optional(),
    metadata: metadata.optional(),
    usageStartedAt: timestamp.optional(),
    addCustomProductKeys: z.array(catalogueKey).max(100).optional(),
    removeCustomProductKeys: z.array(catalogueKey).max(100).optional(),
    providerCustomerId: providerId
      .meta({
        description: 'Takes over a customer that the payment provider already has; only while there is none',
      })
      .optional(),
  }),
  responses: { 200: customerSchema },
  errors: [404, 409, 502],
  waitsForProvider: true,
  handle: async ({ params, body, context }, services) => {
    await updateCustomer(services, context, params.customerId, body)
    return { body: toApiCustomer(await getCustomerView(services, context, params.customerId)) }
  },
})
