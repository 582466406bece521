// npm run faults: kills the service, its database or its connections again and again under load, with callers that retry
// under the same key. Nothing that was answered may be lost, nothing that was retried doubled. Seconds per fault as argument.
import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { findEmbedded } from '../../src/embedded/embedded-postgres.ts'
import { findPostmasterPid } from '../../src/embedded/leftovers.ts'
import { findStore } from '../../src/embedded/store.ts'
import { auditLedger } from '../../src/storage/audit-ledger.ts'
import { type Running, startCommand } from '../cli/command.ts'
import { createTestFolder } from '../database.ts'

const seconds = Number(process.argv[2] ?? 20)
const callers = 16
const customers = 20
const apiKey = 'tk_test_fault_run_key_0123456789'
const patienceMs = 120_000

const dataDir = createTestFolder()
const port = String(20_000 + (process.pid % 20_000))
const start = () =>
  startCommand({
    PORT: port,
    DATA_DIR: dataDir,
    TOLLKEEPER_DEMO: '0',
    TOLLKEEPER_TEST_API_KEY: apiKey,
    RATE_LIMIT_ALL: '0',
    LOG_LEVEL: 'silent',
  })

let service: Running = await start()

async function ask(method: string, path: string, body?: object) {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
    signal: AbortSignal.timeout(12_000),
  })
  return { status: response.status, body: (await response.json()) as Record<string, never> }
}

async function getConnection(): Promise<pg.ClientConfig> {
  const connection = await findEmbedded({ dataDir })
  assert.ok(connection, 'the embedded database is not running')
  return connection
}

type Fault = { name: string; everyMs: number; strike(): Promise<void> }

const faults: Fault[] = [
  {
    name: 'kill -9 of the service',
    everyMs: 2_000,
    strike: async () => {
      service.child.kill('SIGKILL')
      await service.ended
      service = await start()
    },
  },
  {
    name: 'kill -9 of PostgreSQL',
    everyMs: 4_000,
    strike: async () => {
      const store = findStore(dataDir)
      const pid = store && findPostmasterPid(store)
      if (pid !== undefined) process.kill(pid, 'SIGKILL')
    },
  },
  {
    name: 'connections terminated',
    everyMs: 200,
    strike: async () => {
      const client = new pg.Client(await getConnection())
      await client.connect()
      const others = 'select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1'
      await client.query(others, ['tollkeeper'])
      await client.end()
    },
  },
]

type Tally = { answered: Map<string, number>; events: number; retries: number }

/** Each caller sends one event after the other and goes on with the next only when this one was answered. */
async function load(run: string, isOver: () => boolean): Promise<Tally> {
  const tally: Tally = { answered: new Map(), events: 0, retries: 0 }
  const call = async (caller: number) => {
    for (let count = 0; !isOver(); count++) {
      const customerId = `c${Math.floor(Math.random() * customers)}`
      await record(customerId, `${run}-${caller}-${count}`, tally)
      tally.events++
      tally.answered.set(customerId, (tally.answered.get(customerId) ?? 0) + 1)
    }
  }
  await Promise.all(Array.from({ length: callers }, (_, caller) => call(caller)))
  return tally
}

async function record(customerId: string, eventKey: string, tally: Tally): Promise<void> {
  const giveUpAt = Date.now() + patienceMs
  for (;;) {
    const answer = await ask('POST', '/v1/usage', { customerId, featureKey: 'f', eventKey }).catch(
      () => undefined,
    )
    if (answer?.status === 200) return
    assert.ok(!answer || answer.status === 503, `answered ${answer?.status}: ${JSON.stringify(answer?.body)}`)
    assert.ok(Date.now() < giveUpAt, 'the service did not heal')
    tally.retries++
    await sleep(20 + Math.random() * 80)
  }
}

async function check(expected: Map<string, number>): Promise<void> {
  for (const [customerId, used] of expected) {
    const { body } = await ask('GET', `/v1/feature-access?customerId=${customerId}`)
    assert.equal((body as Record<string, { usage: { used: number } }>).f?.usage.used, used, customerId)
  }
  const differences: string[] = []
  await auditLedger(await getConnection(), (difference) => differences.push(JSON.stringify(difference)))
  assert.deepEqual(differences, [])
}

await ask('POST', '/v1/features', { featureKey: 'f', name: 'F', type: 'limit' })
for (let n = 0; n < customers; n++) await ask('POST', '/v1/customers', { customerId: `c${n}` })

const expected = new Map<string, number>()
let failed = 0
for (const [index, { name, everyMs, strike }] of faults.entries()) {
  let isOver = false
  let strikes = 0
  const loading = load(`run${index}`, () => isOver)
  const endsAt = Date.now() + seconds * 1000
  while (Date.now() < endsAt) {
    await sleep(everyMs * (0.5 + Math.random()))
    await strike().then(
      () => strikes++,
      () => {},
    )
  }
  isOver = true
  const tally = await loading
  for (const [customerId, count] of tally.answered)
    expected.set(customerId, (expected.get(customerId) ?? 0) + count)
  const fault = await check(expected).then(
    () => undefined,
    (error: Error) => error.message,
  )
  if (fault) failed++
  console.log(
    `${fault ? '✖' : '✔'} ${name}: ${strikes} times, ${tally.events} events, ${tally.retries} retries ${fault ?? ''}`,
  )
}
service.child.kill('SIGTERM')
await service.ended
rmSync(dataDir, { recursive: true, force: true })
console.log(`${faults.length - failed} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)
