// DELETE /dashboard/api/test/demo
import { z } from 'zod'
import { removeDemo } from '../../../operations/demo/remove-demo.ts'
import { defineDashboardRoute } from '../route.ts'

export const removeDemoRoute = defineDashboardRoute({
  method: 'DELETE',
  path: '/dashboard/api/test/demo',
  access: 'write',
  tag: 'Demo data',
  summary: 'Remove the demo data; what others made or came to use stays',
  responses: {
    200: z.strictObject({
      removed: z.strictObject({ customers: z.int(), products: z.int(), features: z.int() }),
      kept: z.array(z.strictObject({ kind: z.enum(['product', 'feature']), key: z.string() })),
    }),
  },
  errors: [404, 502],
  waitsForProvider: true,
  handle: async ({ context }, services) => ({ body: await removeDemo(services, context) }),
})
