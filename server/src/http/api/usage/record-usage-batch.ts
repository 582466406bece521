// POST /v1/usage/batch
import { z } from 'zod'
import { recordUsage } from '../../../operations/usage/record-usage.ts'
import { answerBatch, batchItems, batchSchema } from '../../batch.ts'
import { recordBody, recordedSchema, writeRecorded } from '../../resources/usage.ts'
import { defineRoute } from '../../route.ts'

export const recordUsageBatchRoute = defineRoute({
  operationId: 'recordUsageBatch',
  method: 'POST',
  path: '/v1/usage/batch',
  access: 'write',
  tag: 'Usage',
  summary: 'Record up to 100 events',
  description:
    'Items are independent, in order: a failed one leaves the rest alone, and its error names the place (events[6].amount). Results are in the order of events.',
  body: z.strictObject({ events: batchItems(recordBody) }),
  responses: { 200: batchSchema(recordedSchema) },
  handle: async ({ body, context }, services) => ({
    body: await answerBatch(body.events, {
      noun: 'events',
      schema: recordBody,
      again: 'it could not be recorded right now; send it again under the same eventKey.',
      work: (events) =>
        Promise.all(
          events.map((event) =>
            recordUsage(services, context, event).then(writeRecorded, (error: Error) => error),
          ),
        ),
    }),
  }),
})
