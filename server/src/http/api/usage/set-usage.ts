// POST /v1/usage/set
import { z } from 'zod'
import { setUsage } from '../../../operations/usage/set-usage.ts'
import { amount, catalogueKey, customerId, eventKey, metadata } from '../../fields.ts'
import { setSchema, writeSet } from '../../resources/usage.ts'
import { defineRoute } from '../../route.ts'

export const setUsageRoute = defineRoute({
  operationId: 'setUsage',
  method: 'POST',
  path: '/v1/usage/set',
  access: 'write',
  tag: 'Usage',
  customer: 'body',
  summary: 'Set the usage of the current period to an absolute value',
  description: 'Records the difference as an adjustment event, atomically.',
  body: z.strictObject({
    customerId,
    featureKey: catalogueKey,
    used: amount.min(0),
    eventKey,
    metadata: metadata.optional(),
  }),
  responses: { 200: setSchema },
  errors: [404, 409],
  handle: async ({ body, context }, services) => ({
    body: writeSet(await setUsage(services, context, body)),
  }),
})
