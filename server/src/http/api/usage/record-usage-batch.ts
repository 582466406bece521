// POST /v1/usage/batch
import { z } from 'zod'
import { placeInBatch, RequestError } from '../../../domain/errors.ts'
import type { Context } from '../../../operations/context.ts'
import type { Services } from '../../../operations/services.ts'
import { recordUsage } from '../../../operations/usage/record-usage.ts'
import { isContention, isStorageFailure } from '../../errors.ts'
import { toRequestError } from '../../invalid.ts'
import { recordBody, recordedSchema, writeRecorded } from '../../resources/usage.ts'
import { defineRoute } from '../../route.ts'

const resultSchema = z.union([
  z.strictObject({ success: z.literal(true), result: recordedSchema }),
  z
    .strictObject({ success: z.literal(false), error: z.string(), code: z.string() })
    .meta({ id: 'BatchFailure', description: 'An item of a batch that was not taken' }),
])

export const recordUsageBatchRoute = defineRoute({
  operationId: 'recordUsageBatch',
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
    const settled = await Promise.all(
      body.events.map((event, index) => recordItem(services, context, event, index)),
    )
    const failure = settled.find((each) => each instanceof Error)
    // Nothing was done: the whole request may be sent again. Else each item tells what became of it.
    if (failure && !settled.some((each) => typeof each === 'string' && each.startsWith('{"success":true')))
      throw failure
    const results = settled.map((each, index) => (each instanceof Error ? writeUnavailable(index) : each))
    const hasErrors = results.some((result) => result.startsWith('{"success":false'))
    return { body: `{"results":[${results.join()}],"hasErrors":${hasErrors}}` }
  },
})

async function recordItem(
  services: Services,
  context: Context,
  item: unknown,
  index: number,
): Promise<string | Error> {
  const parsed = recordBody.safeParse(item)
  if (!parsed.success) return writeFailure(toRequestError(parsed.error, 'body', item, ['events', index]))
  try {
    return `{"success":true,"result":${writeRecorded(await recordUsage(services, context, parsed.data))}}`
  } catch (error) {
    if (isTransient(error)) return error
    if (!(error instanceof RequestError)) throw error
    return writeFailure({ code: error.code, message: placeInBatch(index, error) })
  }
}

/** A failure of ours that the next try may not meet. */
const isTransient = (error: unknown): error is Error =>
  error instanceof Error &&
  (error instanceof RequestError
    ? error.kind === 'unavailable'
    : isStorageFailure(error) || isContention(error))

const writeUnavailable = (index: number): string =>
  writeFailure({
    code: 'storage_unavailable',
    message: `events[${index}]: it could not be recorded right now; send it again under the same eventKey.`,
  })

const writeFailure = ({ message, code }: Pick<RequestError, 'message' | 'code'>): string =>
  JSON.stringify({ success: false, error: message, code })
