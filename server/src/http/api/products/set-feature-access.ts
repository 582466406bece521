// PUT /v1/products/{productKey}/feature-access
import { z } from 'zod'
import { setFeatureAccess } from '../../../operations/products/set-feature-access.ts'
import { catalogueKey } from '../../fields.ts'
import { featureAccessItems, productSchema, toApiProduct } from '../../resources/product.ts'
import { defineRoute } from '../../route.ts'

export const setFeatureAccessRoute = defineRoute({
  operationId: 'setFeatureAccess',
  method: 'PUT',
  path: '/v1/products/{productKey}/feature-access',
  access: 'write',
  tag: 'Products',
  summary: 'Replace the feature access of a product',
  description: 'Changes the latest version in place, for all its holders, at once.',
  params: z.strictObject({ productKey: catalogueKey }),
  body: z.strictObject({ featureAccess: featureAccessItems }),
  responses: { 200: productSchema },
  errors: [404],
  handle: async ({ params, body, context }, services) => {
    const { product, catalogue } = await setFeatureAccess(
      services,
      context,
      params.productKey,
      body.featureAccess,
    )
    return { body: toApiProduct(catalogue, product) }
  },
})
