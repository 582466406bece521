// GET /v1/customers
import { z } from 'zod'
import { listCustomers } from '../../../operations/customers/list-customers.ts'
import { catalogueKey, page, search } from '../../fields.ts'
import { defaultPageSize, nameList, readCursor, writeCursor } from '../../page.ts'
import { customerSchema, toApiCustomer } from '../../resources/customer.ts'
import { defineRoute } from '../../route.ts'

export const listCustomersRoute = defineRoute({
  operationId: 'listCustomers',
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
    const list = nameList('customers', context, query.search, query.productKey)
    const position = readCursor(list, query.cursor, 'nn') as [number, number] | undefined
    const { customers, next } = await listCustomers(services, context, {
      search: query.search,
      productKey: query.productKey,
      after: position && { createdAt: position[0], customerNo: position[1] },
      limit,
    })
    return {
      body: {
        customers: customers.map(toApiCustomer),
        nextCursor: next ? writeCursor(list, [next.createdAt, next.customerNo]) : null,
      },
    }
  },
})
