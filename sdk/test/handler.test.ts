// The handler for browsers: one's own customer and nobody else's, by GET alone, never cached, and never a word of the key.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Tollkeeper } from '../src/sdk.ts'
import { answer, apiKey, createFetchFixture, failure, type Step } from './fetch-fixture.ts'

type Options = Parameters<Tollkeeper['handler']>[0]

function createHandlerFixture(steps: Step[], options: Partial<Options> = {}) {
  const { fetch, sent } = createFetchFixture(steps)
  const tk = new Tollkeeper({ apiKey, baseUrl: 'http://service.test', fetch, retries: 0 })
  const handle = tk.handler({ identify: (request) => request.headers.get('x-session'), ...options })
  const get = (query = '', init: RequestInit = {}) =>
    handle(new Request(`http://app.test/access${query}`, { headers: { 'x-session': 'acme' }, ...init }))
  return { get, sent }
}

const map = { calls: { hasAccess: true, type: 'limit', limit: 3 } }

describe('the handler', () => {
  it('answers the whole map of who is signed in', async () => {
    const { get, sent } = createHandlerFixture([answer(200, map)])
    const response = await get()
    assert.deepEqual([response.status, await response.json()], [200, map])
    assert.equal(new URL(sent[0]?.url ?? '').searchParams.get('customerId'), 'acme')
  })

  it('answers a check of one feature', async () => {
    const { get, sent } = createHandlerFixture([
      answer(200, { allowed: true, hasAccess: true, type: 'limit' }),
    ])
    assert.equal((await (await get('?featureKey=calls&amount=2.5')).json()).allowed, true)
    assert.equal(sent[0]?.url, 'http://service.test/v1/check?customerId=acme&featureKey=calls&amount=2.5')
  })

  it('asks for no other customer, whatever the address says', async () => {
    const queries = [
      '?customerId=other',
      '?featureKey=calls&customerId=other',
      '?featureKey=calls%26customerId%3Dother',
      '?customerId=other&customerId=third',
      '?featureKey=calls&amount=1%26customerId=other',
    ]
    for (const query of queries) {
      const { get, sent } = createHandlerFixture([answer(200, {})])
      await get(query)
      for (const { url } of sent)
        assert.deepEqual(new URL(url).searchParams.getAll('customerId'), ['acme'], query)
    }
  })

  it('answers nobody who is not identified, and does not ask the service', async () => {
    for (const identity of [null, undefined, '', 7 as unknown as string]) {
      const { get, sent } = createHandlerFixture([], { identify: async () => identity })
      assert.equal((await get()).status, 401)
      assert.equal(sent.length, 0)
    }
  })

  it('answers GET alone', async () => {
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'HEAD']) {
      const { get, sent } = createHandlerFixture([])
      const response = await get('', { method, headers: { 'x-session': 'acme' } })
      assert.deepEqual([response.status, response.headers.get('allow')], [405, 'GET'])
      assert.equal(sent.length, 0)
    }
  })

  it('is never cached, whatever it answers', async () => {
    const { get } = createHandlerFixture([answer(200, map), failure(404, 'customer_not_found')])
    const responses = [
      await get(),
      await get(),
      await get('', { method: 'POST' }),
      await get('?featureKey=a&amount=x'),
    ]
    assert.deepEqual(
      responses.map(({ status }) => status),
      [200, 404, 405, 400],
    )
    for (const { headers } of responses) assert.equal(headers.get('cache-control'), 'no-store')
  })

  it('lets no other origin in unless it is listed', async () => {
    const headers = { 'x-session': 'acme', origin: 'https://app.test' }
    const closed = await createHandlerFixture([answer(200, map)]).get('', { headers })
    assert.equal(closed.headers.get('access-control-allow-origin'), null)
    const allowedOrigins = ['https://app.test']
    const open = createHandlerFixture([answer(200, map), answer(200, map)], { allowedOrigins })
    const listed = await open.get('', { headers })
    assert.equal(listed.headers.get('access-control-allow-origin'), 'https://app.test')
    assert.equal(listed.headers.get('vary'), 'Origin')
    const other = await open.get('', { headers: { ...headers, origin: 'https://evil.test' } })
    assert.equal(other.headers.get('access-control-allow-origin'), null)
    const asked = await open.get('', { method: 'OPTIONS', headers })
    assert.deepEqual([asked.status, asked.headers.get('access-control-allow-methods')], [204, 'GET'])
    for (const origin of ['*', 'https://*.app.test/x', 'app.test'])
      assert.throws(() => createHandlerFixture([], { allowedOrigins: [origin] }), { code: 'invalid_options' })
  })

  it('says nothing of what went wrong behind it, but tells its owner', async () => {
    const told: unknown[] = []
    const { get } = createHandlerFixture(
      [failure(401, 'unauthorized'), new Error(`secret ${apiKey}`), failure(500, 'internal_error')],
      { onError: (error) => told.push(error) },
    )
    for (let index = 0; index < 3; index++) {
      const response = await get()
      const text = await response.text()
      assert.equal(response.status, 502)
      assert.doesNotMatch(text, /secret|tk_test|unauthorized|It failed/)
    }
    assert.equal(told.length, 3)
  })
})
