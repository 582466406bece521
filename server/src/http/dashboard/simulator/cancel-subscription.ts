// POST /dashboard/api/{environment}/simulator/subscriptions/{subscriptionId}/cancel
import { z } from 'zod'
import { cancelSubscription } from '../../../operations/simulator/cancel-subscription.ts'
import { providerId } from '../../fields.ts'
import { defineDashboardRoute } from '../route.ts'

export const cancelSubscriptionRoute = defineDashboardRoute({
  method: 'POST',
  path: '/dashboard/api/{environment}/simulator/subscriptions/{subscriptionId}/cancel',
  access: 'write',
  tag: 'Simulator',
  summary: 'End a subscription at the simulated provider at once',
  params: z.strictObject({ subscriptionId: providerId }),
  responses: { 200: z.strictObject({}) },
  errors: [404, 502],
  waitsForProvider: true,
  handle: async ({ params, context }, services) => {
    await cancelSubscription(services, context, params.subscriptionId)
    return { body: {} }
  },
})
