// GET /v1/customers
import { z } from 'zod'
import { findViewByUid } from '../../../operations/customers/read-standing.ts'
import { listCustomerUids } from '../../../storage/customers/customers.ts'
import { page, search } from '../../fields.ts'
import { defaultPageSize, readCursor, writeCursor } from '../../page.ts'
import { customerSchema, toApiCustomer } from '../../resources/customer.ts'
import { defineRoute } from '../../route.ts'

export const listCustomersRoute = defineRoute({
  method: 'GET',
  path: '/v1/customers',
  tag: 'Customers',
  summary: 'List customers, newest first',
  description: 'search finds a part of id, name or email, in any case.',
  query: z.strictObject({ search: search.optional(), ...page }),
  responses: {
    200: z.strictObject({ customers: z.array(customerSchema), nextCursor: z.string().nullable() }),
  },
  handle: async ({ query, caller }, services) => {
    const { limit = defaultPageSize } = query
    const position = readCursor(query.cursor, 'nu') as [number, string] | undefined
    const found = await listCustomerUids(services.database.pool, caller.environment, {
      search: query.search,
      after: position && { createdAt: position[0], customerUid: position[1] },
      limit: limit + 1,
    })
    const listed = found.slice(0, limit)
    const views = await Promise.all(listed.map((each) => findViewByUid(services, caller, each.customerUid)))
    const last = listed.at(-1)
    return {
      body: {
        customers: views.flatMap((view) => (view ? toApiCustomer(view, caller.now) : [])),
        nextCursor: found.length > limit && last ? writeCursor([last.createdAt, last.customerUid]) : null,
      },
    }
  },
})
