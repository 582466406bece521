// POST /dashboard/api/{environment}/provider/events/{eventId}/retry
import { z } from 'zod'
import { retryProviderEvent } from '../../../operations/provider/retry-provider-event.ts'
import { providerId } from '../../fields.ts'
import { defineDashboardRoute } from '../route.ts'

export const retryProviderEventRoute = defineDashboardRoute({
  method: 'POST',
  path: '/dashboard/api/{environment}/provider/events/{eventId}/retry',
  access: 'write',
  tag: 'Provider',
  summary: 'Work off an event now that waits or failed',
  params: z.strictObject({ eventId: providerId }),
  responses: { 200: z.strictObject({}) },
  errors: [404, 409],
  handle: async ({ params, context }, services) => {
    await retryProviderEvent(services, context, params.eventId)
    return { body: {} }
  },
})
