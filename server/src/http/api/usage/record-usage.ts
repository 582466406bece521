// POST /v1/usage
import { recordUsage } from '../../../operations/usage/record-usage.ts'
import { recordBody, recordedSchema, writeRecorded } from '../../resources/usage.ts'
import { defineRoute } from '../../route.ts'

export const recordUsageRoute = defineRoute({
  operationId: 'recordUsage',
  method: 'POST',
  path: '/v1/usage',
  access: 'write',
  tag: 'Usage',
  customer: 'body',
  summary: 'Record usage, exactly once per eventKey',
  description:
    'Over the limit it is recorded all the same, unless enforceLimit is true: then only if it fits whole. amount is 1 when absent; a negative one gives usage back.',
  body: recordBody,
  responses: { 200: recordedSchema },
  errors: [404, 409],
  handle: async ({ body, context }, services) => ({
    body: writeRecorded(await recordUsage(services, context, body)),
  }),
})
