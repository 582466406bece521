// GET /v1/customers
import { z } from 'zod'
import { missing } from '../../../domain/errors.ts'
import type { Context } from '../../../operations/context.ts'
import { findViewByHash } from '../../../operations/customers/read-customer.ts'
import { listCustomers } from '../../../storage/customers/customers.ts'
import { catalogueKey, page, search } from '../../fields.ts'
import { defaultPageSize, readCursor, writeCursor } from '../../page.ts'
import { customerSchema, toApiCustomer } from '../../resources/customer.ts'
import { defineRoute } from '../../route.ts'

export const listCustomersRoute = defineRoute({
  method: 'GET',
  path: '/v1/customers',
  access: 'read',
  tag: 'Customers',
  summary: 'List customers, newest first',
  description:
    'search finds a part of id, name or email, in any case; productKey the customers who hold that product now.',
  query: z.strictObject({ search: search.optional(), productKey: catalogueKey.optional(), ...page }),
  responses: {
    200: z.strictObject({ customers: z.array(customerSchema), nextCursor: z.string().nullable() }),
  },
  errors: [404],
  handle: async ({ query, context }, services) => {
    const { limit = defaultPageSize } = query
    const position = readCursor('customers', query.cursor, 'nn') as [number, number] | undefined
    const found = await listCustomers(services.database.pool, context.principal.environment, {
      search: query.search,
      holding: query.productKey === undefined ? undefined : findHolding(context, query.productKey),
      after: position && { createdAt: position[0], customerNo: position[1] },
      limit: limit + 1,
    })
    const listed = found.slice(0, limit)
    const views = await Promise.all(
      listed.map((each) => findViewByHash(services, context, each.customerHash)),
    )
    const last = listed.at(-1)
    return {
      body: {
        customers: views.flatMap((view) => (view ? toApiCustomer(view) : [])),
        nextCursor:
          found.length > limit && last ? writeCursor('customers', [last.createdAt, last.customerNo]) : null,
      },
    }
  },
})

function findHolding({ catalogue }: Context, productKey: string) {
  const product = catalogue.products.get(productKey)
  if (!product) throw missing('product', productKey)
  return { product, mainProducts: [...catalogue.products.values()].filter((each) => !each.isAddOn) }
}
