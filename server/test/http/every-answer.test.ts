// What every answer carries, however odd the request: x-request-id, and the windows of a valid key.
import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, before, describe, it } from 'node:test'
import { startTestService, type TestService } from '../service.ts'

let service: TestService
let key: string
before(async () => {
  service = await startTestService({ limits: { all: 1000, write: 500 } })
  key = service.keys.test
})
after(() => service.close())

/** Sends these lines as they are; the answer as its status line, headers and body. */
async function send(...lines: string[]) {
  const { hostname, port } = new URL(service.urls[0] as string)
  const socket = connect(Number(port), hostname)
  socket.write(`${lines.join('\r\n')}\r\nConnection: close\r\n\r\n`)
  const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n')
  const [first = '', ...rest] = head.split('\r\n')
  const headers = Object.fromEntries(
    rest.map((line) => {
      const colon = line.indexOf(': ')
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 2)]
    }),
  )
  return { status: Number(first.split(' ')[1]), headers, body }
}

const host = 'Host: localhost'
const apiKey = () => `x-api-key: ${key}`

function assertTold({ headers, body }: Awaited<ReturnType<typeof send>>, code: string): void {
  assert.match(headers['x-request-id'] ?? '', /^req_/)
  assert.equal(headers['x-error-code'], code)
  assert.match(headers.ratelimit ?? '', /^"all";r=\d+/)
  assert.deepEqual(Object.keys(JSON.parse(body)), ['error'])
}

describe('every answer', () => {
  it('400: HTTP/1.1 without a host; HTTP/1.0 needs none', async () => {
    const answer = await send('GET /v1/features HTTP/1.1', apiKey())
    assert.equal(answer.status, 400)
    assertTold(answer, 'missing_host')
    const unknown = await send('GET /v1/nothing HTTP/1.1')
    assert.deepEqual([unknown.status, 'ratelimit' in unknown.headers], [400, false])
    assert.equal((await send('GET /v1/features HTTP/1.0', apiKey())).status, 200)
  })

  it('is that of the request itself, though what follows it is no HTTP', async () => {
    const made = await service.request('POST', '/v1/features', {
      body: { featureKey: 'short_lived', name: 'Short-lived', type: 'boolean' },
    })
    assert.equal(made.status, 201)
    const { hostname, port } = new URL(service.urls[0] as string)
    const socket = connect(Number(port), hostname)
    // A body without a length: to a server these bytes are the next request.
    socket.write(`DELETE /v1/features/short_lived HTTP/1.1\r\n${host}\r\n${apiKey()}\r\n\r\n{}`)
    assert.match(await text(socket), /^HTTP\/1\.1 200 /)
    assert.equal((await service.request('GET', '/v1/features/short_lived')).status, 404)
  })

  it('417: an expectation other than 100-continue', async () => {
    const answer = await send('GET /v1/features HTTP/1.1', host, apiKey(), 'Expect: foo')
    assert.equal(answer.status, 417)
    assertTold(answer, 'expectation_failed')
    const usual = await send('GET /v1/features HTTP/1.1', host, apiKey(), 'Expect: 100-Continue')
    assert.equal(usual.status, 100)
  })

  it('400: a path that cannot be decoded, or with too long a part', async () => {
    for (const path of ['/v1/features/%ff', `/v1/features/${'x'.repeat(2001)}`]) {
      const answer = await send(`GET ${path} HTTP/1.1`, host, apiKey())
      assert.equal(answer.status, 400)
      assertTold(answer, 'bad_path')
    }
  })

  it('405: any method that a path does not have, of the API and beside it', async () => {
    const allowed = { '/v1/features': 'POST, GET, HEAD', '/livez': 'GET, HEAD' }
    for (const [path, allow] of Object.entries({ ...allowed, '/provider/webhooks/test': 'POST' })) {
      for (const method of ['PROPFIND', 'QUERY', 'M-SEARCH', 'PATCH']) {
        const answer = await send(`${method} ${path} HTTP/1.1`, host, apiKey())
        assert.deepEqual(
          [answer.status, answer.headers.allow?.split(', ').sort()],
          [405, allow.split(', ').sort()],
        )
        assertTold(answer, 'method_not_allowed')
      }
    }
    assert.equal((await send('PROPFIND /v1/nothing HTTP/1.1', host, apiKey())).status, 404)
  })

  it('has an id on the simulator’s pages, too', async () => {
    for (const path of ['/simulator/nothing', '/docs', '/livez', '/nothing']) {
      const { headers } = await send(`GET ${path} HTTP/1.1`, host)
      assert.match(headers['x-request-id'] ?? '', /^req_/, path)
    }
  })
})
