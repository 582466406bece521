// GET /v1/customers/{customerId}
import { z } from 'zod'
import { findCustomerView } from '../../../operations/customers/read-standing.ts'
import { customerId } from '../../fields.ts'
import { customerSchema, toApiCustomer } from '../../resources/customer.ts'
import { defineRoute } from '../../route.ts'

export const getCustomerRoute = defineRoute({
  method: 'GET',
  path: '/v1/customers/{customerId}',
  tag: 'Customers',
  summary: 'Get a customer, or null',
  params: z.strictObject({ customerId }),
  responses: { 200: customerSchema.nullable() },
  handle: async ({ params, caller }, services) => {
    const view = await findCustomerView(services, caller, params.customerId)
    return { body: view ? toApiCustomer(view, caller.now) : null }
  },
})
