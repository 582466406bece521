// Sends records in batches, several at a time, and knows up to where all of them are done.
import { setTimeout as sleep } from 'node:timers/promises'
import { TollkeeperError } from '@tollkeeper/sdk/src/errors.ts'
import type { Progress } from './checkpoint.ts'
import type { ImportRecord } from './read-records.ts'

export type Result = { success: true; isNew: boolean } | { success: false; error: string; code: string }

type Options = {
  records: AsyncIterable<ImportRecord>
  begin: Progress
  /** Up to `batchSize` values in one request; the results have their order. */
  send(values: Record<string, unknown>[], records: ImportRecord[]): Promise<Result[]>
  batchSize: number
  inFlight: number
  onRefused(line: number, sentence: string): void
  /** After each batch: all before this place is done. */
  onProgress(progress: Progress): Promise<void>
  isStopped(): boolean
}

type Batch = { records: ImportRecord[]; done?: { done: number; refused: number; isNew: number } }

export async function sendBatches(options: Options): Promise<Progress> {
  const { records, begin, batchSize, inFlight, isStopped } = options
  let progress = begin
  // In the order of the file; what is done at its front is what the checkpoint says.
  const batches: Batch[] = []
  const underWay = new Set<Promise<void>>()
  let failure: unknown
  let advancing = Promise.resolve()
  const advance = async () => {
    while (batches[0]?.done) {
      const { records: sent, done } = batches.shift() as Required<Batch>
      const last = sent.at(-1) as ImportRecord
      progress = {
        ...last.next,
        done: progress.done + done.done,
        refused: progress.refused + done.refused,
        isNew: progress.isNew + done.isNew,
      }
      await options.onProgress(progress)
    }
  }
  const begun = (batch: Batch) => {
    batches.push(batch)
    const work = sendBatch(batch.records, options).then(
      (done) => {
        batch.done = done
        // One after the other: an older place must not be kept over a newer.
        advancing = advancing.then(advance)
        return advancing
      },
      (error) => {
        failure ??= error
      },
    )
    const tracked = work.finally(() => underWay.delete(tracked))
    underWay.add(tracked)
  }
  let waiting: ImportRecord[] = []
  for await (const record of records) {
    waiting.push(record)
    if (waiting.length < batchSize) continue
    begun({ records: waiting })
    waiting = []
    while (underWay.size >= inFlight) await Promise.race(underWay)
    if (failure !== undefined || isStopped()) break
  }
  if (waiting.length > 0 && failure === undefined && !isStopped()) begun({ records: waiting })
  await Promise.all(underWay)
  if (failure !== undefined) throw failure
  return progress
}

async function sendBatch(records: ImportRecord[], options: Options) {
  const count = { done: 0, refused: 0, isNew: 0 }
  const refuse = (line: number, sentence: string) => {
    count.refused++
    options.onRefused(line, sentence)
  }
  for (const { line, problem } of records) if (problem !== undefined) refuse(line, problem)
  const good = records.filter(({ problem }) => problem === undefined)
  const results = await sendUntilKnown(good, options)
  for (const [index, result] of results.entries()) {
    if (result.success) {
      count.done++
      if (result.isNew) count.isNew++
    } else refuse((good[index] as ImportRecord).line, withoutPlace(result.error))
  }
  return count
}

/** The service's own troubles: the same item may succeed later. */
const passingCodes = new Set(['overloaded', 'busy', 'storage_unavailable', 'internal_error'])
const tries = 8

async function sendUntilKnown(records: ImportRecord[], options: Options): Promise<Result[]> {
  const results: Result[] = new Array(records.length)
  let open = records.map((record, index) => ({ record, index }))
  for (let attempt = 1; open.length > 0; attempt++) {
    const answers = await sendDivided(
      open.map(({ record }) => record),
      options,
    )
    for (const [at, { index }] of open.entries()) results[index] = answers[at] as Result
    open = open.filter(({ index }) => {
      const result = results[index] as Result
      return !result.success && passingCodes.has(result.code)
    })
    if (open.length > 0 && attempt === tries)
      throw new TollkeeperError(
        'The service could not take all of it; run the same command again to go on.',
        {
          status: 503,
          code: 'overloaded',
        },
      )
    if (open.length > 0) await sleep(Math.min(5_000, 100 * 2 ** attempt))
  }
  return results
}

/** What is wrong with a whole request lies in one of its items, or in their number: a service that is slow answers fewer. */
const divisibleStatuses = new Set([400, 413, 422, 503])

async function sendDivided(records: ImportRecord[], options: Options): Promise<Result[]> {
  if (records.length === 0) return []
  try {
    const values = records.map(({ value }) => value as Record<string, unknown>)
    return await options.send(values, records)
  } catch (error) {
    if (!(error instanceof TollkeeperError) || !divisibleStatuses.has(error.status)) throw error
    if (records.length === 1) return [{ success: false, error: error.message, code: error.code }]
    const half = Math.ceil(records.length / 2)
    return [
      ...(await sendDivided(records.slice(0, half), options)),
      ...(await sendDivided(records.slice(half), options)),
    ]
  }
}

/** The place in a batch says nothing to whoever knows the line. */
const withoutPlace = (sentence: string): string =>
  sentence.replace(/^(events|customers)\[\d+\][.:]? ?/, '').replace(/ in (events|customers)\[\d+\]\.$/, '.')
