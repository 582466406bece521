// tollkeeper people, and the ways in that a start prepares.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import pg from 'pg'
import { createTestDatabase, type TestDatabase } from '../database.ts'
import { runCommand, startCommand, toDatabaseUrl } from './command.ts'

let database: TestDatabase
let variables: Record<string, string>
before(async () => {
  database = await createTestDatabase()
  variables = { DATABASE_URL: toDatabaseUrl(database.connection), PORT: '4111', TOLLKEEPER_DEMO: '0' }
})
after(() => database.drop())

const people = (...words: string[]) => runCommand(['people', ...words], variables)

describe('tollkeeper people', () => {
  it('prints a first link while nobody is there', async () => {
    const { stdout, stderr } = await people('link')
    assert.match(stdout, /^http:\/\/localhost:4111\/login\?token=[\w-]{43}\n$/)
    assert.match(stderr, /works once/)
  })

  it('invites, lists, links, changes and removes', async () => {
    const invited = await people('invite', 'Kim@Example.com', '--role', 'admin')
    assert.match(invited.stdout, /^http:\/\/localhost:4111\/join\?token=[\w-]{43}\n$/)
    assert.match((await people('list')).stdout, /^kim@example\.com {2}admin {3}invited {2}seen -\n$/)
    assert.equal((await people('role', 'kim@example.com', '--role', 'read')).code, 0)
    assert.match((await people('list')).stdout, /^kim@example\.com {2}read /)
    assert.match((await people('link', 'kim@example.com')).stdout, /\/join\?token=/)
    assert.equal((await people('remove', 'kim@example.com')).code, 0)
    assert.equal((await people('list')).stdout, '')
    const client = new pg.Client(database.connection)
    await client.connect()
    const { rows } = await client.query(`select distinct actor from audit_entry where action like 'person.%'`)
    await client.end()
    assert.deepEqual(rows, [{ actor: 'command line' }])
  })

  it('says what is wrong', async () => {
    for (const [words, said] of [
      [[], /people needs one of/],
      [['invite'], /needs an email address/],
      [['invite', 'a@b.io', '--role', 'king'], /--role must be one of admin, member, read/],
      [['remove', 'nobody@example.com'], /There is no person nobody@example\.com/],
    ] as const) {
      const { code, stderr } = await people(...words)
      assert.equal(code, words.length > 0 && words[0] === 'remove' ? 1 : 2)
      assert.match(stderr, said)
    }
  })
})

describe('a start', () => {
  it('prints a new link each time until somebody has signed up with one', async () => {
    const links: string[] = []
    const look = async () => {
      const running = await startCommand({ ...variables, PORT: '0' })
      links.push(/sign in: (\S+)/.exec(running.output.stdout)?.[1] ?? '')
      return running
    }
    const stop = async ({ child, ended }: Awaited<ReturnType<typeof look>>) => {
      child.kill('SIGTERM')
      assert.equal((await ended).code, 0)
    }
    await stop(await look())
    const running = await look()
    const ask = (link: string, init?: RequestInit) =>
      fetch(`${running.url}/dashboard/api/links/${link.slice(link.indexOf('token=') + 6)}`, init)
    assert.notEqual(links[0], links[1])
    assert.equal((await ask(links[0] as string)).status, 404)
    assert.deepEqual(await (await ask(links[1] as string)).json(), { kind: 'first', email: null })
    const headers = { 'content-type': 'application/json', origin: running.url }
    const join = (body: object) =>
      ask(links[1] as string, { method: 'POST', headers, body: JSON.stringify(body) })
    assert.equal((await join({ name: 'First', password: 'ten characters' })).status, 400)
    const joined = await join({ email: 'first@example.com', name: 'First', password: 'ten characters' })
    assert.equal(joined.status, 200)
    assert.equal(((await joined.json()) as { person: { role: string } }).person.role, 'admin')
    assert.equal((await join({ email: 'second@example.com', password: 'ten characters' })).status, 404)
    await stop(running)
    await stop(await look())
    assert.equal(links[2], '')
  })
})
