// Migrations: once each, however many instances start together; a database that does not fit is refused.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, afterEach, beforeEach, describe, it } from 'node:test'
import pg from 'pg'
import { isMigrated, MigrationError, migrate, readMigrations } from '../../src/storage/migrate.ts'
import { createTestDatabase, type TestDatabase } from '../database.ts'

const open: pg.Client[] = []
const databases: TestDatabase[] = []
let database: TestDatabase
let client: pg.Client

async function connect(connection: pg.ClientConfig): Promise<pg.Client> {
  const made = new pg.Client(connection)
  made.on('error', () => {})
  await made.connect()
  open.push(made)
  return made
}

beforeEach(async () => {
  database = await createTestDatabase()
  databases.push(database)
  client = await connect(database.connection)
})
afterEach(async () => {
  for (const each of open.splice(0)) await each.end()
})
after(async () => {
  for (const each of databases) await each.drop()
})

async function createEmptyDatabase(): Promise<pg.ClientConfig> {
  const name = `empty_${randomBytes(6).toString('hex')}`
  await client.query(`create database ${name}`)
  databases.push({
    connection: {},
    drop: async () => {
      const dropper = await connect({ ...database.connection, database: 'postgres' })
      await dropper.query(`drop database ${name} with (force)`)
      await dropper.end()
      open.pop()
    },
  })
  return { ...database.connection, database: name }
}

describe('migrate', () => {
  it('brings an empty database to the schema once, though five instances start at the same time', async () => {
    const connection = await createEmptyDatabase()
    const counts = await Promise.all(Array.from({ length: 5 }, () => migrate(connection)))
    const { length } = await readMigrations()
    assert.deepEqual(
      counts.sort((a, b) => b - a),
      [length, 0, 0, 0, 0],
    )
    assert.equal(await migrate(connection), 0)
    const pool = new pg.Pool(connection)
    assert.equal(await isMigrated(pool), true)
    await pool.end()
  })

  it('refuses a migration that was changed after it had been applied', async () => {
    await client.query(`update migration set checksum = 'other' where name like '0002%'`)
    await assert.rejects(migrate(database.connection), (error) => {
      assert.ok(error instanceof MigrationError)
      assert.match(
        error.message,
        /^The migration 0002-\S+\.sql was changed after it had been applied: .* Start with an empty one/,
      )
      return true
    })
  })

  it('refuses a database that a newer version has migrated', async () => {
    await client.query(`insert into migration (name, checksum) values ('9999-future.sql', 'x')`)
    await assert.rejects(migrate(database.connection), /9999-future\.sql, which this version does not know/)
  })

  it('leaves nothing of a migration that fails', async () => {
    const last = (await readMigrations()).at(-1)?.name
    await client.query('delete from migration where name = $1', [last])
    const before = await listTables()
    await assert.rejects(migrate(database.connection), /failed: .*already exists/)
    assert.deepEqual(await listTables(), before)
    const { rows } = await client.query('select 1 from migration where name = $1', [last])
    assert.deepEqual(rows, [])
  })

  const listTables = async () =>
    (
      await client.query(
        `select table_name from information_schema.tables where table_schema = 'public' order by 1`,
      )
    ).rows

  it('names and numbers every file once, in order', async () => {
    const names = (await readMigrations()).map((migration) => migration.name)
    for (const name of names) assert.match(name, /^\d{4}-[a-z-]+\.sql$/)
    const numbers = names.map((name) => name.slice(0, 4))
    assert.deepEqual(numbers, [...new Set(numbers)].sort())
  })
})
