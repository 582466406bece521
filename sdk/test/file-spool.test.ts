// The spool in a file: what was kept is there after any end of the process, and a torn last line harms nothing.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, beforeEach, describe, it } from 'node:test'
import { createBuffer } from '../src/buffer.ts'
import { createFileSpool } from '../src/node.ts'
import { TollkeeperError } from '../src/sdk.ts'

const folder = mkdtempSync(join(tmpdir(), 'tollkeeper-spool-'))
after(() => rmSync(folder, { recursive: true, force: true }))
let path = ''
let number = 0
beforeEach(() => {
  path = join(folder, `spool-${number++}`)
})

const event = (eventKey: string) => ({ customerId: 'acme', featureKey: 'calls', eventKey, amount: 1 })
const keysOf = (events: { eventKey?: string }[]) => events.map(({ eventKey }) => eventKey)

/** What a new process would find. */
async function recoverKeys(): Promise<unknown[]> {
  const spool = createFileSpool(path)
  const keys = keysOf(await spool.recover())
  await spool.close()
  return keys
}

describe('a spool in a file', () => {
  it('gives back what was appended and not removed, in order', async () => {
    const spool = createFileSpool(path)
    assert.deepEqual(await spool.recover(), [])
    await spool.append([event('a'), event('b')])
    await spool.append([event('c')])
    await spool.remove([event('b')])
    await spool.close()
    assert.deepEqual(await recoverKeys(), ['a', 'c'])
  })

  it('leaves an empty file when all is done, closed to others', async () => {
    const spool = createFileSpool(path)
    await spool.recover()
    await spool.append([event('a')])
    await spool.remove([event('a')])
    await spool.close()
    assert.equal(readFileSync(path, 'utf8'), '')
    assert.equal(statSync(path).mode & 0o077, 0)
  })

  it('survives a last line that was torn at any place', async () => {
    const line = `${JSON.stringify({ event: event('torn') })}\n`
    for (let length = 1; length < line.length; length += 7) {
      writeFileSync(path, `${JSON.stringify({ event: event('a') })}\n${line.slice(0, length)}`)
      assert.deepEqual(await recoverKeys(), ['a'])
      appendFileSync(path, line)
      assert.deepEqual(await recoverKeys(), ['a', 'torn'])
    }
  })

  it('leaves a file alone that is damaged elsewhere, and says which line', async () => {
    const damaged = `{"event":\n${JSON.stringify({ event: event('a') })}\n`
    writeFileSync(path, damaged)
    const spool = createFileSpool(path)
    await assert.rejects(spool.recover(), /line 1 of the spool/)
    await assert.rejects(spool.append([event('b')]), /not open/)
    await spool.close()
    assert.equal(readFileSync(path, 'utf8'), damaged)
  })

  it('belongs to one buffer at a time, but not to a process that has ended', async () => {
    const spool = createFileSpool(path)
    await spool.recover()
    await assert.rejects(createFileSpool(path).recover(), /held by another buffer/)
    await spool.close()
    writeFileSync(`${path}.lock`, '999999999')
    assert.deepEqual(await recoverKeys(), [])
  })

  it('stays whole when a write fails half way, as on a full disk, and goes on when there is room', async (t) => {
    const spool = createFileSpool(path)
    await spool.recover()
    await spool.append([event('a')])
    const handle = await open(`${path}.other`, 'w')
    const prototype: FileHandle = Object.getPrototypeOf(handle)
    await handle.close()
    const failing = t.mock.method(prototype, 'appendFile', async function (this: FileHandle, text: string) {
      await this.write(text.slice(0, text.length / 2))
      throw new Error('no space left')
    })
    await assert.rejects(spool.append([event('b')]), /no space left/)
    failing.mock.restore()
    await spool.append([event('c')])
    await spool.close()
    assert.deepEqual(await recoverKeys(), ['a', 'b', 'c'])
  })

  it('does not grow with what is done', async () => {
    const spool = createFileSpool(path)
    await spool.recover()
    for (let round = 0; round < 3; round++) {
      const events = Array.from({ length: 9_000 }, (_, index) => event(`${round}-${index}`))
      await spool.append(events)
      await spool.remove(events)
    }
    await spool.append([event('last')])
    const lines = readFileSync(path, 'utf8').split('\n').length
    assert.ok(lines < 20_000, `${lines} lines`)
    await spool.close()
    assert.deepEqual(await recoverKeys(), ['last'])
  })
})

describe('a buffer with a spool', () => {
  it('sends in the next process what it could not send in this one', async () => {
    const down = createBuffer(
      async () => {
        throw new TollkeeperError('no', { status: 0, code: 'network_error' })
      },
      { spool: createFileSpool(path) },
    )
    assert.equal(await down.track('acme', 'calls', 1, { eventKey: 'a' }), true)
    await down.close()
    const sent: unknown[] = []
    const up = createBuffer(
      async (events) => {
        sent.push(...keysOf(events))
        return {
          results: events.map(() => ({ success: true, result: { applied: true, used: 1 } })),
          hasErrors: false,
        }
      },
      { spool: createFileSpool(path) },
    )
    assert.equal(await up.flush(), 0)
    await up.close()
    assert.deepEqual(sent, ['a'])
    assert.deepEqual(await recoverKeys(), [])
  })

  it('tells of events that neither the service nor the spool could take', async () => {
    writeFileSync(path, 'damaged\n')
    const lost: unknown[] = []
    const errors: string[] = []
    const buffer = createBuffer(
      async () => {
        throw new TollkeeperError('no', { status: 0, code: 'network_error' })
      },
      {
        spool: createFileSpool(path),
        onLost: (events, reason) => lost.push(keysOf([...events]), reason),
        onError: ({ code }) => errors.push(code),
      },
    )
    assert.equal(await buffer.track('acme', 'calls', 1, { eventKey: 'a' }), false)
    await buffer.close()
    assert.deepEqual(lost, [['a'], 'spool_failed'])
    assert.deepEqual(errors, ['spool_failed', 'spool_failed', 'network_error'])
    assert.equal(readFileSync(path, 'utf8'), 'damaged\n')
  })

  it('keeps every event it confirmed when its process is killed', async () => {
    const program = `
      import { createBuffer } from ${JSON.stringify(join(import.meta.dirname, '../src/buffer.ts'))}
      import { createFileSpool } from ${JSON.stringify(join(import.meta.dirname, '../src/node.ts'))}
      const buffer = createBuffer(() => new Promise(() => {}), { spool: createFileSpool(${JSON.stringify(path)}) })
      for (let n = 0; ; n++) {
        await buffer.track('acme', 'calls', 1, { eventKey: String(n) })
        console.log(n)
      }`
    const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const ended = new Promise((resolve) => child.once('close', resolve))
    let confirmed = -1
    createInterface({ input: child.stdout }).on('line', (line) => {
      confirmed = Number(line)
      if (confirmed === 20) child.kill('SIGKILL')
    })
    await ended
    const keys = await recoverKeys()
    assert.deepEqual(
      keys.slice(0, confirmed + 1),
      Array.from({ length: confirmed + 1 }, (_, index) => String(index)),
    )
  })
})
