// The fake's batches: items are independent, and each has its own success or failure.
import { type BatchNoun, invalid, placeInBatch, RequestError } from '../../../server/src/domain/errors.ts'

type Failed = { success: false; error: string; code: string }

export function answerBatch<Item, Result>(
  noun: BatchNoun,
  items: Item[],
  work: (item: Item) => Result,
): { results: ({ success: true; result: Result } | Failed)[]; hasErrors: boolean } {
  if (items.length < 1 || items.length > 100) throw invalid(`${noun} must have 1 to 100 items.`)
  const results = items.map((item, index) => {
    try {
      return { success: true as const, result: work(item) }
    } catch (error) {
      if (!(error instanceof RequestError)) throw error
      return { success: false as const, error: placeInBatch(noun, index, error), code: error.code }
    }
  })
  return { results, hasErrors: results.some(({ success }) => !success) }
}
