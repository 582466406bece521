// POST /v1/products/{productKey}/versions
import { z } from 'zod'
import { createProductVersion } from '../../../operations/products/create-product-version.ts'
import { catalogueKey } from '../../fields.ts'
import { productSchema, toApiProduct } from '../../resources/product.ts'
import { defineRoute } from '../../route.ts'

export const createProductVersionRoute = defineRoute({
  operationId: 'createProductVersion',
  method: 'POST',
  path: '/v1/products/{productKey}/versions',
  access: 'write',
  tag: 'Products',
  summary: 'Create the next version of a product as a copy of the latest',
  description: 'Customers stay on the version they hold; see migrate.',
  params: z.strictObject({ productKey: catalogueKey }),
  responses: { 201: productSchema },
  errors: [404],
  handle: async ({ params, context }, services) => {
    const { product, catalogue } = await createProductVersion(services, context, params.productKey)
    return { body: toApiProduct(catalogue, product) }
  },
})
