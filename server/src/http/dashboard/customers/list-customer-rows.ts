// GET /dashboard/api/{environment}/customer-rows
import { z } from 'zod'
import { listCustomerRows } from '../../../operations/customers/list-customer-rows.ts'
import { page } from '../../fields.ts'
import { defaultPageSize, nameList, readCursor, writeCursor } from '../../page.ts'
import { rowFilters, rowSchema, toApiRow } from '../../resources/customer-row.ts'
import { defineDashboardRoute } from '../route.ts'

export const listCustomerRowsRoute = defineDashboardRoute({
  method: 'GET',
  path: '/dashboard/api/{environment}/customer-rows',
  access: 'read',
  tag: 'Customers',
  summary: 'List customers with what a row of a table shows',
  description:
    'status is "over" from 100 % of an allowance on, "near" from 80 %. Shares are those of featureKey, else of the hottest feature. Sorted by share, whoever was made within the last seconds may be missing.',
  query: z.strictObject({ ...rowFilters, ...page }),
  responses: {
    200: z.strictObject({
      asOf: z.int(),
      customers: z.array(rowSchema),
      nextCursor: z.string().nullable(),
      total: z.int(),
    }),
  },
  errors: [404],
  handle: async ({ query, context }, services) => {
    const { limit = defaultPageSize, sort = 'created', search, productKey, status, featureKey } = query
    const list = nameList('customer-rows', context, sort, search, productKey, status, featureKey)
    const [createdAt, customerNo, share, customerUid] = (readCursor(list, query.cursor, 'nnsu') ??
      []) as Partial<[number, number, string, string]>
    const after =
      createdAt === undefined || customerNo === undefined || customerUid === undefined
        ? undefined
        : { createdAt, customerNo, share: Number(share) || 0, customerUid }
    const { customers, next, ...rest } = await listCustomerRows(services, context, {
      ...query,
      sort,
      after,
      limit,
    })
    return {
      body: {
        ...rest,
        customers: customers.map(toApiRow),
        nextCursor: next
          ? writeCursor(list, [next.createdAt, next.customerNo, String(next.share), next.customerUid])
          : null,
      },
    }
  },
})
