// What a buffer of usage is made with, what it holds, and what it reports.
import type { TollkeeperError } from './errors.ts'
import type { TrackedFeatureKey } from './keys.ts'
import { invalidOption } from './options.ts'
import type { UsageBatchItem } from './resources/usage.ts'

/** An event that waits to be sent: its key makes sending it twice harmless. */
export type BufferedUsage = Omit<UsageBatchItem, 'eventKey' | 'featureKey'> & {
  featureKey: TrackedFeatureKey
  eventKey: string
}

/** Why events were not kept: the buffer was full, it was closed without a spool, or the spool could not be written. */
export type LossReason = 'full' | 'closed' | 'spool_failed'

/** Where events survive the end of a process; `@tollkeeper/sdk/node` has one in a file. */
export type Spool = {
  /** What an earlier process left, oldest first; called once, before anything else. */
  recover(): Promise<BufferedUsage[]>
  /** Resolves when they are safe. */
  append(events: readonly BufferedUsage[]): Promise<void>
  /** They are with the service, or were refused by it for good. */
  remove(events: readonly BufferedUsage[]): Promise<void>
  close(): Promise<void>
}

export type BufferOptions = {
  /** Events in one request: 100 unless given, which is the most. */
  batchSize?: number | undefined
  /** How long an event waits for others: 1,000 unless given. */
  flushIntervalMs?: number | undefined
  /** How many events are kept when the service cannot be reached: 10,000 unless given. Further ones are lost, and reported. */
  maxEvents?: number | undefined
  /** Keeps events over the end of the process. */
  spool?: Spool | undefined
  /** When events happened that are tracked without `occurredAt`: `Date.now` unless given; undefined leaves it to the service. */
  now?: (() => number | undefined) | undefined
  /** Told of events that are given up. Without it they are written to the console. */
  onLost?: ((events: readonly BufferedUsage[], reason: LossReason) => void) | undefined
  /** Told of each event that the service refused for good, and why. Without it they are written to the console. */
  onRefused?: ((event: BufferedUsage, refusal: { code: string; message: string }) => void) | undefined
  /** Told of failures after which events are kept and sent later. */
  onError?: ((error: TollkeeperError) => void) | undefined
}

export type BufferSettings = {
  [Name in Exclude<keyof BufferOptions, 'spool'>]-?: NonNullable<BufferOptions[Name]>
} & { spool: Spool | undefined }

const say = (message: string) => console.error(`Tollkeeper: ${message}`)

export function readBufferOptions(options: BufferOptions): BufferSettings {
  const { batchSize = 100, flushIntervalMs = 1_000, maxEvents = 10_000 } = options
  checkWhole('batchSize', batchSize, 100)
  checkWhole('flushIntervalMs', flushIntervalMs, 3_600_000)
  checkWhole('maxEvents', maxEvents, 1_000_000)
  return {
    batchSize,
    flushIntervalMs,
    maxEvents,
    spool: options.spool,
    now: options.now ?? Date.now,
    onLost:
      options.onLost ?? ((events, reason) => say(`${events.length} usage events were lost (${reason}).`)),
    onRefused:
      options.onRefused ??
      ((event, { code, message }) => say(`usage event ${event.eventKey} was refused (${code}): ${message}`)),
    onError: options.onError ?? (() => {}),
  }
}

function checkWhole(name: string, value: number, most: number): void {
  if (Number.isInteger(value) && value >= 1 && value <= most) return
  throw invalidOption(`${name} must be a whole number from 1 to ${most}.`)
}
