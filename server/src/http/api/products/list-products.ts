// GET /v1/products
import { z } from 'zod'
import { type Product, productTypes } from '../../../domain/catalogue/catalogue.ts'
import { page, queryBoolean } from '../../fields.ts'
import { nameList, newestFirst, type Position, pageOf } from '../../page.ts'
import { productSchema, toApiProduct } from '../../resources/product.ts'
import { defineRoute } from '../../route.ts'

const positionOf = ({ createdAt, productNo }: Product): Position => [createdAt, productNo]

export const listProductsRoute = defineRoute({
  operationId: 'listProducts',
  method: 'GET',
  path: '/v1/products',
  access: 'read',
  tag: 'Products',
  summary: 'List products, newest first',
  query: z.strictObject({
    type: z.enum(productTypes).optional(),
    includeArchived: queryBoolean.optional(),
    ...page,
  }),
  responses: { 200: z.strictObject({ products: z.array(productSchema), nextCursor: z.string().nullable() }) },
  handle: async ({ query, context }) => {
    const { catalogue } = context
    const list = nameList('products', context, query.type, query.includeArchived)
    const products = [...catalogue.products.values()]
      .filter((product) => query.type === undefined || product.type === query.type)
      .filter((product) => query.includeArchived || product.archivedAt === null)
      .sort(newestFirst(positionOf))
    const { items, nextCursor } = pageOf(list, products, query, positionOf)
    return { body: { products: items.map((product) => toApiProduct(catalogue, product)), nextCursor } }
  },
})
