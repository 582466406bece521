// One call: what is sent, when it is tried again, how it ends, and that the key stays out of sight.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { inspect } from 'node:util'
import { TollkeeperError } from '../src/errors.ts'
import { readOptions } from '../src/options.ts'
import { computeDelayMs, readRetryAfterMs, sleep } from '../src/retry.ts'
import { Tollkeeper } from '../src/sdk.ts'
import { answer, apiKey, createCallFixture, createFetchFixture, failure } from './fetch-fixture.ts'

const networkFault = () => Object.assign(new TypeError('fetch failed'), { cause: { code: 'ECONNRESET' } })
const unsentFault = () => Object.assign(new TypeError('fetch failed'), { cause: { code: 'ECONNREFUSED' } })
const usage = { body: { customerId: 'acme', featureKey: 'calls', eventKey: 'e1' } }
const recorded = { applied: true, used: 1, eventId: 'x' }
const caught = (error: unknown) => {
  assert(error instanceof TollkeeperError)
  return error
}

describe('what is sent', () => {
  it('is the path with its parts encoded, the query, the key and the body', async () => {
    const { call, sent } = createCallFixture([answer(200, {}), answer(200, {})])
    await call('PUT /v1/customers/{customerId}', { path: { customerId: 'auth0|4/2 ü' }, body: { name: 'A' } })
    await call('GET /v1/check', { query: { customerId: 'a&b', featureKey: 'x', amount: 0.5 } })
    assert.equal(sent[0]?.url, 'http://service.test/base/v1/customers/auth0%7C4%2F2%20%C3%BC')
    assert.deepEqual([sent[0]?.method, sent[0]?.body], ['PUT', { name: 'A' }])
    assert.equal(sent[0]?.headers['x-api-key'], apiKey)
    assert.equal(sent[1]?.url, 'http://service.test/base/v1/check?customerId=a%26b&featureKey=x&amount=0.5')
    assert.equal(sent[1]?.headers['content-type'], undefined)
  })

  it('is never another path than was meant', async () => {
    const { call, sent } = createCallFixture([])
    for (const customerId of ['', '.', '..', undefined as unknown as string])
      await assert.rejects(call('DELETE /v1/customers/{customerId}', { path: { customerId } }), {
        code: 'invalid_request',
      })
    assert.equal(sent.length, 0)
  })
})

describe('another try', () => {
  it('follows network faults, 429 and 502 to 504, with growing waits and the very same body', async () => {
    const { call, sent, waits } = createCallFixture(
      [networkFault(), failure(502, 'a'), failure(503, 'b'), failure(504, 'c'), answer(200, recorded)],
      { retries: 4 },
    )
    const result = await call('POST /v1/usage', usage, { isRepeatable: true })
    assert.deepEqual(result, { answer: recorded, tries: 5 })
    assert.deepEqual(waits, [200, 400, 800, 1600])
    for (const each of sent) assert.deepEqual(each, sent[0])
  })

  it('waits at least as long as Retry-After says', async () => {
    const { call, waits } = createCallFixture([
      failure(429, 'rate_limited', { 'retry-after': '7' }),
      answer(200, recorded),
    ])
    await call('POST /v1/usage', usage)
    assert.deepEqual(waits, [7200])
  })

  it('is not made when the service asks for more than a minute: the caller hears how long', async () => {
    const { call } = createCallFixture([failure(429, 'rate_limited', { 'retry-after': '61' })])
    await assert.rejects(call('POST /v1/usage', usage), { status: 429, retryAfterMs: 61_000 })
  })

  for (const status of [400, 401, 403, 404, 409, 413, 415, 422, 500, 501])
    it(`does not follow ${status}`, async () => {
      const { call, sent } = createCallFixture([failure(status, 'no')])
      await assert.rejects(call('POST /v1/usage', usage, { isRepeatable: true }), { status, code: 'no' })
      assert.equal(sent.length, 1)
    })

  it('ends with the last failure when there are no more retries', async () => {
    const { call, sent } = createCallFixture([failure(503, 'a'), failure(503, 'b')], { retries: 1 })
    await assert.rejects(call('GET /v1/test-clock', {}), { code: 'b' })
    assert.equal(sent.length, 2)
  })

  it('is made for what must not be done twice only if the service cannot have done it', async () => {
    const body = { featureKey: 'a', name: 'A', type: 'limit' as const }
    for (const step of [networkFault(), failure(502, 'x'), failure(503, 'x')]) {
      const { call, sent } = createCallFixture([step])
      await assert.rejects(call('POST /v1/features', { body }))
      assert.equal(sent.length, 1)
    }
    const { call, sent } = createCallFixture([unsentFault(), failure(429, 'x'), answer(201, {})])
    await call('POST /v1/features', { body })
    assert.equal(sent.length, 3)
  })

  it('of a track without event key sends the key of the first, and what that applied is told as applied', async () => {
    const duplicate = answer(200, { applied: false, reason: 'duplicate_event', used: 3, eventId: 'x' })
    const { fetch, sent } = createFetchFixture([failure(503, 'busy'), duplicate])
    const tk = new Tollkeeper({ apiKey, baseUrl: 'http://service.test', fetch })
    assert.deepEqual(await tk.track('acme', 'calls', 3), { applied: true, used: 3, eventId: 'x' })
    const keys = sent.map(({ body }) => (body as { eventKey: string }).eventKey)
    assert.match(keys[0] ?? '', /^[0-9a-f-]{36}$/)
    assert.equal(keys[0], keys[1])
  })

  it('of a track with an event key of the caller tells a duplicate as it is', async () => {
    const duplicate = { applied: false, reason: 'duplicate_event', used: 3, eventId: 'x' }
    const { fetch } = createFetchFixture([failure(503, 'busy'), answer(200, duplicate)])
    const tk = new Tollkeeper({ apiKey, baseUrl: 'http://service.test', fetch })
    assert.deepEqual(await tk.track('acme', 'calls', 3, { eventKey: 'mine' }), duplicate)
  })
})

