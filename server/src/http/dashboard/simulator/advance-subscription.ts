// POST /dashboard/api/{environment}/simulator/subscriptions/{subscriptionId}/advance
import { z } from 'zod'
import { advanceSubscription } from '../../../operations/simulator/advance-subscription.ts'
import { providerId } from '../../fields.ts'
import { defineDashboardRoute } from '../route.ts'

export const advanceSubscriptionRoute = defineDashboardRoute({
  method: 'POST',
  path: '/dashboard/api/{environment}/simulator/subscriptions/{subscriptionId}/advance',
  access: 'write',
  tag: 'Simulator',
  summary: 'Let a subscription come to its next renewal now',
  description:
    'A trial ends and is charged, another begins a new period that is charged, one that is set to end ends. The clock stays where it is.',
  params: z.strictObject({ subscriptionId: providerId }),
  responses: {
    200: z.strictObject({
      currentPeriodEnd: z.int().nullable().meta({ description: 'Null: it has ended' }),
    }),
  },
  errors: [404, 502],
  waitsForProvider: true,
  handle: async ({ params, context }, services) => ({
    body: await advanceSubscription(services, context, params.subscriptionId),
  }),
})
