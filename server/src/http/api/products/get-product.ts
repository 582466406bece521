// GET /v1/products/{productKey}
import { z } from 'zod'
import { getProduct } from '../../../domain/catalogue/catalogue.ts'
import { catalogueKey } from '../../fields.ts'
import { productSchema, toApiProduct } from '../../resources/product.ts'
import { defineRoute } from '../../route.ts'

export const getProductRoute = defineRoute({
  operationId: 'getProduct',
  method: 'GET',
  path: '/v1/products/{productKey}',
  access: 'read',
  tag: 'Products',
  summary: 'Get the latest version of a product that is not archived',
  params: z.strictObject({ productKey: catalogueKey }),
  responses: { 200: productSchema },
  errors: [404],
  handle: async ({ params, context: { catalogue } }) => {
    return { body: toApiProduct(catalogue, getProduct(catalogue, params.productKey)) }
  },
})
