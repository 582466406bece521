// POST /v1/customers
import { z } from 'zod'
import { createCustomer } from '../../../operations/customers/create-customer.ts'
import { providerId } from '../../fields.ts'
import { customerSchema, newCustomerFields, toApiCustomer } from '../../resources/customer.ts'
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
    ...newCustomerFields,
    providerCustomerId: providerId
      .meta({
        description: 'Takes over a customer that the payment provider already has, with its subscriptions',
      })
      .optional(),
  }),
  responses: { 201: customerSchema, 200: customerSchema },
  errors: [409, 502],
  waitsForProvider: true,
  handle: async ({ body, context }, services) => {
    const { isNew, view } = await createCustomer(services, context, body)
    return { status: isNew ? 201 : 200, body: toApiCustomer(view) }
  },
})