describe('the waits between tries', () => {
  it('lie anywhere between nothing and a bound that doubles up to 8 seconds', () => {
    assert.equal(
      computeDelayMs(3, undefined, () => 0),
      0,
    )
    assert.equal(
      computeDelayMs(3, undefined, () => 0.5),
      400,
    )
    assert.equal(
      computeDelayMs(30, undefined, () => 1),
      8000,
    )
  })

  it('read Retry-After as seconds or as a date, and nothing else', () => {
    const now = Date.parse('2026-01-01T00:00:00Z')
    assert.equal(readRetryAfterMs('3', now), 3000)
    assert.equal(readRetryAfterMs('Thu, 01 Jan 2026 00:00:05 GMT', now), 5000)
    assert.equal(readRetryAfterMs('Thu, 01 Jan 2025 00:00:05 GMT', now), 0)
    assert.equal(readRetryAfterMs('soon', now), undefined)
    assert.equal(readRetryAfterMs(null, now), undefined)
  })

  it('end at once when the signal does', async () => {
    const controller = new AbortController()
    const waiting = sleep(60_000, controller.signal)
    controller.abort(new Error('enough'))
    await assert.rejects(waiting, { message: 'enough' })
    await assert.rejects(sleep(60_000, controller.signal), { message: 'enough' })
  })
})

describe('the end of a call', () => {
  const never = (_: unknown, signal: AbortSignal) =>
    new Promise<Response>((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason))
    })

  it('comes with the time-out of a try, which counts as a fault of the network', async () => {
    const { call, sent } = createCallFixture([never, never], { retries: 1 })
    await assert.rejects(call('GET /v1/test-clock', {}, { timeoutMs: 5 }), { status: 0, code: 'timeout' })
    assert.equal(sent.length, 2)
  })

  it('comes with the signal, with its reason and without another try', async () => {
    const controller = new AbortController()
    const { call, sent } = createCallFixture([never])
    const calling = call('GET /v1/test-clock', {}, { signal: controller.signal })
    controller.abort(new Error('the page was closed'))
    await assert.rejects(calling, { message: 'the page was closed' })
    await assert.rejects(call('GET /v1/test-clock', {}, { signal: controller.signal }))
    assert.equal(sent.length, 1)
  })

  it('is an error with status, code, request id and the sentence of the service', async () => {
    const { call } = createCallFixture([failure(404, 'customer_not_found')])
    const error = caught(await call('GET /v1/feature-access', { query: { customerId: 'x' } }).catch((e) => e))
    assert.deepEqual(
      { ...error, message: error.message },
      {
        name: 'TollkeeperError',
        status: 404,
        code: 'customer_not_found',
        requestId: 'request-1',
        retryAfterMs: undefined,
        message: 'It failed with customer_not_found.',
      },
    )
  })

  it('is an error where something else answers, and a redirect is not followed', async () => {
    const page = () => new Response('<html>', { status: 200 })
    const redirect = () => new Response(null, { status: 302, headers: { location: 'http://elsewhere.test' } })
    const { call } = createCallFixture([page(), redirect(), new Response('<html>', { status: 418 })])
    await assert.rejects(call('GET /v1/test-clock', {}), { code: 'unreadable_answer', status: 200 })
    await assert.rejects(call('GET /v1/test-clock', {}), { code: 'unreadable_answer', status: 302 })
    await assert.rejects(call('GET /v1/test-clock', {}), { code: 'http_418', status: 418 })
  })
})

describe('the key', () => {
  it('is in no error, whatever fetch says, and in no print of the client', async () => {
    const cause = new Error(`inner ${apiKey}`)
    const { call } = createCallFixture([Object.assign(new Error(`bad header ${apiKey}`), { cause })], {
      retries: 0,
    })
    const error = caught(await call('GET /v1/test-clock', {}).catch((e) => e))
    assert.match(error.message, /bad header \[api key\]/)
    const tk = new Tollkeeper({ apiKey, baseUrl: 'http://service.test' })
    const prints = [
      inspect(error, { depth: 9, showHidden: true }),
      inspect(tk, { depth: 9, showHidden: true }),
    ]
    for (const print of [...prints, JSON.stringify(tk), String(error.stack)])
      assert.ok(!print.includes(apiKey.slice(8)), print)
  })

  it('that cannot be a header is refused without being shown', () => {
    for (const key of [`${apiKey}\n`, '', 'a b', undefined as unknown as string]) {
      const error = caught(tryTo(() => readOptions({ apiKey: key, baseUrl: 'http://service.test' })))
      assert.equal(error.code, 'invalid_options')
      assert.ok(!error.message.includes(apiKey))
    }
  })

  it('goes nowhere but to an http address without credentials', () => {
    for (const baseUrl of ['service.test', 'ftp://x.test', 'http://u:p@x.test', 'http://x.test?a=1', ''])
      assert.equal(caught(tryTo(() => readOptions({ apiKey, baseUrl }))).code, 'invalid_options', baseUrl)
  })
})

function tryTo(work: () => unknown): unknown {
  try {
    return work()
  } catch (error) {
    return error
  }
}
