// POST /v1/products/sync
import { z } from 'zod'
import { importProducts } from '../../../operations/products/import-products.ts'
import { productSchema, toApiProduct } from '../../resources/product.ts'
import { defineRoute } from '../../route.ts'

export const importProductsRoute = defineRoute({
  operationId: 'importProducts',
  method: 'POST',
  path: '/v1/products/sync',
  access: 'write',
  tag: 'Products',
  summary: 'Import all active products of the payment provider with their prices',
  description:
    'The key is the provider product’s metadata product_key, else a slug of its name. A large catalogue takes longer than a request: then it goes on by itself.',
  responses: {
    200: z.strictObject({ products: z.array(productSchema) }),
    202: z.strictObject({ pending: z.literal(true) }),
  },
  errors: [502],
  waitsForProvider: true,
  handle: async ({ context }, services) => {
    const imported = await importProducts(services, context)
    if (!imported) return { status: 202, body: { pending: true } }
    return { body: { products: imported.map(({ product, catalogue }) => toApiProduct(catalogue, product)) } }
  },
})
