// GET /v1/usage/{id}
import { z } from 'zod'
import { getUsageEvent } from '../../../operations/usage/find-usage-event.ts'
import { thingId } from '../../fields.ts'
import { eventSchema, toApiEvent } from '../../resources/usage.ts'
import { defineRoute } from '../../route.ts'

export const getUsageEventRoute = defineRoute({
  method: 'GET',
  path: '/v1/usage/{id}',
  tag: 'Usage',
  summary: 'Get a usage event',
  params: z.strictObject({ id: thingId }),
  responses: { 200: eventSchema },
  errors: [404],
  handle: async ({ params, caller }, services) => ({
    body: toApiEvent(await getUsageEvent(services, caller, params.id)),
  }),
})
