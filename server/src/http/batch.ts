// Batches: up to 100 independent items in one request, each with its own success or failure, answered in their order.
import { z } from 'zod'
import { type BatchNoun, placeInBatch, RequestError } from '../domain/errors.ts'
import { isContention, isStorageFailure } from './errors.ts'
import { toRequestError } from './invalid.ts'

/** An item is checked when its turn comes: a bad one is its own failure. */
export const batchItems = (item: z.ZodType) =>
  z
    .array(
      z
        .unknown()
        .meta({ ...z.toJSONSchema(item, { io: 'input', unrepresentable: 'any' }), $schema: undefined }),
    )
    .min(1)
    .max(100)

const failureSchema = z
  .strictObject({ success: z.literal(false), error: z.string(), code: z.string() })
  .meta({ id: 'BatchFailure', description: 'An item of a batch that was not taken' })

export const batchSchema = (result: z.ZodType) =>
  z.strictObject({
    results: z.array(z.union([z.strictObject({ success: z.literal(true), result }), failureSchema])),
    hasErrors: z.boolean(),
  })

type Batch<Item extends z.ZodType> = {
  noun: BatchNoun
  schema: Item
  /** What to say of an item that may be sent again. */
  again: string
  /** For each item its result as JSON, or what went wrong with it. */
  work(items: z.output<Item>[]): Promise<(string | Error)[]>
}

const succeeded = '{"success":true'

/** The answer as JSON. Throws when nothing was done: then the whole request may be sent again. */
export async function answerBatch<Item extends z.ZodType>(
  items: unknown[],
  { noun, schema, again, work }: Batch<Item>,
): Promise<string> {
  const parsed = items.map((item) => schema.safeParse(item))
  const outcomes = await work(parsed.flatMap(({ success, data }) => (success ? [data] : [])))
  let next = 0
  const settled = parsed.map((each, index) => {
    if (!each.success) return writeFailure(toRequestError(each.error, 'body', items[index], [noun, index]))
    const outcome = outcomes[next++] as string | Error
    if (typeof outcome === 'string') return `${succeeded},"result":${outcome}}`
    if (isTransient(outcome)) return outcome
    if (!(outcome instanceof RequestError)) throw outcome
    return writeFailure({ code: outcome.code, message: placeInBatch(noun, index, outcome) })
  })
  const failure = settled.find((each) => each instanceof Error)
  if (failure && !settled.some((each) => typeof each === 'string' && each.startsWith(succeeded)))
    throw failure
  const results = settled.map((each, index) =>
    typeof each === 'string'
      ? each
      : writeFailure({ code: 'storage_unavailable', message: `${noun}[${index}]: ${again}` }),
  )
  const hasErrors = results.some((result) => !result.startsWith(succeeded))
  return `{"results":[${results.join()}],"hasErrors":${hasErrors}}`
}

/** A failure of ours that the next try may not meet. */
const isTransient = (error: Error): boolean =>
  error instanceof RequestError
    ? error.kind === 'unavailable'
    : isStorageFailure(error) || isContention(error)

const writeFailure = ({ message, code }: Pick<RequestError, 'message' | 'code'>): string =>
  JSON.stringify({ success: false, error: message, code })
