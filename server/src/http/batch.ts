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

export const batchSchema = (result: z.ZodType) =>
  z.strictObject({
    results: z.array(
      z.union([
        z.strictObject({ success: z.literal(true), result }),
        z.strictObject({ success: z.literal(false), error: z.string(), code: z.string() }),
      ]),
    ),
    hasErrors: z.boolean(),
  })

type Batch<Item extends z.ZodType> = {
  noun: BatchNoun
  schema: Item
  /** How many are worked on at a time. */
  atOnce: number
  /** What to say of an item that may be sent again. */
  again: string
  /** Writes the result as JSON. */
  work(item: z.output<Item>): Promise<string>
}

const succeeded = '{"success":true'

/** The answer as JSON. Throws when nothing was done: then the whole request may be sent again. */
export async function answerBatch<Item extends z.ZodType>(
  items: unknown[],
  batch: Batch<Item>,
): Promise<string> {
  const settled: (string | Error)[] = new Array(items.length)
  let next = 0
  const work = async () => {
    while (next < items.length) {
      const index = next++
      settled[index] = await settleItem(items[index], index, batch)
    }
  }
  await Promise.all(Array.from({ length: Math.min(batch.atOnce, items.length) }, work))
  const failure = settled.find((each) => each instanceof Error)
  if (failure && !settled.some((each) => typeof each === 'string' && each.startsWith(succeeded)))
    throw failure
  const results = settled.map((each, index) =>
    each instanceof Error ? writeUnavailable(index, batch) : each,
  )
  const hasErrors = results.some((result) => !result.startsWith(succeeded))
  return `{"results":[${results.join()}],"hasErrors":${hasErrors}}`
}

async function settleItem<Item extends z.ZodType>(
  item: unknown,
  index: number,
  { noun, schema, work }: Batch<Item>,
): Promise<string | Error> {
  const parsed = schema.safeParse(item)
  if (!parsed.success) return writeFailure(toRequestError(parsed.error, 'body', item, [noun, index]))
  try {
    return `${succeeded},"result":${await work(parsed.data)}}`
  } catch (error) {
    if (isTransient(error)) return error
    if (!(error instanceof RequestError)) throw error
    return writeFailure({ code: error.code, message: placeInBatch(noun, index, error) })
  }
}

/** A failure of ours that the next try may not meet. */
const isTransient = (error: unknown): error is Error =>
  error instanceof Error &&
  (error instanceof RequestError
    ? error.kind === 'unavailable'
    : isStorageFailure(error) || isContention(error))

const writeUnavailable = (index: number, { noun, again }: Pick<Batch<z.ZodType>, 'noun' | 'again'>): string =>
  writeFailure({ code: 'storage_unavailable', message: `${noun}[${index}]: ${again}` })

const writeFailure = ({ message, code }: Pick<RequestError, 'message' | 'code'>): string =>
  JSON.stringify({ success: false, error: message, code })
