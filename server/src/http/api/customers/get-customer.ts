// GET /v1/customers/{customerId}
import { z } from 'zod'
import { findCustomer } from '../../../operations/customers/get-customer.ts'
import { customerId } from '../../fields.ts'
import { customerSchema, toApiCustomer } from '../../resources/customer.ts'
import { defineRoute } from '../../route.ts'

export const getCustomerRoute = defineRoute({
  operationId: 'getCustomer',
  method: 'GET',
  path: '/v1/customers/{customerId}',
  access: 'read',
  tag: 'Customers',
  summary: 'Get a customer, or null',
  customer: 'path',
  params: z.strictObject({ customerId }),
  responses: { 200: customerSchema.nullable() },
  handle: async ({ params, context }, services) => {
    const view = await findCustomer(services, context, params.customerId)
    return { body: view ? toApiCustomer(view) : null }
  },
})
