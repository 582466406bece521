// POST /v1/custom-products
import { z } from 'zod'
import { createCustomProduct } from '../../../operations/products/create-custom-product.ts'
import { catalogueKey, metadata, name } from '../../fields.ts'
import { featureAccessItems, productSchema, toApiProduct } from '../../resources/product.ts'
import { defineRoute } from '../../route.ts'

export const createCustomProductRoute = defineRoute({
  operationId: 'createCustomProduct',
  method: 'POST',
  path: '/v1/custom-products',
  access: 'write',
  tag: 'Products',
  summary: 'Create a custom product',
  description: 'isDefault moves the default here from whichever product had it.',
  body: z.strictObject({
    name,
    productKey: catalogueKey,
    metadata: metadata.optional(),
    isDefault: z.boolean().optional(),
    featureAccess: featureAccessItems.optional(),
  }),
  responses: { 201: productSchema },
  errors: [409],
  handle: async ({ body, context }, services) => {
    const { product, catalogue } = await createCustomProduct(services, context, body)
    return { body: toApiProduct(catalogue, product) }
  },
})
