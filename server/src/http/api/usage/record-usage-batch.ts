// POST /v1/usage/batch
import { z } from 'zod'
import { RequestError } from '../../../domain/errors.ts'
import type { Context } from '../../../operations/context.ts'
import type { Services } from '../../../operations/services.ts'
import { recordUsage } from '../../../operations/usage/record-usage.ts'
import { toRequestError } from '../../invalid.ts'
import { recordBody, recordedSchema, writeRecorded } from '../../resources/usage.ts'
import { defineRoute } from '../../route.ts'

const resultSchema = z.union([
  z.strictObject({ success: z.literal(true), result: recordedSchema }),
  z.strictObject({ success: z.literal(false), error: z.string() }),
])

export const recordUsageBatchRoute = defineRoute({
  method: 'POST',
  path: '/v1/usage/batch',
  access: 'write',
  tag: 'Usage',
  summary: 'Record up to 100 events',
  description:
    'Items are independent, in order: a failed one leaves the rest alone. Results are in the order of events.',
  // An item is checked when its turn comes: a bad one is its own failure.
  body: z.strictObject({
    events: z
      .array(
        z.unknown().meta({
          ...z.toJSONSchema(recordBody, { io: 'input', unrepresentable: 'any' }),
          $schema: undefined,
        }),
      )
      .min(1)
      .max(100),
  }),
  responses: { 200: z.strictObject({ results: z.array(resultSchema), hasErrors: z.boolean() }) },
  handle: async ({ body, context }, services) => {
    const results = await Promise.all(body.events.map((event) => recordItem(services, context, event)))
    const hasErrors = results.some((result) => result.startsWith('{"success":false'))
    return { body: `{"results":[${results.join()}],"hasErrors":${hasErrors}}` }
  },
})

async function recordItem(services: Services, context: Context, item: unknown): Promise<string> {
  const parsed = recordBody.safeParse(item)
  if (!parsed.success) return writeFailure(toRequestError(parsed.error, 'body', item))
  try {
    return `{"success":true,"result":${writeRecorded(await recordUsage(services, context, parsed.data))}}`
  } catch (error) {
    // What the context can mend is told item by item; a failure of ours is the whole request's, to be sent again.
    if (error instanceof RequestError && error.kind !== 'unavailable') return writeFailure(error)
    throw error
  }
}

const writeFailure = (error: RequestError): string => JSON.stringify({ success: false, error: error.message })
