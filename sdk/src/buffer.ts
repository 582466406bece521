// A buffer of usage: gathers events into batches, keeps them while the service cannot be reached, and reports what it could not
// keep. Sending an event twice is harmless, because its key is made when it comes in.
import {
  type BufferedUsage,
  type BufferOptions,
  type BufferSettings,
  type LossReason,
  readBufferOptions,
  type Spool,
} from './buffer-options.ts'
import { TollkeeperError } from './errors.ts'
import type { TrackedFeatureKey } from './keys.ts'
import { makeKey } from './resources/usage.ts'
import { computeDelayMs } from './retry.ts'
import { type RecordBatch, type Sent, sendBatch } from './send-batch.ts'

export type BufferedOptions = {
  eventKey?: string | undefined
  occurredAt?: number | undefined
  metadata?: Record<string, string> | undefined
}

export type UsageBuffer = {
  /**
   * Takes an event and returns at once. What it returns need not be awaited: it resolves to true once the event is kept (with
   * a spool: on disk), to false if it was lost or the spool could not take it, and never rejects.
   */
  track(
    customerId: string,
    featureKey: TrackedFeatureKey,
    amount?: number,
    options?: BufferedOptions,
  ): Promise<boolean>
  /** Sends what is there, and resolves to how many events are still kept because they could not be sent. */
  flush(): Promise<number>
  /** Takes no more, sends what is there, and gives up what cannot be sent within the time unless a spool keeps it. */
  close(options?: { timeoutMs?: number | undefined }): Promise<void>
  /** How many events are kept now. */
  readonly size: number
}

export function createBuffer(record: RecordBatch, options: BufferOptions = {}): UsageBuffer {
  const settings = readBufferOptions(options)
  const { batchSize, maxEvents, spool } = settings
  let queue: BufferedUsage[] = []
  let isClosed = false
  let failures = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  let sending: Promise<void> | undefined
  let saving: Promise<unknown> = Promise.resolve()
  /** Those that the spool could not take. */
  const unsaved = new WeakSet<BufferedUsage>()
  const stopping = new AbortController()
  const recovered = recover()

  async function recover(): Promise<void> {
    try {
      const events = (await spool?.recover()) ?? []
      queue = [...events, ...queue]
      if (events.length > 0) plan(0)
    } catch (error) {
      tell(() => settings.onError(toSpoolError(error)))
    }
  }

  /** The earliest time that was asked for stays, unless the service is failing: then the wait does. */
  function plan(delayMs: number): void {
    if (timer !== undefined || isClosed) return
    timer = setTimeout(() => {
      timer = undefined
      send()
    }, delayMs)
    // Node's timers would keep a process alive that has nothing else to do.
    ;(timer as { unref?(): void }).unref?.()
  }

  function send(): Promise<void> {
    sending ??= sendAll().finally(() => {
      sending = undefined
      if (queue.length > 0) plan(settings.flushIntervalMs)
    })
    return sending
  }

  /** One request at a time, until all is sent or one fails. */
  async function sendAll(): Promise<void> {
    await recovered
    while (queue.length > 0 && !stopping.signal.aborted) {
      const batch = queue.slice(0, batchSize)
      const sent = await sendBatch(record, batch, stopping.signal)
      queue = [...sent.kept, ...queue.slice(batch.length)]
      await settle(sent)
      if (sent.error !== undefined) {
        const { error } = sent
        failures++
        plan(computeDelayMs(failures, error.retryAfterMs, Math.random))
        tell(() => settings.onError(error))
        return
      }
      failures = 0
    }
  }

  async function settle({ done, refused }: Sent): Promise<void> {
    for (const { event, code, message } of refused) tell(() => settings.onRefused(event, { code, message }))
    const over = [...done, ...refused.map(({ event }) => event)]
    try {
      if (over.length > 0) await spool?.remove(over)
    } catch (error) {
      // They will be sent again by the next process, which their keys make harmless.
      tell(() => settings.onError(toSpoolError(error)))
    }
  }

  async function keep(event: BufferedUsage): Promise<boolean> {
    if (isClosed || queue.length >= maxEvents) return lose([event], isClosed ? 'closed' : 'full')
    queue.push(event)
    if (failures === 0 && queue.length >= batchSize) send()
    else plan(settings.flushIntervalMs)
    return spool ? save(spool, event) : true
  }

  async function save(to: Spool, event: BufferedUsage): Promise<boolean> {
    const saved = recovered.then(() => to.append([event]))
    saving = Promise.allSettled([saving, saved])
    try {
      await saved
      return true
    } catch (error) {
      // It is still in memory and will be sent, unless the process ends first.
      unsaved.add(event)
      tell(() => settings.onError(toSpoolError(error)))
      return false
    }
  }

  function lose(events: readonly BufferedUsage[], reason: LossReason): false {
    tell(() => settings.onLost(events, reason))
    return false
  }

  async function flush(): Promise<number> {
    clearTimeout(timer)
    timer = undefined
    // What is being sent may have been cut before the last events came in.
    await sending
    await send()
    return queue.length
  }

  async function close({ timeoutMs = 10_000 }: { timeoutMs?: number | undefined } = {}): Promise<void> {
    if (isClosed) return
    isClosed = true
    const deadline = setTimeout(() => stopping.abort(), timeoutMs)
    try {
      await flush()
    } finally {
      clearTimeout(deadline)
      clearTimeout(timer)
    }
    await saving
    const left = spool ? queue.filter((event) => unsaved.has(event)) : queue
    if (left.length > 0) lose(left, spool ? 'spool_failed' : 'closed')
    queue = []
    await spool?.close()
  }

  return {
    track: (customerId, featureKey, amount = 1, more = {}) =>
      keep(toEvent(settings, { customerId, featureKey, amount }, more)),
    flush,
    close,
    get size() {
      return queue.length
    },
  }
}

function toEvent(
  { now }: BufferSettings,
  event: { customerId: string; featureKey: TrackedFeatureKey; amount: number },
  { eventKey = makeKey(), occurredAt = now(), metadata }: BufferedOptions,
): BufferedUsage {
  return {
    ...event,
    eventKey,
    ...(occurredAt === undefined ? {} : { occurredAt }),
    ...(metadata === undefined ? {} : { metadata }),
  }
}

/** A callback that throws must not stop the sending, and must not be hidden. */
function tell(report: () => void): void {
  try {
    report()
  } catch (error) {
    queueMicrotask(() => {
      throw error
    })
  }
}

const toSpoolError = (cause: unknown) =>
  new TollkeeperError(`The spool failed: ${cause instanceof Error ? cause.message : String(cause)}`, {
    status: 0,
    code: 'spool_failed',
    cause,
  })
