// One call to the service: made once as a request, tried until it is answered or not worth trying again.
import { TollkeeperError } from './errors.ts'
import type { Operations, Route } from './generated/api.ts'
import { type CallOptions, checkCallOptions, type Settings } from './options.ts'
import { computeDelayMs, isWorthRetrying, readRetryAfterMs, sleep } from './retry.ts'

/** What a route takes: its path, query, header and body. */
export type CallInput<R extends Route> = Omit<Operations[R], 'answer'>

export type Answer<R extends Route> = Operations[R]['answer']

/** How often it was sent tells whether an answer may speak of an earlier try of the same call. */
export type Answered<R extends Route> = { answer: Answer<R>; tries: number }

/** Whether doing it again changes nothing more: then a try whose answer was lost is sent again. */
export type Repeatability = { isRepeatable?: boolean }

export type Call = <R extends Route>(
  route: R,
  input: CallInput<R>,
  options?: (CallOptions & Repeatability) | undefined,
) => Promise<Answered<R>>

type Chance = { random(): number; sleep(delayMs: number, signal: AbortSignal | undefined): Promise<void> }

type AnyInput = {
  path?: Record<string, string>
  query?: Record<string, unknown>
  header?: Record<string, string>
  body?: unknown
}

export function createCall(settings: Settings, chance: Chance = { random: Math.random, sleep }): Call {
  return async <R extends Route>(
    route: R,
    input: CallInput<R>,
    options: CallOptions & Repeatability = {},
  ): Promise<Answered<R>> => {
    checkCallOptions(options)
    const { signal, timeoutMs = settings.timeoutMs, retries = settings.retries } = options
    const { method, url, init } = buildRequest(settings, route, input as AnyInput)
    const isRepeatable = options.isRepeatable ?? (method === 'GET' || method === 'PUT')
    for (let tries = 1; ; tries++) {
      signal?.throwIfAborted()
      const result = await tryOnce(settings, url, init, timeoutMs, signal)
      if (!(result instanceof TollkeeperError)) return { answer: result.body as Answer<R>, tries }
      const { status, retryAfterMs } = result
      const failure = { status, retryAfterMs, isUnsent: isUnsent(result.cause) }
      if (tries > retries || !isWorthRetrying(failure, isRepeatable)) throw result
      await chance.sleep(computeDelayMs(tries, retryAfterMs, chance.random), signal)
    }
  }
}

function buildRequest({ apiKey, baseUrl }: Settings, route: Route, input: AnyInput) {
  const [method = '', template = ''] = route.split(' ')
  const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodePart(name, input.path?.[name]))
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(input.query ?? {}))
    if (value !== undefined) query.set(name, String(value))
  const headers: Record<string, string> = { 'x-api-key': apiKey, accept: 'application/json' }
  for (const [name, value] of Object.entries(input.header ?? {}))
    if (value !== undefined) headers[name.toLowerCase()] = value
  // Followed, a redirect would carry the key to wherever it points.
  const init: RequestInit = { method, headers, redirect: 'manual' }
  if (input.body !== undefined) {
    headers['content-type'] = 'application/json'
    init.body = JSON.stringify(input.body)
  }
  const search = query.size > 0 ? `?${query}` : ''
  return { method, url: `${baseUrl}${path}${search}`, init }
}

/** An empty part or a dot would make it another path: what it names then is not what the caller meant. */
function encodePart(name: string, value: unknown): string {
  if (typeof value === 'string' && !/^\.{0,2}$/.test(value)) return encodeURIComponent(value)
  const message = `${name} must be a text that is not empty, "." or "..".`
  throw new TollkeeperError(message, { status: 0, code: 'invalid_request' })
}

async function tryOnce(
  settings: Settings,
  url: string,
  init: RequestInit,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<{ body: unknown } | TollkeeperError> {
  const controller = new AbortController()
  const abort = () => controller.abort(signal?.reason)
  signal?.addEventListener('abort', abort, { once: true })
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    controller.abort()
  }, timeoutMs)
  try {
    const response = await settings.fetch(url, { ...init, signal: controller.signal })
    return readAnswer(response, await response.text())
  } catch (error) {
    if (signal?.aborted) throw signal.reason
    if (isLate) {
      const message = `The service did not answer within ${timeoutMs} ms.`
      return new TollkeeperError(message, { status: 0, code: 'timeout' })
    }
    const cause = withoutKey(error, settings.apiKey)
    const message = `The service could not be reached: ${cause.message}.`
    return new TollkeeperError(message, { status: 0, code: 'network_error', cause })
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', abort)
  }
}

function readAnswer(response: Response, text: string): { body: unknown } | TollkeeperError {
  const { status, headers } = response
  const requestId = headers.get('x-request-id') ?? undefined
  const body = parse(text)
  if (response.ok && body !== undefined) return { body }
  if (response.ok || status < 400) {
    const message = `What answered with status ${status} is not the service, or something between changed its answer.`
    return new TollkeeperError(message, { status, code: 'unreadable_answer', requestId })
  }
  const said = (body as { error?: unknown } | undefined | null)?.error
  const message = typeof said === 'string' ? said : `The service answered ${status} and did not say why.`
  const retryAfterMs = readRetryAfterMs(headers.get('retry-after'), Date.now())
  const code = headers.get('x-error-code') ?? `http_${status}`
  return new TollkeeperError(message, { status, code, requestId, retryAfterMs })
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const unsentCodes = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'])

/** Node names the reason in a cause; where nothing is said the request may have arrived. */
function isUnsent(cause: unknown): boolean {
  const { code, cause: inner } = (cause ?? {}) as { code?: unknown; cause?: { code?: unknown } }
  return unsentCodes.has(String(code)) || unsentCodes.has(String(inner?.code))
}

/** A fetch of the caller's own may put anything into its errors; ours must be fit for logs. */
function withoutKey(error: unknown, apiKey: string): Error & { code?: unknown } {
  const { message, code, cause } =
    error instanceof Error ? (error as ErrorWithCode) : { message: String(error) }
  const clean = new Error(String(message).replaceAll(apiKey, '[api key]')) as ErrorWithCode
  const reason = cause as ErrorWithCode | undefined
  const known = code ?? reason?.code
  if (known !== undefined) clean.code = String(known)
  if (reason?.message) clean.message += ` (${String(reason.message).replaceAll(apiKey, '[api key]')})`
  return clean
}

type ErrorWithCode = Error & { code?: unknown }
