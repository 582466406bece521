// What a client is made with, checked once.
import { TollkeeperError } from './errors.ts'

export type Fetch = (input: string, init: RequestInit) => Promise<Response>

export type TollkeeperOptions = {
  /** `tk_test_…` or `tk_live_…`: it decides the environment. Keep it on your servers. */
  apiKey: string
  /** Where the service is: `https://tollkeeper.example.com`. */
  baseUrl: string
  /** How long one try may take: 10,000 unless given. */
  timeoutMs?: number | undefined
  /** How many times a failed call is tried again: 3 unless given, at most 10. */
  retries?: number | undefined
  /** Instead of the global `fetch`. */
  fetch?: Fetch | undefined
}

/** For one call. */
export type CallOptions = {
  /** Ends the call, its waits and its retries; it then throws the signal's reason. */
  signal?: AbortSignal | undefined
  /** How long one try may take, instead of the client's. */
  timeoutMs?: number | undefined
  /** How many times to try again, instead of the client's. */
  retries?: number | undefined
}

export type Settings = {
  apiKey: string
  baseUrl: string
  timeoutMs: number
  retries: number
  fetch: Fetch
}

const mostRetries = 10
// The longest that timers can wait.
const longestTimeoutMs = 2 ** 31 - 1

export function readOptions(options: TollkeeperOptions): Settings {
  const { apiKey, baseUrl, timeoutMs = 10_000, retries = 3 } = options
  // Said without the value: it may be a key with a line break at its end.
  if (typeof apiKey !== 'string' || !/^[\x21-\x7e]{1,500}$/.test(apiKey))
    throw invalidOption('apiKey must be the text of a key, without spaces or line breaks.')
  checkCallOptions({ timeoutMs, retries })
  const own = options.fetch
  if (typeof (own ?? globalThis.fetch) !== 'function')
    throw invalidOption('fetch must be given where there is no global one.')
  // Called as a plain function: a method of another object would be refused by browsers and edge runtimes. The global one is
  // looked up at each call, so that what replaces it later, as tools for tests do, is used.
  const send: Fetch = own ? (url, init) => own(url, init) : (url, init) => globalThis.fetch(url, init)
  return { apiKey, baseUrl: readBaseUrl(baseUrl), timeoutMs, retries, fetch: send }
}

export function checkCallOptions({ timeoutMs, retries }: Pick<CallOptions, 'timeoutMs' | 'retries'>): void {
  if (timeoutMs !== undefined && !(timeoutMs > 0 && timeoutMs <= longestTimeoutMs))
    throw invalidOption('timeoutMs must be above 0.')
  if (retries !== undefined && !(Number.isInteger(retries) && retries >= 0 && retries <= mostRetries))
    throw invalidOption(`retries must be a whole number from 0 to ${mostRetries}.`)
}

function readBaseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash)
    throw invalidOption('baseUrl must be an http or https address without user, query or fragment.')
  return url.href.replace(/\/+$/, '')
}

export const invalidOption = (message: string) =>
  new TollkeeperError(message, { status: 0, code: 'invalid_options' })
