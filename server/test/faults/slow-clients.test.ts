// Clients that send slowly, or nothing: cut within fifteen seconds, while everybody else is served, the merely leisurely too.
import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { startTestService, type TestService } from '../service.ts'

let service: TestService
before(async () => {
  service = await startTestService()
})
after(() => service.close())

type Cut = { afterMs: number; text: string }

/** Sends what it is given at once and the rest a byte at a time, until it is cut. */
function dribble(atOnce: string, rest: string): Promise<Cut> {
  let startedAt = Date.now()
  const socket = connect(Number(new URL(service.urls[0] as string).port), '127.0.0.1')
  let text = ''
  let sent = 0
  // The system lets so many in one after the other.
  socket.on('connect', () => {
    startedAt = Date.now()
  })
  socket.on('data', (chunk) => {
    text += chunk
  })
  socket.on('error', () => {})
  socket.write(atOnce)
  const timer = setInterval(() => {
    if (sent < rest.length && socket.writable) socket.write(rest[sent++] as string)
  }, 300)
  return new Promise((resolve) =>
    socket.on('close', () => {
      clearInterval(timer)
      resolve({ afterMs: Date.now() - startedAt, text })
    }),
  )
}

const repeat = <T>(length: number, make: () => T): T[] => Array.from({ length }, make)

describe('slow clients', () => {
  it('are cut within 15 s, a thousand of them, in the head, in the body or before the first byte, and others notice nothing', async () => {
    const key = `x-api-key: ${service.keys.test}\r\n`
    const begin = (length: number) =>
      `POST /v1/customers HTTP/1.1\r\nhost: x\r\nconnection: close\r\n${key}content-type: application/json\r\ncontent-length: ${length}\r\n\r\n`
    // Takes more than the five seconds in which requests are answered, and not the ten in which they must arrive.
    const inTime = '{"customerId":"inTime"}'
    const late = dribble(begin(inTime.length), inTime)
    const kinds: Record<string, Promise<Cut>[]> = {
      head: repeat(400, () => dribble('GET /v1/features HTTP/1.1\r\n', 'x-slow: '.padEnd(500, 'y'))),
      body: repeat(300, () => dribble(begin(500), '{"customerId":"slow"'.padEnd(499, ' '))),
      nothing: repeat(300, () => dribble('', '')),
    }
    let done = false
    const all = Promise.all(Object.values(kinds).map((cuts) => Promise.all(cuts))).then((cuts) => {
      done = true
      return cuts
    })
    let slowestMs = 0
    while (!done) {
      const askedAt = Date.now()
      assert.equal((await service.request('GET', '/v1/features')).status, 200)
      slowestMs = Math.max(slowestMs, Date.now() - askedAt)
      await Promise.race([all, new Promise((resolve) => setTimeout(resolve, 100))])
    }
    await all
    for (const [kind, cuts] of Object.entries(kinds)) {
      for (const { afterMs, text } of await Promise.all(cuts)) {
        assert.ok(afterMs <= 15_500, `${kind}: cut after ${afterMs} ms`)
        assert.doesNotMatch(text, /^HTTP\/1\.1 2/)
        if (text !== '')
          assert.match(text, /^HTTP\/1\.1 408 [\s\S]*x-request-id: req_[\s\S]*\{"error":"[^"]+"\}$/)
      }
    }
    assert.ok(slowestMs < 2_000, `another caller waited ${slowestMs} ms`)
    assert.match((await late).text, /^HTTP\/1\.1 201 /)
    assert.equal((await service.request('GET', '/v1/customers/slow')).body, null)
  })

  it('that do not speak HTTP, or too much of it, are answered in the one shape of errors', async () => {
    const junk = await dribble('\u0001\u0002 hello\r\n\r\n', '')
    assert.match(junk.text, /^HTTP\/1\.1 400 [\s\S]*x-error-code: bad_http[\s\S]*\{"error":"[^"]+"\}$/)
    const large = await dribble(`GET / HTTP/1.1\r\nhost: x\r\nx-large: ${'y'.repeat(100_000)}\r\n\r\n`, '')
    assert.match(
      large.text,
      /^HTTP\/1\.1 431 [\s\S]*x-error-code: headers_too_large[\s\S]*\{"error":"[^"]+"\}$/,
    )
  })
})
