// PUT /v1/usage/{id}
import { z } from 'zod'
import { amendUsage } from '../../../operations/usage/amend-usage.ts'
import { amount, eventKey, metadata, thingId, timestamp } from '../../fields.ts'
import { eventSchema, toApiEvent } from '../../resources/usage.ts'
import { defineRoute } from '../../route.ts'

export const amendUsageRoute = defineRoute({
  operationId: 'amendUsage',
  method: 'PUT',
  path: '/v1/usage/{id}',
  access: 'write',
  tag: 'Usage',
  summary: 'Correct a usage event',
  description: 'Every period it touches follows at once. A key once taken stays taken.',
  params: z.strictObject({ id: thingId }),
  body: z.strictObject({
    amount: amount.optional(),
    occurredAt: timestamp.optional(),
    eventKey: eventKey.nullable().optional(),
    metadata: metadata.nullable().optional(),
  }),
  responses: { 200: eventSchema },
  errors: [404, 409],
  handle: async ({ params, body, context }, services) => ({
    body: toApiEvent(await amendUsage(services, context, params.id, body)),
  }),
})
