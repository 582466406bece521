// POST /dashboard/api/{environment}/products/{productKey}/preview
import { z } from 'zod'
import { previewFeatureAccess } from '../../../operations/products/preview-feature-access.ts'
import { catalogueKey } from '../../fields.ts'
import { featureAccessItems } from '../../resources/product.ts'
import { defineDashboardRoute } from '../route.ts'

export const previewFeatureAccessRoute = defineDashboardRoute({
  method: 'POST',
  path: '/dashboard/api/{environment}/products/{productKey}/preview',
  access: 'read',
  tag: 'Products',
  summary: 'Who would be over a limit with another feature access configuration',
  description:
    'Nothing is written. Holders of the latest version, or of the one given. Exact for up to 2,000 holders, else by statistics, which count up to 10,000; before and after are allowances with bonuses, null is unlimited.',
  params: z.strictObject({ productKey: catalogueKey }),
  body: z.strictObject({ featureAccess: featureAccessItems, version: z.int().min(1).optional() }),
  responses: {
    200: z.strictObject({
      holders: z.int(),
      affected: z.int(),
      overLimit: z.array(
        z.strictObject({
          customerId: z.string(),
          name: z.string().optional(),
          featureKey: z.string(),
          used: z.number(),
          before: z.number().nullable(),
          after: z.number().nullable(),
        }),
      ),
      overLimitCount: z.int(),
      isExact: z.boolean(),
    }),
  },
  errors: [404],
  handle: async ({ params, body, context }, services) => ({
    body: await previewFeatureAccess(services, context, params.productKey, body),
  }),
})
