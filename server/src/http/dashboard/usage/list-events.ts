// GET /dashboard/api/{environment}/events
import { z } from 'zod'
import { listEvents } from '../../../operations/usage/list-events.ts'
import { page } from '../../fields.ts'
import { defaultPageSize, nameList, readCursor, writeCursor } from '../../page.ts'
import { eventFilters, listedEventSchema, toApiListedEvent } from '../../resources/listed-event.ts'
import { defineDashboardRoute } from '../route.ts'

export const listEventsRoute = defineDashboardRoute({
  method: 'GET',
  path: '/dashboard/api/{environment}/events',
  access: 'read',
  tag: 'Usage',
  summary: 'List usage events of all customers, newest first',
  description:
    'from ≤ occurredAt < to. search is an event id, or an event key. A page may have fewer events than asked for though there are more: nextCursor tells. Deleted events are found by their id only.',
  query: z.strictObject({ ...eventFilters, ...page }),
  responses: {
    200: z.strictObject({
      asOf: z.int(),
      events: z.array(listedEventSchema),
      nextCursor: z.string().nullable(),
    }),
  },
  errors: [404],
  handle: async ({ query, context }, services) => {
    const { limit = defaultPageSize, cursor, ...filter } = query
    const list = nameList('events', context, JSON.stringify(filter))
    const [occurredAt, customerUid, eventNo] = (readCursor(list, cursor, 'nun') ?? []) as Partial<
      [number, string, number]
    >
    const before =
      occurredAt === undefined || customerUid === undefined || eventNo === undefined
        ? undefined
        : { occurredAt, customerUid, eventNo }
    const { asOf, events, next } = await listEvents(services, context, { ...filter, before, limit })
    return {
      body: {
        asOf,
        events: events.map(toApiListedEvent),
        nextCursor: next ? writeCursor(list, [next.occurredAt, next.customerUid, next.eventNo]) : null,
      },
    }
  },
})
