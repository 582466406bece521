// The end of a process: what its buffer holds is sent first, whether it ends by itself or is told to.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'

const source = (file: string) => JSON.stringify(join(import.meta.dirname, '../src', file))
let arrived: string[] = []
const server = createServer((request, response) => {
  let text = ''
  request.on('data', (chunk) => {
    text += chunk
  })
  request.on('end', () => {
    const { events } = JSON.parse(text) as { events: { eventKey: string }[] }
    arrived.push(...events.map(({ eventKey }) => eventKey))
    const results = events.map(() => ({ success: true, result: { applied: true, used: 1 } }))
    response.end(JSON.stringify({ results, hasErrors: false }))
  })
})
before(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)))
after(() => server.close())

/** A process with one event in its buffer, which would wait an hour for others. */
function startProcess(then: string): ChildProcess {
  arrived = []
  const { port } = server.address() as { port: number }
  const program = `
    import { Tollkeeper } from ${source('sdk.ts')}
    import { closeOnExit } from ${source('node.ts')}
    const tk = new Tollkeeper({ apiKey: 'tk_test_x', baseUrl: 'http://127.0.0.1:${port}' })
    const buffer = tk.buffer({ flushIntervalMs: 3_600_000 })
    closeOnExit(buffer)
    await buffer.track('acme', 'calls', 1, { eventKey: 'last' })
    ${then}`
  return spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}

const ended = (child: ChildProcess) =>
  new Promise<unknown[]>((resolve) => child.once('exit', (code, signal) => resolve([code, signal])))

describe('closeOnExit', () => {
  it('sends when the process has nothing more to do, and does not keep it alive', async () => {
    assert.deepEqual(await ended(startProcess('')), [0, null])
    assert.deepEqual(arrived, ['last'])
  })

  it('sends when the process is told to stop, and then lets the signal end it', async () => {
    const child = startProcess(`setInterval(() => {}, 1000); console.log('ready')`)
    child.stdout?.once('data', () => child.kill('SIGTERM'))
    assert.deepEqual(await ended(child), [null, 'SIGTERM'])
    assert.deepEqual(arrived, ['last'])
  })
})
