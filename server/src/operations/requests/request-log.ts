// The live log of requests: lines go from the instances that answered to those on which somebody watches. While nobody does, a request
// costs the look at one boolean.
import { type Environment, environments } from '../../domain/environment.ts'
import { RequestError } from '../../domain/errors.ts'
import { type Channel, longestMessage } from '../../storage/requests/channel.ts'
import { createBucket } from './bucket.ts'

export type RequestLine = {
  requestId: string
  at: number
  method: string
  path: string
  route: string | null
  status: number
  ms: number
  keyId: string
  code: string | null
  body: string | null
  answer: string | null
}

export type Watcher = {
  onLine(line: RequestLine): void
  /** Lines that were not shown, because there were too many. */
  onDropped(count: number): void
  /** The service is closing. */
  onEnd(): void
}

export type RequestLog = {
  /** Whether anybody watches anything. */
  readonly isWatched: boolean
  /** Whether a line of this environment is wanted now; one that is wanted but too many is counted here. */
  takes(environment: Environment): boolean
  add(environment: Environment, line: RequestLine): void
  /** Returns what ends it. */
  watch(environment: Environment, watcher: Watcher): () => void
  endWatchers(): void
  close(): Promise<void>
}

type Message = { watched: Environment } | { environment: Environment; lines: RequestLine[]; dropped: number }

const linesPerSecond = 50
const announceEveryMs = 3_000
// Some announcements may be lost before lines stop coming.
const watchedMs = 10_000
const sendEveryMs = 200
const watchersAtMost = 20

export function createRequestLog(open: (onMessage: (message: string) => void) => Channel): RequestLog {
  const watchers = { test: new Set<Watcher>(), live: new Set<Watcher>() }
  const watchedUntil = { test: 0, live: 0 }
  const pending = { test: createPending(), live: createPending() }
  let isWatched = false
  let announcing: NodeJS.Timeout | undefined
  let looking: NodeJS.Timeout | undefined
  let sending: NodeJS.Timeout | undefined
  const channel = open((text) => receive(readMessage(text)))

  function receive(message: Message | undefined): void {
    if (!message) return
    if ('watched' in message) {
      watchedUntil[message.watched] = Date.now() + watchedMs
      isWatched = true
      looking ??= setInterval(look, 1_000).unref()
      return
    }
    for (const watcher of watchers[message.environment]) {
      for (const line of message.lines) watcher.onLine(line)
      if (message.dropped > 0) watcher.onDropped(message.dropped)
    }
  }

  function look(): void {
    const now = Date.now()
    if (environments.some((environment) => watchedUntil[environment] > now)) return
    isWatched = false
    clearInterval(looking)
    looking = undefined
  }

  function announce(): void {
    for (const environment of environments)
      if (watchers[environment].size > 0) channel.send(JSON.stringify({ watched: environment }))
  }

  function takes(environment: Environment): boolean {
    if (watchedUntil[environment] <= Date.now()) return false
    const own = pending[environment]
    if (own.bucket.take(Date.now())) return true
    own.dropped++
    sending ??= setTimeout(send, sendEveryMs).unref()
    return false
  }

  function add(environment: Environment, line: RequestLine): void {
    pending[environment].lines.push(line)
    sending ??= setTimeout(send, sendEveryMs).unref()
  }

  function send(): void {
    sending = undefined
    for (const environment of environments) {
      const { lines, dropped } = pending[environment]
      pending[environment].lines = []
      pending[environment].dropped = 0
      for (const message of packLines(environment, lines, dropped)) channel.send(message)
    }
  }

  function watch(environment: Environment, watcher: Watcher): () => void {
    if (watchers.test.size + watchers.live.size >= watchersAtMost) {
      throw new RequestError(
        'unavailable',
        'too_many_watchers',
        `Only ${watchersAtMost} may watch requests at a time.`,
      )
    }
    watchers[environment].add(watcher)
    announcing ??= setInterval(announce, announceEveryMs).unref()
    announce()
    return () => {
      watchers[environment].delete(watcher)
      if (watchers.test.size + watchers.live.size > 0) return
      clearInterval(announcing)
      announcing = undefined
    }
  }

  function endWatchers(): void {
    for (const environment of environments) for (const watcher of watchers[environment]) watcher.onEnd()
  }

  return {
    get isWatched() {
      return isWatched
    },
    takes,
    add,
    watch,
    endWatchers,
    close: async () => {
      for (const timer of [announcing, looking]) clearInterval(timer)
      clearTimeout(sending)
      await channel.close()
    },
  }
}

const createPending = () => ({
  lines: [] as RequestLine[],
  dropped: 0,
  bucket: createBucket(linesPerSecond),
})

/** An instance of another version may say what this one does not know. */
function readMessage(text: string): Message | undefined {
  try {
    const message = JSON.parse(text)
    const environment = message.watched ?? message.environment
    const isKnown = environments.includes(environment) && (message.watched || Array.isArray(message.lines))
    return isKnown ? message : undefined
  } catch {
    return undefined
  }
}

/** As few messages as hold the lines; a line that fills one alone goes without what was sent and answered. */
export function packLines(environment: Environment, lines: RequestLine[], dropped: number): string[] {
  const messages: string[] = []
  let batch: RequestLine[] = []
  const write = (of: RequestLine[], count: number) =>
    JSON.stringify({ environment, lines: of, dropped: count } satisfies Message)
  const fits = (of: RequestLine[]) => Buffer.byteLength(write(of, dropped)) <= longestMessage
  for (const line of lines) {
    const sized = fits([line]) ? line : { ...line, path: line.path.slice(0, 500), body: null, answer: null }
    if (batch.length > 0 && !fits([...batch, sized])) {
      messages.push(write(batch, 0))
      batch = []
    }
    batch.push(sized)
  }
  if (batch.length > 0 || dropped > 0) messages.push(write(batch, dropped))
  return messages
}
