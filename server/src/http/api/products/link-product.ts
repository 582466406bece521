// POST /v1/products
import { z } from 'zod'
import { linkProduct } from '../../../operations/products/link-product.ts'
import { catalogueKey, providerId } from '../../fields.ts'
import { productSchema, toApiProduct } from '../../resources/product.ts'
import { defineRoute } from '../../route.ts'

export const linkProductRoute = defineRoute({
  operationId: 'linkProduct',
  method: 'POST',
  path: '/v1/products',
  access: 'write',
  tag: 'Products',
  summary: 'Link a product of the payment provider',
  description: 'Its prices come with it and are kept current.',
  body: z.strictObject({
    productKey: catalogueKey,
    providerProductId: providerId,
    isAddOn: z.boolean().optional(),
    limitsPerUnit: z.boolean().optional(),
  }),
  responses: { 201: productSchema },
  errors: [409, 502],
  waitsForProvider: true,
  handle: async ({ body, context }, services) => {
    const { product, catalogue } = await linkProduct(services, context, body)
    return { body: toApiProduct(catalogue, product) }
  },
})
