// POST /dashboard/api/{environment}/customers/{customerId}/sync
import { z } from 'zod'
import { resyncCustomer } from '../../../operations/provider/resync-customer.ts'
import { customerId } from '../../fields.ts'
import { defineDashboardRoute } from '../route.ts'

export const resyncCustomerRoute = defineDashboardRoute({
  method: 'POST',
  path: '/dashboard/api/{environment}/customers/{customerId}/sync',
  access: 'write',
  tag: 'Provider',
  summary: 'Bring a customer to what the provider has now',
  description: 'Name and email are told to the provider; everything else is fetched from it.',
  params: z.strictObject({ customerId }),
  responses: { 200: z.strictObject({ changed: z.boolean() }) },
  errors: [404, 502],
  waitsForProvider: true,
  handle: async ({ params, context }, services) => {
    const { isChanged } = await resyncCustomer(services, context, params.customerId)
    return { body: { changed: isChanged } }
  },
})
