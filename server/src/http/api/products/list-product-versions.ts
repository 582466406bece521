// GET /v1/products/{productKey}/versions
import { z } from 'zod'
import type { ProductVersion } from '../../../domain/catalogue/catalogue.ts'
import { missing } from '../../../domain/errors.ts'
import { catalogueKey, page } from '../../fields.ts'
import { nameList, type Position, pageOf } from '../../page.ts'
import { productSchema, toApiProduct } from '../../resources/product.ts'
import { defineRoute } from '../../route.ts'

// Versions are numbered in the order they were made, so the number alone is the position.
const positionOf = ({ version }: ProductVersion): Position => [version, 0]

export const listProductVersionsRoute = defineRoute({
  operationId: 'listProductVersions',
  method: 'GET',
  path: '/v1/products/{productKey}/versions',
  access: 'read',
  tag: 'Products',
  summary: 'List the versions of a product, newest first',
  description: 'Those of an archived product, too.',
  params: z.strictObject({ productKey: catalogueKey }),
  query: z.strictObject(page),
  responses: { 200: z.strictObject({ versions: z.array(productSchema), nextCursor: z.string().nullable() }) },
  errors: [404],
  handle: async ({ params, query, context }) => {
    const { catalogue } = context
    const list = nameList('versions', context, params.productKey)
    const product = catalogue.products.get(params.productKey)
    if (!product) throw missing('product', params.productKey)
    const { items, nextCursor } = pageOf(list, product.versions.toReversed(), query, positionOf)
    return {
      body: { versions: items.map((version) => toApiProduct(catalogue, product, version)), nextCursor },
    }
  },
})
