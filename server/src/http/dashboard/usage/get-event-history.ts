// GET /dashboard/api/{environment}/events/{eventId}/history
import { z } from 'zod'
import { getEventHistory } from '../../../operations/usage/get-event-history.ts'
import { thingId } from '../../fields.ts'
import { auditEntrySchema } from '../../resources/audit-entry.ts'
import { defineDashboardRoute } from '../route.ts'

export const getEventHistoryRoute = defineDashboardRoute({
  method: 'GET',
  path: '/dashboard/api/{environment}/events/{eventId}/history',
  access: 'read',
  tag: 'Usage',
  summary: 'What was changed of a usage event, by whom',
  params: z.strictObject({ eventId: thingId }),
  responses: { 200: z.strictObject({ entries: z.array(auditEntrySchema) }) },
  errors: [404],
  handle: async ({ params, context }, services) => ({
    body: { entries: await getEventHistory(services, context, params.eventId) },
  }),
})
