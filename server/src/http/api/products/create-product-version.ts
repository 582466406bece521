// POST /v1/products/{productKey}/versions
import { z } from 'zod'
import { createProductVersion } from '../../../operations/products/change-product.ts'
import { catalogueKey } from '../../fields.ts'
import { productSchema, toApiProduct } from '../../resources/product.ts'
import { defineRoute } from '../../route.ts'

export const createProductVersionRoute = defineRoute({
  method: 'POST',
  path: '/v1/products/{productKey}/versions',
  tag: 'Products',
  summary: 'Create the next version of a product as a copy of the latest',
  description: 'Customers stay on the version they hold; see migrate.',
  params: z.strictObject({ productKey: catalogueKey }),
  responses: { 201: productSchema },
  errors: [404],
  handle: async ({ params, caller }, services) => {
    const { product, catalogue } = await createProductVersion(services, caller, params.productKey)
    return { body: toApiProduct(catalogue, product) }
  },
})
