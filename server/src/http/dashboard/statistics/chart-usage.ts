// GET /dashboard/api/{environment}/charts/usage
import { z } from 'zod'
import { chartIntervals } from '../../../domain/statistics/chart.ts'
import { chartGroups, chartMeasures, chartUsage } from '../../../operations/statistics/chart-usage.ts'
import { catalogueKey, customerId, queryTimestamp } from '../../fields.ts'
import { defineDashboardRoute } from '../route.ts'

export const chartUsageRoute = defineDashboardRoute({
  method: 'GET',
  path: '/dashboard/api/{environment}/charts/usage',
  access: 'read',
  tag: 'Statistics',
  summary: 'Usage over time',
  description:
    'Buckets are hours or days of UTC. Exact for one customer. At most eight series, the rest as "other". measure "amount" needs featureKey unless groupBy is "feature".',
  query: z.strictObject({
    interval: z.enum(chartIntervals).optional(),
    from: queryTimestamp.optional(),
    to: queryTimestamp.optional(),
    groupBy: z.enum(chartGroups).optional(),
    measure: z.enum(chartMeasures).optional(),
    featureKey: catalogueKey.optional(),
    customerId: customerId.optional(),
    productKey: catalogueKey.optional(),
  }),
  responses: {
    200: z.strictObject({
      asOf: z.int(),
      isExact: z.boolean(),
      interval: z.enum(chartIntervals),
      points: z.array(z.strictObject({ at: z.int(), values: z.record(z.string(), z.number()) })),
      series: z.array(z.strictObject({ key: z.string(), name: z.string(), total: z.number() })),
    }),
  },
  errors: [404],
  handle: async ({ query, context }, services) => {
    const { interval = 'day', groupBy = 'none', measure = 'events' } = query
    return { body: await chartUsage(services, context, { ...query, interval, groupBy, measure }) }
  },
})
