// GET /dashboard/api/{environment}/features/{featureKey}/statistics
import { z } from 'zod'
import { getFeatureStatistics } from '../../../operations/features/get-feature-statistics.ts'
import { catalogueKey } from '../../fields.ts'
import { defineDashboardRoute } from '../route.ts'

export const getFeatureStatisticsRoute = defineDashboardRoute({
  method: 'GET',
  path: '/dashboard/api/{environment}/features/{featureKey}/statistics',
  access: 'read',
  tag: 'Features',
  summary: 'Who uses a feature most, and how near customers are to their limits',
  description:
    'Of the current period of each customer. The histogram goes by tenths of the allowance; the last part has all at the limit or over.',
  params: z.strictObject({ featureKey: catalogueKey }),
  responses: {
    200: z.strictObject({
      asOf: z.int(),
      topCustomers: z.array(
        z.strictObject({
          customerId: z.string(),
          name: z.string().optional(),
          used: z.number(),
          allowance: z.number().nullable(),
          share: z.number().nullable(),
        }),
      ),
      histogram: z.array(z.strictObject({ from: z.number(), to: z.number().nullable(), count: z.int() })),
      customers: z.strictObject({
        used: z.int(),
        atLimit: z.int(),
        near: z.int(),
        unlimited: z.int(),
      }),
    }),
  },
  errors: [404],
  handle: async ({ params, context }, services) => {
    const statistics = await getFeatureStatistics(services, context, params.featureKey)
    const topCustomers = statistics.topCustomers.map(({ customerId, name, used, allowance, share }) => ({
      customerId,
      name,
      used,
      allowance: allowance ?? null,
      share: share ?? null,
    }))
    return { body: { ...statistics, topCustomers } }
  },
})
