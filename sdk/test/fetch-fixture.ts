// A fetch that answers from a list, and remembers what it was asked.
import { createCall } from '../src/call.ts'
import { readOptions, type TollkeeperOptions } from '../src/options.ts'

export type Sent = { url: string; method: string; headers: Record<string, string>; body: unknown }
export type Step = Response | Error | ((sent: Sent, signal: AbortSignal) => Response | Promise<Response>)

export const apiKey = 'tk_test_0123456789abcdefghij'

export const answer = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), { status, headers: { 'x-request-id': 'request-1', ...headers } })

export const failure = (status: number, code: string, headers: Record<string, string> = {}) =>
  answer(status, { error: `It failed with ${code}.` }, { 'x-error-code': code, ...headers })

export function createFetchFixture(steps: Step[]) {
  const sent: Sent[] = []
  const fetch: NonNullable<TollkeeperOptions['fetch']> = async (url, init) => {
    const body = typeof init.body === 'string' ? JSON.parse(init.body) : undefined
    const request = {
      url,
      method: String(init.method),
      headers: init.headers as Record<string, string>,
      body,
    }
    sent.push(request)
    const step = steps.shift()
    if (step === undefined) throw new Error('Nothing more was expected to be sent.')
    if (step instanceof Error) throw step
    return step instanceof Response ? step : step(request, init.signal as AbortSignal)
  }
  return { fetch, sent }
}

/** A call whose waits are written down instead of waited for, with the longest jitter there can be. */
export function createCallFixture(steps: Step[], options: Partial<TollkeeperOptions> = {}) {
  const { fetch, sent } = createFetchFixture(steps)
  const waits: number[] = []
  const settings = readOptions({ apiKey, baseUrl: 'http://service.test/base/', fetch, ...options })
  const sleep = async (delayMs: number) => {
    waits.push(delayMs)
  }
  return { call: createCall(settings, { random: () => 1, sleep }), sent, waits }
}
