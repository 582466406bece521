// POST /v1/customers
import { z } from 'zod'
import { createCustomer } from '../../../operations/customers/create-customer.ts'
import { getCustomerView } from '../../../operations/customers/read-customer.ts'
import { catalogueKey, customerId, email, name, providerId, timestamp } from '../../fields.ts'
import { customerSchema, toApiCustomer } from '../../resources/customer.ts'
import { defineRoute } from '../../route.ts'

export const createCustomerRoute = defineRoute({
  method: 'POST',
  path: '/v1/customers',
  access: 'write',
  tag: 'Customers',
  summary: 'Create a customer',
  description:
    'The customer is created at the payment provider too; if that is down, as soon as it answers again.',
  body: z.strictObject({
    customerId,
    name: name.optional(),
    email: email.optional(),
    usageStartedAt: timestamp.optional(),
    customProductKeys: z.array(catalogueKey).max(100).optional(),
    providerCustomerId: providerId
      .meta({
        description: 'Takes over a customer that the payment provider already has, with its subscriptions',
      })
      .optional(),
  }),
  responses: { 201: customerSchema },
  errors: [409, 502],
  waitsForProvider: true,
  handle: async ({ body, context }, services) => {
    await createCustomer(services, context, body)
    return { body: toApiCustomer(await getCustomerView(services, context, body.customerId)) }
  },
})
