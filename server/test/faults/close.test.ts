// Closing: what is under way is answered, what comes later is turned away, and nothing is left open.
import assert from 'node:assert/strict'
import { connect, type Socket } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startTestService, type TestService } from '../service.ts'

let service: TestService
before(async () => {
  service = await startTestService({ instances: 2 })
})
after(() => service.close())

function open(instance: number): { socket: Socket; text(): string; closed: Promise<void> } {
  const socket = connect(Number(new URL(service.urls[instance] as string).port), '127.0.0.1')
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk
  })
  socket.on('error', () => {})
  return { socket, text: () => text, closed: new Promise((resolve) => socket.on('close', () => resolve())) }
}

async function until(isTrue: () => boolean): Promise<void> {
  const deadlineAt = Date.now() + 10_000
  while (!isTrue()) {
    assert.ok(Date.now() < deadlineAt, `not within 10 s: ${isTrue}`)
    await sleep(10)
  }
}

/** With a body to come the server says 100 as soon as the head has arrived. */
const head = (method: string, path: string, length = 0) =>
  `${method} ${path} HTTP/1.1\r\nhost: x\r\nx-api-key: ${service.keys.test}\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n${length > 0 ? 'expect: 100-continue\r\n' : ''}\r\n`

describe('closing an instance', () => {
  it('answers what is under way, ends idle connections, and takes no new ones', async () => {
    const idle = open(0)
    idle.socket.write(head('GET', '/v1/features'))
    const body = JSON.stringify({ customerId: 'in-flight' })
    const busy = open(0)
    busy.socket.write(`${head('POST', '/v1/customers', body.length)}${body.slice(0, 3)}`)
    await until(() => /^HTTP\/1\.1 200 /.test(idle.text()) && /^HTTP\/1\.1 100 /.test(busy.text()))

    const startedAt = Date.now()
    const closing = service.instances[0]?.close()
    await idle.closed
    const late = open(0)
    late.socket.write(head('GET', '/v1/features'))
    await late.closed
    assert.doesNotMatch(late.text(), /^HTTP\/1\.1 2/)
    busy.socket.write(body.slice(3))
    await busy.closed
    assert.match(busy.text(), /HTTP\/1\.1 201 /)
    await closing
    assert.ok(Date.now() - startedAt < 5_000, 'nothing waits for a time-out')
  })

  it('leaves the other instances and what was written alone', async () => {
    const { status, body } = await service.request('GET', '/v1/customers/in-flight', { instance: 1 })
    assert.deepEqual([status, body.customerId], [200, 'in-flight'])
  })
})
