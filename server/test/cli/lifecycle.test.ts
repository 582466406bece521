// The life of an installation with its own PostgreSQL: started, shared with commands, stopped, killed, started again.
import assert from 'node:assert/strict'
import { readFileSync, rmSync, statSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createTestFolder } from '../database.ts'
import { type Running, runCommand, startCommand } from './command.ts'

const folder = createTestFolder()
const variables = { DATA_DIR: join(folder, 'data'), TOLLKEEPER_DEMO: '0' }
let running: Running
after(async () => {
  if (running.child.exitCode === null) running.child.kill('SIGTERM')
  await running.ended
  rmSync(folder, { recursive: true, force: true })
})

const ask = (path: string, key: string | undefined, init: RequestInit = {}) =>
  fetch(`${running.url}${path}`, {
    ...init,
    headers: { 'x-api-key': key ?? '', 'content-type': 'application/json' },
  })
const createFeature = (featureKey: string) =>
  ask('/v1/features', running.testKey, {
    method: 'POST',
    body: JSON.stringify({ featureKey, name: 'x', type: 'boolean' }),
  })
const getFeature = async (featureKey: string) =>
  (await ask(`/v1/features/${featureKey}`, running.testKey)).status

/** Where the simulator speaks its protocol, and its key, as told at start. */
const readSimulator = () => {
  const [, url, key] = /Simulator\s+(http:\S+)\s+key: (sk_test_\w+)/.exec(running.output.stdout) ?? []
  return { url, key }
}

/** A request whose head has arrived and whose body has not yet. */
async function beginRequest(): Promise<{ finish(): Promise<string> }> {
  const body = JSON.stringify({ featureKey: 'in-flight', name: 'x', type: 'boolean' })
  const socket = connect(Number(new URL(running.url).port), '127.0.0.1')
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk
  })
  const closed = new Promise<string>((resolve) => socket.on('close', () => resolve(text)))
  const arrived = new Promise((resolve) => socket.once('data', resolve))
  socket.write(
    `POST /v1/features HTTP/1.1\r\nhost: x\r\nx-api-key: ${running.testKey}\r\ncontent-type: application/json\r\nexpect: 100-continue\r\n` +
      `content-length: ${body.length}\r\n\r\n${body.slice(0, 5)}`,
  )
  await arrived
  return {
    finish: () => {
      socket.write(body.slice(5))
      return closed
    },
  }
}

describe('an installation', () => {
  it('starts with nothing, shows its key and keeps it where only its owner can read it', async () => {
    running = await startCommand(variables)
    assert.ok(running.testKey)
    const file = join(variables.DATA_DIR, 'test-key')
    assert.equal(readFileSync(file, 'utf8').trim(), running.testKey)
    assert.equal(statSync(file).mode & 0o777, 0o600)
    assert.equal((await createFeature('first')).status, 201)
    assert.match(running.output.stdout, /Payments \(test\): provider simulator/)
    assert.match(running.output.stdout, /Payments \(live\): none/)
    const secret = join(variables.DATA_DIR, 'secret')
    assert.equal(statSync(secret).mode & 0o777, 0o600)
    const { url, key } = readSimulator()
    const products = await fetch(`${url}/v1/products`, { headers: { authorization: `Bearer ${key}` } })
    assert.equal(products.status, 200)
  })

  it('refuses a second instance on the same data in one sentence', async () => {
    const { code, stderr } = await runCommand(['start'], { ...variables, PORT: '0' })
    assert.equal(code, 1)
    assert.equal(stderr.trimEnd().split('\n').length, 1, stderr)
    assert.equal(await getFeature('first'), 200)
  })

  it('shares its database with commands while it runs', async () => {
    const { code, stdout } = await runCommand(['keys', 'create', '--name', 'second'], variables)
    assert.equal(code, 0)
    assert.equal((await ask('/v1/features/first', stdout.trim())).status, 200)
  })

  it('answers what is in flight and ends with 0 when Ctrl-C arrives twice', async () => {
    const request = await beginRequest()
    running.child.kill('SIGINT')
    await sleep(100)
    running.child.kill('SIGINT')
    assert.match(await request.finish(), /^HTTP\/1\.1 100 [\s\S]*HTTP\/1\.1 201 /)
    assert.equal((await running.ended).code, 0)
  })

  it('is worked on by commands while it does not run', async () => {
    const { code, stdout } = await runCommand(['keys', 'list'], variables)
    assert.equal(code, 0)
    assert.match(stdout, /second\n/)
    assert.match(stdout, /first test key\n/)
  })

  it('takes over the same data and the same key, and ends with 0 on SIGTERM', async () => {
    const { testKey } = running
    const { key } = readSimulator()
    running = await startCommand(variables)
    assert.equal(running.testKey, testKey)
    assert.equal(readSimulator().key, key)
    assert.deepEqual([await getFeature('first'), await getFeature('in-flight')], [200, 200])
    running.child.kill('SIGTERM')
    assert.equal((await running.ended).code, 0)
  })

  it('loses nothing that was answered when it is killed', async () => {
    running = await startCommand(variables)
    const answered = await Promise.all(
      Array.from({ length: 20 }, (_, index) => createFeature(`killed-${index}`)),
    )
    running.child.kill('SIGKILL')
    await running.ended
    assert.ok(answered.every((answer) => answer.status === 201))
    running = await startCommand(variables)
    for (let index = 0; index < 20; index++) assert.equal(await getFeature(`killed-${index}`), 200)
  })
})
