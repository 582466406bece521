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
  z.strictObject({ success: z.literal(false), error: z.string(), code: z.string() }),
])

export const recordUsageBatchRoute = defineRoute({
  method: 'POST',
  path: '/v1/usage/batch',
  access: 'write',
  tag: 'Usage',
  summary: 'Record up to 100 events',
  description:
    'Items are independent, in order: a failed one leaves the rest alone, and its error names the place (events[6].amount). Results are in the order of events.',
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
    const results = await Promise.all(
      body.events.map((event, index) => recordItem(services, context, event, index)),
    )
    const hasErrors = results.some((result) => result.startsWith('{"success":false'))
    return { body: `{"results":[${results.join()}],"hasErrors":${hasErrors}}` }
  },
})

async function recordItem(
  services: Services,
  context: Context,
  item: unknown,
  index: number,
): Promise<string> {
  const parsed = recordBody.safeParse(item)
  if (!parsed.success) return writeFailure(toRequestError(parsed.error, 'body', item, ['events', index]))
  try {
    return `{"success":true,"result":${writeRecorded(await recordUsage(services, context, parsed.data))}}`
  } catch (error) {
    // What the context can mend is told item by item; a failure of ours is the whole request's, to be sent again.
    if (!(error instanceof RequestError) || error.kind === 'unavailable') throw error
    return writeFailure({ code: error.code, message: placeIn(index, error.message) })
  }
}

const fields = Object.keys(recordBody.shape)

/** A sentence that begins with a field names it in its place; any other is said of the item. */
function placeIn(index: number, sentence: string): string {
  const isOfField = fields.some((field) => new RegExp(`^${field}\\b`).test(sentence))
  return `events[${index}]${isOfField ? '.' : ': '}${sentence}`
}

const writeFailure = ({ message, code }: Pick<RequestError, 'message' | 'code'>): string =>
  JSON.stringify({ success: false, error: message, code })
