// GET /dashboard/api/{environment}/events.csv
import { z } from 'zod'
import { exportEvents } from '../../../operations/usage/export-events.ts'
import { streamCsv } from '../../csv.ts'
import { eventFilters, toApiListedEvent } from '../../resources/listed-event.ts'
import { defineDashboardRoute } from '../route.ts'

const header = [
  'id',
  'customerId',
  'customerName',
  'featureKey',
  'productKey',
  'amount',
  'occurredAt',
  'source',
  'eventKey',
  'isEdited',
  'metadata',
]

export const exportEventsRoute = defineDashboardRoute({
  method: 'GET',
  path: '/dashboard/api/{environment}/events.csv',
  access: 'read',
  tag: 'Usage',
  summary: 'Usage events of all customers as CSV, newest first',
  description:
    'Sent as it is read. Times are in UTC; a text that a spreadsheet would compute begins with an apostrophe.',
  query: z.strictObject(eventFilters),
  contentType: 'text/csv',
  responses: { 200: z.string() },
  errors: [404],
  handle: async ({ query, context }, services) => ({
    headers: { 'content-disposition': 'attachment; filename="usage-events.csv"' },
    body: await streamCsv(header, exportEvents(services, context, query), (listed) => {
      const { metadata, occurredAt, ...event } = toApiListedEvent(listed)
      return [
        event.id,
        event.customerId,
        event.customerName,
        event.featureKey,
        event.productKey,
        event.amount,
        new Date(occurredAt).toISOString(),
        event.source,
        event.eventKey,
        event.isEdited,
        Object.keys(metadata).length > 0 ? JSON.stringify(metadata) : undefined,
      ]
    }),
  }),
})
