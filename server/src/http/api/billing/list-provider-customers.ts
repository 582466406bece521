// GET /v1/provider-customers
import { z } from 'zod'
import { listProviderCustomers } from '../../../operations/billing/list-provider-customers.ts'
import { cursor } from '../../fields.ts'
import { nameList, readCursor, writeCursor } from '../../page.ts'
import { defineRoute } from '../../route.ts'

const providerCustomerSchema = z
  .strictObject({
    providerCustomerId: z.string(),
    name: z.string().nullable(),
    email: z.string().nullable(),
    metadata: z.record(z.string(), z.string()),
    createdAt: z.int(),
  })
  .meta({ id: 'ProviderCustomer', description: 'A customer as the payment provider has it' })

export const listProviderCustomersRoute = defineRoute({
  operationId: 'listProviderCustomers',
  method: 'GET',
  path: '/v1/provider-customers',
  access: 'read',
  tag: 'Customers',
  summary: 'List the customers that the payment provider has, newest first',
  description:
    'For importing: each can be taken over by creating a customer with its providerCustomerId. A page has up to 100.',
  query: z.strictObject({ cursor: cursor.optional() }),
  responses: {
    200: z.strictObject({
      providerCustomers: z.array(providerCustomerSchema),
      nextCursor: z.string().nullable(),
    }),
  },
  errors: [502],
  waitsForProvider: true,
  handle: async ({ query, context }, services) => {
    const list = nameList('provider-customers', context)
    const position = readCursor(list, query.cursor, 's') as [string] | undefined
    const { items, nextCursor } = await listProviderCustomers(services, context, position?.[0])
    return {
      body: {
        providerCustomers: items,
        nextCursor: nextCursor === null ? null : writeCursor(list, [nextCursor]),
      },
    }
  },
})
