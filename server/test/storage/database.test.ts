// Transactions: whole or not at all, also when their connection dies under them.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Database, openDatabase, type Sql } from '../../src/storage/database.ts'
import { createTestDatabase, type TestDatabase } from '../database.ts'

let test: TestDatabase
let database: Database
before(async () => {
  test = await createTestDatabase()
  database = openDatabase({ connection: test.connection, poolSize: 2 })
  await database.pool.query('create table note (text text)')
})
after(async () => {
  await database.close()
  await test.drop()
})

const write = (sql: Sql, text: string) => sql.query('insert into note (text) values ($1)', [text])
const readAll = async () =>
  (await database.pool.query('select text from note order by text')).rows.map((row) => row.text)

describe('inTransaction', () => {
  it('keeps what the work did and returns its result', async () => {
    const result = await database.inTransaction(async (sql) => {
      await write(sql, 'kept')
      return 7
    })
    assert.deepEqual([result, await readAll()], [7, ['kept']])
  })

  it('undoes everything when the work fails, whatever it failed with', async () => {
    for (const fail of [() => Promise.reject(new Error('no')), (sql: Sql) => sql.query('select 1 / 0')]) {
      await assert.rejects(
        database.inTransaction(async (sql) => {
          await write(sql, 'lost')
          await fail(sql)
        }),
      )
    }
    assert.deepEqual(await readAll(), ['kept'])
  })

  it('fails, but does not end the process, when its connection dies between two statements', async () => {
    const dying = database.inTransaction(async (sql) => {
      await write(sql, 'lost')
      const { rows } = await sql.query('select pg_backend_pid() as pid')
      await database.pool.query('select pg_terminate_backend($1)', [rows[0]?.pid])
      // The loss arrives while nothing is asked of the connection.
      await sleep(100)
      await write(sql, 'lost too')
    })
    await assert.rejects(dying, /terminat|not queryable|closed/i)
    await database.inTransaction((sql) => write(sql, 'next'))
    assert.deepEqual(await readAll(), ['kept', 'next'])
  })
})
