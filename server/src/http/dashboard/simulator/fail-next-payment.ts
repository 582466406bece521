// POST /dashboard/api/{environment}/simulator/customers/{customerId}/fail-next-payment
import { z } from 'zod'
import { failNextPayment } from '../../../operations/simulator/fail-next-payment.ts'
import { customerId } from '../../fields.ts'
import { defineDashboardRoute } from '../route.ts'

export const failNextPaymentRoute = defineDashboardRoute({
  method: 'POST',
  path: '/dashboard/api/{environment}/simulator/customers/{customerId}/fail-next-payment',
  access: 'write',
  tag: 'Simulator',
  summary: 'Have the next payment of a customer fail',
  description: 'Its card is declined from now on, until another is saved on the portal’s page.',
  params: z.strictObject({ customerId }),
  responses: { 200: z.strictObject({}) },
  errors: [404, 409, 502],
  waitsForProvider: true,
  handle: async ({ params, context }, services) => {
    await failNextPayment(services, context, params.customerId)
    return { body: {} }
  },
})
