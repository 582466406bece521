// GET /dashboard/api/{environment}/features/{featureKey}/impact
import { z } from 'zod'
import { getFeatureImpact } from '../../../operations/features/get-feature-impact.ts'
import { catalogueKey } from '../../fields.ts'
import { defineDashboardRoute } from '../route.ts'

export const getFeatureImpactRoute = defineDashboardRoute({
  method: 'GET',
  path: '/dashboard/api/{environment}/features/{featureKey}/impact',
  access: 'read',
  tag: 'Features',
  summary: 'What archiving or deleting a feature would take along',
  params: z.strictObject({ featureKey: catalogueKey }),
  responses: {
    200: z.strictObject({
      products: z.array(z.strictObject({ productKey: z.string(), versions: z.array(z.int()) })),
      customersWithUsage: z.int(),
      events: z.int(),
      openBonuses: z.int(),
    }),
  },
  errors: [404],
  handle: async ({ params, context }, services) => ({
    body: await getFeatureImpact(services, context, params.featureKey),
  }),
})
