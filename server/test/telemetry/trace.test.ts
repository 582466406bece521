// traceparent: read as the W3C has it, told in every line of the request's log, and passed on to the payment provider.
import assert from 'node:assert/strict'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { ClientRequest } from 'node:http'
import { describe, it } from 'node:test'
import { readTrace } from '../../src/telemetry/trace.ts'
import { startTestService } from '../service.ts'

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const traceparent = `00-${traceId}-00f067aa0ba902b7-01`

describe('readTrace', () => {
  it('takes what is well formed, of later versions too', () => {
    assert.deepEqual(readTrace(traceparent), { traceparent, traceId })
    assert.equal(readTrace(`cc-${traceId}-00f067aa0ba902b7-01-more`)?.traceId, traceId)
  })

  const malformed = [
    undefined,
    '',
    'x',
    ['00', traceId],
    traceparent.toUpperCase(),
    `${traceparent}-more`,
    `ff-${traceId}-00f067aa0ba902b7-01`,
    `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`,
    `00-${traceId}-${'0'.repeat(16)}-01`,
    `00-${traceId}-00f067aa0ba902b7`,
    `00-${traceId}-00f067aa0ba902b7-01\r\nx: y`,
    `cc-${traceId}-00f067aa0ba902b7-01-${'x'.repeat(1000)}`,
  ]
  for (const header of malformed)
    it(`ignores ${JSON.stringify(header)?.slice(0, 80)}`, () => assert.equal(readTrace(header), undefined))
})

describe('a request with a trace', () => {
  it('tells the provider of it, and only its own calls do', async () => {
    const service = await startTestService()
    const sent: unknown[] = []
    const note = (message: unknown) => {
      const { request } = message as { request: ClientRequest }
      if (request.path.startsWith('/v1/products?')) sent.push(request.getHeader('traceparent'))
    }
    subscribe('http.client.request.start', note)
    try {
      for (const headers of [{ traceparent }, {}, { traceparent: 'nonsense' }] as Record<string, string>[]) {
        const { status } = await service.request('POST', '/v1/products/sync', { headers })
        assert.equal(status, 200)
      }
      // The test's own requests go to /v1/products/sync; these are the provider's.
      assert.deepEqual(new Set(sent.slice(0, 1)), new Set([traceparent]))
      assert.deepEqual(new Set(sent.slice(1)), new Set([undefined]))
      assert.ok(sent.length >= 3)
    } finally {
      unsubscribe('http.client.request.start', note)
      await service.close()
    }
  })

  it('has the trace in its lines of the log, beside what a person looks for', async () => {
    const lines: string[] = []
    const write = process.stderr.write
    process.stderr.write = ((text: string) => lines.push(String(text)) > 0) as typeof write
    try {
      const service = await startTestService({ variables: { LOG_LEVEL: 'debug' } })
      await service.request('GET', '/v1/features/absent', { headers: { traceparent } })
      await service.request('GET', '/v1/features', { headers: { traceparent: 'nonsense' } })
      await service.close()
    } finally {
      process.stderr.write = write
    }
    const answered = lines
      .flatMap((text) => text.trim().split('\n'))
      .filter((line) => line.includes('"msg":"answered"'))
      .map((line) => JSON.parse(line))
    const missed = answered.find(({ route }) => route === '/v1/features/:featureKey')
    assert.deepEqual(
      [missed.traceId, missed.method, missed.status, missed.code],
      [traceId, 'GET', 404, 'feature_not_found'],
    )
    assert.match(missed.reqId, /^req_/)
    assert.equal(answered.find(({ route }) => route === '/v1/features').traceId, undefined)
  })
})
