// tollkeeper start: every expected failure is one sentence and exit code 1.
import assert from 'node:assert/strict'
import { rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import pg from 'pg'
import { createTestDatabase, createTestFolder, type TestDatabase } from '../database.ts'
import { runCommand, startCommand, toDatabaseUrl } from './command.ts'

const folder = createTestFolder()
let database: TestDatabase
let databaseUrl: string
before(async () => {
  database = await createTestDatabase()
  databaseUrl = toDatabaseUrl(database.connection)
})
after(async () => {
  rmSync(folder, { recursive: true, force: true })
  await database.drop()
})

async function assertSentence(variables: Record<string, string>, sentence: RegExp): Promise<void> {
  const { code, stderr } = await runCommand(['start'], { DATA_DIR: join(folder, 'data'), ...variables })
  assert.equal(code, 1, stderr)
  assert.match(stderr, sentence)
  assert.equal(stderr.trimEnd().split('\n').length, 1, stderr)
}

describe('tollkeeper start', () => {
  it('says that a port is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => other.once('listening', resolve))
    const { port } = other.address() as AddressInfo
    const taken = { DATABASE_URL: databaseUrl, PORT: String(port) }
    await assertSentence(
      taken,
      new RegExp(`^Port ${port} on 127\\.0\\.0\\.1 is taken by another program; set PORT`),
    )
    other.close()
  })

  it('says that a host is none of this machine', () =>
    assertSentence(
      { DATABASE_URL: databaseUrl, PORT: '0', HOST: '192.0.2.1' },
      /^HOST 192\.0\.2\.1 is not an address/,
    ))

  it('says that its folder cannot be used', async () => {
    const file = join(folder, 'a-file')
    writeFileSync(file, '')
    await assertSentence({ DATA_DIR: join(file, 'data') }, /^DATA_DIR cannot be used: .*a-file/)
    await assertSentence({ DATA_DIR: file }, /a-file/)
  })

  it('says that the database is not there, or does not let it in', async () => {
    await assertSentence(
      { DATABASE_URL: 'postgres://u:p@127.0.0.1:1/d' },
      /^The database cannot be reached: .*127\.0\.0\.1:1/,
    )
    await assertSentence(
      { DATABASE_URL: 'postgres://u:p@localhost:1/d' },
      /^The database cannot be reached: .*ECONNREFUSED/,
    )
    await assertSentence(
      { DATABASE_URL: 'postgres://u:p@nowhere.invalid/d' },
      /^The database cannot be reached: .*nowhere\.invalid/,
    )
    const wrong = toDatabaseUrl({ ...database.connection, password: 'wrong' })
    await assertSentence({ DATABASE_URL: wrong }, /^The database refused the connection: .*password/)
    const missing = toDatabaseUrl({ ...database.connection, database: 'missing' })
    await assertSentence(
      { DATABASE_URL: missing },
      /^The database refused the connection: .*"missing" does not exist/,
    )
  })

  it('says that the database is of a newer version', async () => {
    const client = new pg.Client(database.connection)
    await client.connect()
    await client.query(`insert into migration (name, checksum) values ('9999-future.sql', 'x')`)
    await assertSentence({ DATABASE_URL: databaseUrl }, /^The database has the migration 9999-future\.sql/)
    await client.query(`delete from migration where name = '9999-future.sql'`)
    await client.end()
  })

  it('reports all wrong variables, a line each', async () => {
    const { code, stderr } = await runCommand(['start'], { PORT: 'x', LOG_LEVEL: 'loud' })
    assert.equal(code, 1)
    assert.match(stderr, /^PORT must be [^\n]+\nLOG_LEVEL must be [^\n]+\n$/)
  })

  it('does not show a configured key', async () => {
    const secret = `tk_test_${'s'.repeat(32)}`
    const variables = { DATABASE_URL: databaseUrl, TOLLKEEPER_TEST_API_KEY: secret, TOLLKEEPER_DEMO: '0' }
    const { url, child, output, ended } = await startCommand({ ...variables, LOG_LEVEL: 'trace' })
    const ask = (headers: Record<string, string>) => fetch(`${url}/v1/features`, { headers })
    assert.equal((await ask({ 'x-api-key': secret })).status, 200)
    assert.equal((await ask({ 'x-api-key': `${secret}x` })).status, 401)
    child.kill('SIGTERM')
    assert.equal((await ended).code, 0)
    assert.ok(!`${output.stdout}${output.stderr}`.includes('ssssssss'))
  })
})
