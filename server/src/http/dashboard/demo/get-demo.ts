// GET /dashboard/api/test/demo
import { z } from 'zod'
import { getDemo } from '../../../operations/demo/get-demo.ts'
import { defineDashboardRoute } from '../route.ts'

export const getDemoRoute = defineDashboardRoute({
  method: 'GET',
  path: '/dashboard/api/test/demo',
  access: 'read',
  tag: 'Demo data',
  summary: 'Whether there is demo data',
  responses: {
    200: z.strictObject({
      isPresent: z.boolean(),
      isFinished: z.boolean().meta({ description: 'False while it is being made' }),
      customers: z.int(),
    }),
  },
  handle: async ({ context }, services) => ({ body: await getDemo(services, context.principal) }),
})
