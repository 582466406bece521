// Sending buffered events: what one request made of each of them.
import type { BufferedUsage } from './buffer-options.ts'
import { TollkeeperError } from './errors.ts'
import type { CallOptions } from './options.ts'
import type { UsageBatchItem, UsageBatchResult } from './resources/usage.ts'

export type Refused = { event: BufferedUsage; code: string; message: string }

/** `error` says why events are kept. */
export type Sent = {
  done: BufferedUsage[]
  refused: Refused[]
  kept: BufferedUsage[]
  error: TollkeeperError | undefined
}

export type RecordBatch = (events: UsageBatchItem[], options: CallOptions) => Promise<UsageBatchResult>

/** The service's own troubles: the same event may succeed later. */
const passingCodes = new Set(['overloaded', 'busy', 'storage_unavailable', 'internal_error'])

/** What is wrong with a whole request lies in one of its events, or in their size together. */
const divisibleStatuses = new Set([400, 413, 422])

/** Never throws for what the service or the network does. The buffer waits between requests, so none is retried here. */
export async function sendBatch(
  record: RecordBatch,
  events: readonly BufferedUsage[],
  signal: AbortSignal,
): Promise<Sent> {
  try {
    const { results } = await record([...events], { retries: 0, signal })
    return sortResults(events, results)
  } catch (error) {
    if (signal.aborted) return { done: [], refused: [], kept: [...events], error: undefined }
    if (!(error instanceof TollkeeperError)) throw error
    if (!divisibleStatuses.has(error.status)) return { done: [], refused: [], kept: [...events], error }
    const [event] = events
    if (event && events.length === 1) {
      const { code, message } = error
      return { done: [], refused: [{ event, code, message }], kept: [], error: undefined }
    }
    const half = Math.ceil(events.length / 2)
    const first = await sendBatch(record, events.slice(0, half), signal)
    const second = await sendBatch(record, events.slice(half), signal)
    return {
      done: [...first.done, ...second.done],
      refused: [...first.refused, ...second.refused],
      kept: [...first.kept, ...second.kept],
      error: first.error ?? second.error,
    }
  }
}

function sortResults(events: readonly BufferedUsage[], results: UsageBatchResult['results']): Sent {
  const sent: Sent = { done: [], refused: [], kept: [], error: undefined }
  for (const [index, event] of events.entries()) {
    const result = results[index]
    if (result?.success) {
      sent.done.push(event)
      continue
    }
    const message = result?.error ?? 'The service did not say what became of the event.'
    const code = result?.code ?? 'internal_error'
    if (passingCodes.has(code)) {
      sent.kept.push(event)
      sent.error = new TollkeeperError(message, { status: 503, code })
    } else sent.refused.push({ event, code, message })
  }
  return sent
}
