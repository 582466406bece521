// POST /dashboard/api/test/demo
import { z } from 'zod'
import { makeDemo } from '../../../operations/demo/make-demo.ts'
import { defineDashboardRoute } from '../route.ts'

export const makeDemoRoute = defineDashboardRoute({
  method: 'POST',
  path: '/dashboard/api/test/demo',
  access: 'write',
  tag: 'Demo data',
  summary: 'Make demo data in an empty test environment',
  description:
    'Catalogue and first customer are there when this is answered; the rest follows within seconds.',
  responses: {
    201: z.strictObject({ features: z.int(), products: z.int(), customers: z.int() }),
  },
  errors: [409, 502],
  waitsForProvider: true,
  handle: async ({ context }, services) => ({ body: await makeDemo(services, context.principal) }),
})
