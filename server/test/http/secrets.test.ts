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

const adminPassword = 'correct horse battery staple'

let database: TestDatabase
let running: Running
let made: string
before(async () => {
  database = await createTestDatabase()
  const variables = {
    DATABASE_URL: toDatabaseUrl(database.connection),
    TOLLKEEPER_TEST_API_KEY: configured.test,
    TOLLKEEPER_LIVE_API_KEY: configured.live,
    TOLLKEEPER_ADMIN_EMAIL: 'ada@example.com',
    TOLLKEEPER_ADMIN_PASSWORD: adminPassword,
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

describe('passwords, sessions and links', () => {
  it('are in no log line and no row', async () => {
    const secrets: Record<string, string> = { adminPassword, joinedPassword: 'the password of Bo' }
    let headers: Record<string, string> = { 'content-type': 'application/json', origin: running.url }
    const ask = async (method: string, path: string, body?: object) => {
      const init = { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) }
      const answer = await fetch(`${running.url}/dashboard/api/${path}`, init)
      const cookie = /tollkeeper_session=([^;]+)/.exec(answer.headers.get('set-cookie') ?? '')?.[1]
      const read = JSON.parse(await answer.text())
      if (cookie) {
        secrets[`session ${cookie.length}`] = cookie
        secrets[`token ${read.csrfToken.length}`] = read.csrfToken
        headers = { ...headers, cookie: `tollkeeper_session=${cookie}`, 'x-csrf-token': read.csrfToken }
      }
      return { status: answer.status, body: read }
    }
    const tokenOf = (url: string) => url.slice(url.indexOf('token=') + 6)
    assert.equal(
      (await ask('POST', 'session', { email: 'ada@example.com', password: adminPassword })).status,
      200,
    )
    await ask('POST', 'session', { email: 'ada@example.com', password: `${adminPassword} not` })
    const invited = await ask('POST', 'people', { email: 'bo@example.com', role: 'member' })
    secrets.invitation = tokenOf(invited.body.inviteUrl)
    const again = await ask('POST', `people/${invited.body.person.personId}/link`)
    secrets.link = tokenOf(again.body.url)
    secrets.key = (await ask('POST', 'test/keys', { name: 'k', scope: 'full' })).body.secret.slice(8, -4)
    await ask('GET', `links/${secrets.link}`)
    await ask('POST', `links/${secrets.link}`, { name: 'Bo', password: secrets.joinedPassword })
    await ask('PUT', 'session/password', { currentPassword: secrets.joinedPassword, newPassword: 'short' })
    await ask('POST', `links/${secrets.invitation}`, {})
    const places = { logs: JSON.stringify(running.output), rows: await dump() }
    assert.match(places.rows, /person_session: /)
    assert.match(places.logs, /dashboard\/api/)
    assert.ok(Object.keys(secrets).length >= 7)
    for (const [place, text] of Object.entries(places))
      for (const [what, secret] of Object.entries(secrets))
        assert.ok(!text.includes(secret), `${what} is in the ${place}`)
  })
})
