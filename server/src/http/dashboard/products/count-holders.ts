// GET /dashboard/api/{environment}/products/holders
import { z } from 'zod'
import { countHolders } from '../../../operations/products/count-holders.ts'
import { defineDashboardRoute } from '../route.ts'

export const countHoldersRoute = defineDashboardRoute({
  method: 'GET',
  path: '/dashboard/api/{environment}/products/holders',
  access: 'read',
  tag: 'Products',
  summary: 'Count who holds each version of each product',
  responses: {
    200: z.strictObject({
      asOf: z.int(),
      products: z.array(
        z.strictObject({
          productKey: z.string(),
          holders: z.int(),
          byVersion: z.array(z.strictObject({ version: z.int(), holders: z.int() })),
        }),
      ),
    }),
  },
  handle: async ({ context }, services) => ({ body: await countHolders(services, context) }),
})
