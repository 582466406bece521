// PUT /v1/products/{productKey}
import { z } from 'zod'
import { updateProduct } from '../../../operations/products/update-product.ts'
import { catalogueKey, metadata, name } from '../../fields.ts'
import { productSchema, toApiProduct } from '../../resources/product.ts'
import { defineRoute } from '../../route.ts'

export const updateProductRoute = defineRoute({
  operationId: 'updateProduct',
  method: 'PUT',
  path: '/v1/products/{productKey}',
  access: 'write',
  tag: 'Products',
  summary: 'Update a product',
  description:
    'name, metadata and isDefault: custom products only; limitsPerUnit: provider products only. An add-on adds to what is held and never displaces the default product, which cannot be one.',
  params: z.strictObject({ productKey: catalogueKey }),
  body: z.strictObject({
    name: name.optional(),
    metadata: metadata.optional(),
    isDefault: z.boolean().optional(),
    isAddOn: z.boolean().optional(),
    limitsPerUnit: z.boolean().optional(),
  }),
  responses: { 200: productSchema },
  errors: [404],
  handle: async ({ params, body, context }, services) => {
    const { product, catalogue } = await updateProduct(services, context, params.productKey, body)
    return { body: toApiProduct(catalogue, product) }
  },
})
