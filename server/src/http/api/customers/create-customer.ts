// POST /v1/customers
import { z } from 'zod'
import { createCustomer, ifExistsChoices } from '../../../operations/customers/create-customer.ts'
import { catalogueKey, customerId, email, metadata, name, providerId, timestamp } from '../../fields.ts'
import { customerSchema, toApiCustomer } from '../../resources/customer.ts'
import { defineRoute } from '../../route.ts'

export const createCustomerRoute = defineRoute({
  operationId: 'createCustomer',
  method: 'POST',
  path: '/v1/customers',
  access: 'write',
  tag: 'Customers',
  summary: 'Create a customer',
  description:
    'The customer is created at the payment provider too; if that is down, as soon as it answers again. On a taken customerId 409, unless ifExists says otherwise: return gives the customer as it is, update sets what was sent and adds the products.',
  body: z.strictObject({
    customerId,
    name: name.optional(),
    email: email.optional(),
    metadata: metadata.optional(),
    usageStartedAt: timestamp.optional(),
    customProductKeys: z.array(catalogueKey).max(100).optional(),
    providerCustomerId: providerId
      .meta({
        description: 'Takes over a customer that the payment provider already has, with its subscriptions',
      })
      .optional(),
    ifExists: z.enum(ifExistsChoices).optional(),
  }),
  responses: { 201: customerSchema, 200: customerSchema },
  errors: [409, 502],
  waitsForProvider: true,
  handle: async ({ body, context }, services) => {
    const { isNew, view } = await createCustomer(services, context, body)
    return { status: isNew ? 201 : 200, body: toApiCustomer(view) }
  },
})
