// GET /dashboard/api/{environment}/charts/requests
import { z } from 'zod'
import { chartRequests } from '../../../operations/statistics/chart-requests.ts'
import { queryTimestamp } from '../../fields.ts'
import { defineDashboardRoute } from '../route.ts'

export const chartRequestsRoute = defineDashboardRoute({
  method: 'GET',
  path: '/dashboard/api/{environment}/charts/requests',
  access: 'read',
  tag: 'Statistics',
  summary: 'Requests with keys over time',
  description: 'By minute, beyond six hours by hour; the last hour unless said otherwise. Ten seconds late.',
  query: z.strictObject({ from: queryTimestamp.optional(), to: queryTimestamp.optional() }),
  responses: {
    200: z.strictObject({
      points: z.array(
        z.strictObject({ at: z.int(), requests: z.int(), refused429: z.int(), errors5xx: z.int() }),
      ),
      byKey: z.array(
        z.strictObject({ keyId: z.string(), name: z.string(), requests: z.int(), refused429: z.int() }),
      ),
    }),
  },
  handle: async ({ query, context }, services) => ({ body: await chartRequests(services, context, query) }),
})
