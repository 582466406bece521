// A new version under load: two instances over one database, restarted one after the other while callers go on through both, and
// a migration applied while an instance serves. Nothing answered is lost, and nobody is told anything but to come again.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { auditLedger } from '../../src/storage/audit/audit-ledger.ts'
import { applyMigrations, readMigrations } from '../../src/storage/migrate.ts'
import { type Running, startCommand, toDatabaseUrl } from '../cli/command.ts'
import { createTestDatabase, type TestDatabase } from '../database.ts'
import { apiKey, variables, waitUntil } from './load.ts'

const callers = 12
const customers = 10

let database: TestDatabase
let instances: Running[]

before(async () => {
  database = await createTestDatabase()
  instances = [await startInstance(), await startInstance()]
})
after(async () => {
  for (const { child, ended } of instances ?? []) {
    child.kill('SIGTERM')
    await ended
  }
  await database?.drop()
})

/** On a port of its own when it comes back, as a new version does behind whatever leads to it. */
const startInstance = (): Promise<Running> =>
  startCommand({ ...variables, DATABASE_URL: toDatabaseUrl(database.connection) })

async function ask(url: string, method: string, path: string, body?: object) {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { 'x-api-key': apiKey, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
    signal: AbortSignal.timeout(12_000),
  })
  // biome-ignore lint/suspicious/noExplicitAny: looked into freely
  return { status: response.status, body: (await response.json()) as any }
}

type Seen = { events: number; retries: number; statuses: Map<number, number> }

/** Callers who take turns between the instances, and repeat themselves, there or at the other, until they are answered. */
function startCallers(run: string): { stop(): Promise<Seen>; seen: Seen } {
  const seen: Seen = { events: 0, retries: 0, statuses: new Map() }
  let isOver = false
  const call = async (caller: number) => {
    for (let count = 0; !isOver; count++) {
      const event = {
        customerId: `c${count % customers}`,
        featureKey: 'f',
        eventKey: `${run}-${caller}-${count}`,
      }
      const giveUpAt = Date.now() + 60_000
      for (let attempt = caller; ; attempt++) {
        const { url } = instances[attempt % instances.length] as Running
        const answer = await ask(url, 'POST', '/v1/usage', event).catch(() => undefined)
        if (answer) seen.statuses.set(answer.status, (seen.statuses.get(answer.status) ?? 0) + 1)
        if (answer?.status === 200) break
        assert.ok(Date.now() < giveUpAt, 'nobody answered for a minute')
        seen.retries++
        await sleep(10 + Math.random() * 40)
      }
      seen.events++
    }
  }
  const calling = Promise.all(Array.from({ length: callers }, (_, caller) => call(caller)))
  calling.catch(() => {})
  return {
    seen,
    stop: async () => {
      isOver = true
      await calling
      return seen
    },
  }
}

let recorded = 0

async function assertAllThere(seen: Seen): Promise<void> {
  recorded += seen.events
  let used = 0
  for (let n = 0; n < customers; n++) {
    const answers = []
    for (const { url } of instances) {
      const { body } = await ask(url, 'GET', `/v1/feature-access?customerId=c${n}`)
      answers.push(body.f.usage.used)
    }
    assert.equal(new Set(answers).size, 1, `c${n}: ${answers}`)
    used += answers[0]
  }
  assert.equal(used, recorded)
  const differences: string[] = []
  await auditLedger(database.connection, (difference) => differences.push(JSON.stringify(difference)))
  assert.deepEqual(differences, [])
}

describe('a rolling restart under load', () => {
  it('loses nothing, and answers nothing but 200 or, while closing, 503', async () => {
    const { url } = instances[0] as Running
    await ask(url, 'POST', '/v1/features', { featureKey: 'f', name: 'F', type: 'limit' })
    for (let n = 0; n < customers; n++) await ask(url, 'POST', '/v1/customers', { customerId: `c${n}` })
    const load = startCallers('roll')
    const goOn = async () => {
      const before = load.seen.events
      await waitUntil('callers go on', 60_000, () => load.seen.events >= before + 100)
    }
    for (const at of [0, 1]) {
      await goOn()
      const { child, ended } = instances[at] as Running
      child.kill('SIGTERM')
      const { code, stderr } = await ended
      assert.deepEqual([code, stderr], [0, ''])
      await goOn()
      instances[at] = await startInstance()
      assert.equal((await ask((instances[at] as Running).url, 'GET', '/readyz')).status, 200)
    }
    await goOn()
    const seen = await load.stop()
    assert.ok(
      [...seen.statuses.keys()].every((status) => status === 200 || status === 503),
      [...seen.statuses].join(),
    )
    await assertAllThere(seen)
  })
})

describe('a migration under load', () => {
  it('is applied while instances serve, who answer all the while', async () => {
    const load = startCallers('migrate')
    const before = load.seen.events
    await waitUntil('callers are at work', 60_000, () => load.seen.events >= before + 50)
    const added = {
      name: '9999-added.sql',
      checksum: 'added',
      text: `create table added (customer_uid uuid not null, note text, primary key (customer_uid));
             alter table customer add column added_note text;
             alter table usage_event add column added_note text;`,
    }
    assert.equal(await applyMigrations(database.connection, [...(await readMigrations()), added]), 1)
    const during = load.seen.events
    await waitUntil('callers go on', 60_000, () => load.seen.events >= during + 100)
    const seen = await load.stop()
    assert.deepEqual([...seen.statuses.keys()], [200], [...seen.statuses].join())
    await assertAllThere(seen)
    const client = new pg.Client(database.connection)
    await client.connect()
    const { rows } = await client.query(
      "select count(*)::int as count from migration where name = '9999-added.sql'",
    )
    await client.end()
    assert.equal(rows[0]?.count, 1)
  })

  it('is of a kind that every migration of ours can be: none takes a table away', () => {
    const folder = join(import.meta.dirname, '../../migrations')
    for (const name of readdirSync(folder))
      assert.doesNotMatch(
        readFileSync(join(folder, name), 'utf8'),
        /^\s*(drop table|truncate|alter table \w+ drop)/m,
        name,
      )
  })
})
