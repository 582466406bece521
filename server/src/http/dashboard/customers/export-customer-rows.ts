// GET /dashboard/api/{environment}/customer-rows.csv
import { z } from 'zod'
import { exportCustomerRows } from '../../../operations/customers/export-customer-rows.ts'
import { streamCsv } from '../../csv.ts'
import { rowFilters, toApiRow } from '../../resources/customer-row.ts'
import { defineDashboardRoute } from '../route.ts'

const header = [
  'customerId',
  'name',
  'email',
  'createdAt',
  'products',
  'hottestFeature',
  'used',
  'allowance',
  'share',
  'events14Days',
]

export const exportCustomerRowsRoute = defineDashboardRoute({
  method: 'GET',
  path: '/dashboard/api/{environment}/customer-rows.csv',
  access: 'read',
  tag: 'Customers',
  summary: 'Customers as CSV',
  description:
    'Sent as it is read. Times are in UTC; a text that a spreadsheet would compute begins with an apostrophe.',
  query: z.strictObject(rowFilters),
  contentType: 'text/csv',
  responses: { 200: z.string() },
  errors: [404],
  handle: async ({ query, context }, services) => {
    const pages = exportCustomerRows(services, context, { ...query, sort: query.sort ?? 'created' })
    return {
      headers: { 'content-disposition': 'attachment; filename="customers.csv"' },
      body: await streamCsv(header, pages, (shown) => {
        const row = toApiRow(shown)
        return [
          row.customerId,
          row.name,
          row.email,
          new Date(row.createdAt).toISOString(),
          row.products.map((product) => product.key).join(' '),
          row.hottest?.featureKey,
          row.hottest?.used,
          row.hottest?.allowance,
          row.hottest?.share,
          row.eventsTotal14d,
        ]
      }),
    }
  },
})
