// Secrets: no key in any log line, answer or stored row, not even when callers put it where it does not belong.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import pg from 'pg'
import { type Running, runCommand, startCommand, toDatabaseUrl } from '../cli/command.ts'
import { createTestDatabase, type TestDatabase } from '../database.ts'

const configured = {
  test: `tk_test_${'configuredTest'.repeat(3)}`,
  live: `tk_live_${'configuredLive'.repeat(3)}`,
}

let database: TestDatabase
let running: Running
let made: string
before(async () => {
  database = await createTestDatabase()
  const variables = {
    DATABASE_URL: toDatabaseUrl(database.connection),
    TOLLKEEPER_TEST_API_KEY: configured.test,
    TOLLKEEPER_LIVE_API_KEY: configured.live,
    LOG_LEVEL: 'trace',
  }
  running = await startCommand(variables)
  made = (await runCommand(['keys', 'create', '--name', 'made'], variables)).stdout.trim()
})
after(async () => {
  running.child.kill('SIGTERM')
  await running.ended
  await database.drop()
})

async function dump(): Promise<string> {
  const client = new pg.Client(database.connection)
  await client.connect()
  const { rows: tables } = await client.query(
    `select table_name as name from information_schema.tables where table_schema = 'public'`,
  )
  const texts: string[] = []
  for (const { name } of tables) {
    const { rows } = await client.query(`select t::text as text from "${name}" t`)
    texts.push(...rows.map((row) => `${name}: ${row.text}`))
  }
  await client.end()
  return texts.join('\n')
}

describe('API keys', () => {
  it('are in no answer, no log line and no row', async () => {
    const answers: string[] = []
    for (const key of [configured.test, configured.live, made, `${made}x`]) {
      const ask = async (path: string, init: RequestInit = {}) => {
        const headers = { 'x-api-key': key, 'content-type': 'application/json' }
        const answer = await fetch(`${running.url}${path}`, { ...init, headers })
        answers.push(JSON.stringify([...answer.headers]), await answer.text())
      }
      await ask('/v1/features')
      await ask('/v1/features', { method: 'POST', body: '{' })
      await ask('/v1/features', {
        method: 'POST',
        body: JSON.stringify({ featureKey: 'f', name: 'x', type: 'limit' }),
      })
      await ask('/v1/customers', { method: 'POST', body: JSON.stringify({ customerId: 'c' }) })
      await ask('/v1/customers/c', { method: 'PUT', body: JSON.stringify({ name: 'new' }) })
      await ask(`/v1/nowhere?key=${key}`)
    }
    const parts = ['configuredTest', 'configuredLive', made.slice(8, -4)]
    const places = { answers: answers.join('\n'), logs: JSON.stringify(running.output), rows: await dump() }
    assert.match(places.rows, /api_key: /)
    assert.match(places.logs, /answered/)
    for (const [place, text] of Object.entries(places)) {
      for (const part of parts) assert.ok(!text.includes(part), `a key is in the ${place}`)
    }
  })
})
