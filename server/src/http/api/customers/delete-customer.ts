// DELETE /v1/customers/{customerId}
import { z } from 'zod'
import { deleteCustomer } from '../../../operations/customers/delete-customer.ts'
import { customerId } from '../../fields.ts'
import { defineRoute } from '../../route.ts'

export const deleteCustomerRoute = defineRoute({
  operationId: 'deleteCustomer',
  method: 'DELETE',
  path: '/v1/customers/{customerId}',
  access: 'write',
  tag: 'Customers',
  summary: 'Delete a customer with its usage, bonuses and assignments',
  description: 'The payment provider’s customer and subscriptions are left alone.',
  params: z.strictObject({ customerId }),
  responses: { 200: z.strictObject({ id: z.string() }) },
  errors: [404],
  handle: async ({ params, context }, services) => {
    await deleteCustomer(services, context, params.customerId)
    return { body: { id: params.customerId } }
  },
})
