// GET /v1/usage/{id}
import { z } from 'zod'
import { getUsageEvent } from '../../../operations/usage/get-usage-event.ts'
import { thingId } from '../../fields.ts'
import { eventSchema, toApiEvent } from '../../resources/usage.ts'
import { defineRoute } from '../../route.ts'

export const getUsageEventRoute = defineRoute({
  operationId: 'getUsageEvent',
  method: 'GET',
  path: '/v1/usage/{id}',
  access: 'read',
  tag: 'Usage',
  summary: 'Get a usage event',
  params: z.strictObject({ id: thingId }),
  responses: { 200: eventSchema },
  errors: [404],
  handle: async ({ params, context }, services) => ({
    body: toApiEvent(await getUsageEvent(services, context, params.id)),
  }),
})
