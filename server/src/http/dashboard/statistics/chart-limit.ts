// GET /dashboard/api/{environment}/charts/limit
import { z } from 'zod'
import { chartLimit } from '../../../operations/statistics/chart-limit.ts'
import { catalogueKey, customerId } from '../../fields.ts'
import { defineDashboardRoute } from '../route.ts'

const periods = z
  .string()
  .regex(/^([1-9]|1[0-2])$/, { error: 'must be from 1 to 12' })
  .transform(Number)

export const chartLimitRoute = defineDashboardRoute({
  method: 'GET',
  path: '/dashboard/api/{environment}/charts/limit',
  access: 'read',
  tag: 'Statistics',
  summary: 'One customer’s usage against its limit over the last periods',
  description:
    'points have the running total within each period; exact. Limits are known since statistics are kept: before, the first is shown.',
  query: z.strictObject({ customerId, featureKey: catalogueKey, periods: periods.optional() }),
  responses: {
    200: z.strictObject({
      points: z.array(z.strictObject({ at: z.int(), used: z.number() })),
      resets: z.array(z.int()),
      changes: z.array(z.strictObject({ at: z.int(), text: z.string() })),
      limit: z.array(z.strictObject({ from: z.int(), to: z.int(), limit: z.number().nullable() })),
    }),
  },
  errors: [404],
  handle: async ({ query, context }, services) => ({
    body: await chartLimit(services, context, { ...query, periods: query.periods ?? 3 }),
  }),
})
