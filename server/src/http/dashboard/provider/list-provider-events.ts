// GET /dashboard/api/{environment}/provider/events
import { z } from 'zod'
import { listProviderEvents } from '../../../operations/provider/list-provider-events.ts'
import { page } from '../../fields.ts'
import { defaultPageSize, nameList, readCursor, writeCursor } from '../../page.ts'
import { defineDashboardRoute } from '../route.ts'

const eventSchema = z
  .strictObject({
    eventId: z.string(),
    type: z.string(),
    subjectKind: z.enum(['customer', 'product']),
    subjectId: z.string(),
    customerId: z.string().optional(),
    createdAt: z.int(),
    receivedAt: z.int(),
    doneAt: z.int().nullable(),
    attempts: z.int(),
    lastError: z.string().nullable(),
  })
  .meta({ id: 'ProviderEvent' })

export const listProviderEventsRoute = defineDashboardRoute({
  method: 'GET',
  path: '/dashboard/api/{environment}/provider/events',
  access: 'read',
  tag: 'Provider',
  summary: 'List the provider’s events as they arrived, newest first',
  query: z.strictObject({ state: z.enum(['waiting', 'failing', 'done']).optional(), ...page }),
  responses: { 200: z.strictObject({ events: z.array(eventSchema), nextCursor: z.string().nullable() }) },
  handle: async ({ query, context }, services) => {
    const { state, limit = defaultPageSize } = query
    const list = nameList('provider-events', context, state)
    const [receivedAt, eventId] = (readCursor(list, query.cursor, 'ns') ?? []) as [number?, string?]
    const after = receivedAt === undefined || eventId === undefined ? undefined : { receivedAt, eventId }
    const { events, next } = await listProviderEvents(services, context, { state, after, limit })
    const nextCursor = next ? writeCursor(list, [next.receivedAt, next.eventId]) : null
    const shown = events.map(({ customerId, ...event }) =>
      customerId === null ? event : { ...event, customerId },
    )
    return { body: { events: shown, nextCursor } }
  },
})
