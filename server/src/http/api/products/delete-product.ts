// DELETE /v1/products/{productKey}
import { z } from 'zod'
import { deleteProduct } from '../../../operations/products/delete-product.ts'
import { catalogueKey } from '../../fields.ts'
import { defineRoute } from '../../route.ts'

export const deleteProductRoute = defineRoute({
  operationId: 'deleteProduct',
  method: 'DELETE',
  path: '/v1/products/{productKey}',
  access: 'write',
  tag: 'Products',
  summary: 'Delete a custom product that nobody ever held',
  description:
    'One that was ever assigned or the default can only be archived. The key of a deleted product is free again.',
  params: z.strictObject({ productKey: catalogueKey }),
  responses: { 200: z.strictObject({ deleted: z.boolean(), productKey: z.string() }) },
  errors: [404, 409],
  handle: async ({ params, context }, services) => {
    await deleteProduct(services, context, params.productKey)
    return { body: { deleted: true, productKey: params.productKey } }
  },
})
