// POST /v1/products/{productKey}/archive
import { z } from 'zod'
import { archiveProduct } from '../../../operations/products/archive-product.ts'
import { catalogueKey } from '../../fields.ts'
import { productSchema, toApiProduct } from '../../resources/product.ts'
import { defineRoute } from '../../route.ts'

export const archiveProductRoute = defineRoute({
  operationId: 'archiveProduct',
  method: 'POST',
  path: '/v1/products/{productKey}/archive',
  access: 'write',
  tag: 'Products',
  summary: 'Archive or unarchive a product',
  description:
    'Holders keep it and its access; it cannot be newly assigned, bought or edited, and loses isDefault for good.',
  params: z.strictObject({ productKey: catalogueKey }),
  body: z.strictObject({ archived: z.boolean() }),
  responses: { 200: productSchema },
  errors: [404],
  handle: async ({ params, body, context }, services) => {
    const { product, catalogue } = await archiveProduct(services, context, params.productKey, body.archived)
    return { body: toApiProduct(catalogue, product) }
  },
})
