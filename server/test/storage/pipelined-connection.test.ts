// Connections whose other end has gone without a word: given up in time, and replaced by exactly one.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { type Database, openDatabase } from '../../src/storage/database.ts'
import { openPipelinedConnection, type PipelinedConnection } from '../../src/storage/pipelined-connection.ts'
import { createTestDatabase, type TestDatabase } from '../database.ts'
import { type DatabaseProxy, openDatabaseProxy } from '../faults/database-proxy.ts'

let test: TestDatabase
let proxy: DatabaseProxy
let database: Database
let connection: PipelinedConnection
let other: PipelinedConnection
before(async () => {
  test = await createTestDatabase()
  proxy = await openDatabaseProxy(test.connection)
  database = openDatabase({ connection: proxy.connection, poolSize: 2 })
  connection = openPipelinedConnection(database.config)
  other = openPipelinedConnection(database.config)
})
after(async () => {
  await Promise.all([connection.close(), other.close()])
  await database.close()
  await proxy.close()
  await test.drop()
})

const ask = async () =>
  (await connection.query<[number]>({ name: 'pid', text: 'select pg_backend_pid()' }, []))[0]?.[0]
const askOther = () => other.query({ name: 'one', text: 'select 1' }, [])
const begin = () => database.inTransaction(async () => {})

describe('a connection that is lost', () => {
  it('is replaced by one connection, however many wait for it', async () => {
    for (let round = 0; round < 20; round++) {
      const pid = await ask()
      const repeat = (): Promise<number | undefined> => ask().catch(repeat)
      const lost = Array.from({ length: 5 }, repeat)
      await database.pool.query('select pg_terminate_backend($1)', [pid])
      await Promise.all([...lost, repeat()])
    }
    const pid = await ask()
    const others = `select pid from pg_stat_activity
      where datname = current_database() and query = 'select pg_backend_pid()' and pid <> $1`
    const deadlineAt = Date.now() + 5_000
    // The last one may still be ending.
    while ((await database.pool.query(others, [pid])).rows.length > 0)
      assert.ok(Date.now() < deadlineAt, 'a connection is left that nobody uses')
  })

  it('is given up within 5 s when it is swallowed, and the next call has a new one at once', async () => {
    const attempts = [ask, askOther, begin]
    for (const attempt of attempts) await attempt()
    proxy.swallow()
    const startedAt = Date.now()
    await Promise.all(attempts.map((attempt) => assert.rejects(attempt(), /timeout|terminated/i)))
    // Four seconds; the rest is for a busy machine. Without a time-out of their own they were nine.
    assert.ok(Date.now() - startedAt < 7_000, `${Date.now() - startedAt} ms`)
    proxy.mend()
    // As coalesced statements do, the next begins with another turn of the loop.
    await setImmediate()
    for (const attempt of attempts) await attempt()
  })
})

describe('a pipelined connection', () => {
  it('sends statements without waiting for the answers before, and answers them in order', async () => {
    const sleep = { name: 'sleep', text: 'select $1::int, pg_sleep($2::float8)::text' }
    const order: number[] = []
    const asked = [0.1, 0, 0].map(async (seconds, index) => {
      const rows = await connection.query<[number, string]>(sleep, [index, seconds])
      order.push(rows[0]?.[0] as number)
    })
    await Promise.all(asked)
    assert.deepEqual(order, [0, 1, 2])
  })

  it('goes on after a statement that the database refused', async () => {
    const broken = connection.query({ name: 'broken', text: 'select 1 / 0' }, [])
    const next = ask()
    await assert.rejects(broken, /division by zero/)
    assert.equal(await next, await ask())
  })

  it('keeps to plans that look rows up', async () => {
    const sql = await connection.connect()
    const { rows } = await sql.query('show enable_seqscan')
    assert.deepEqual(rows, [{ enable_seqscan: 'off' }])
  })

  it('is closed for good', async () => {
    const closing = openPipelinedConnection(database.config)
    const one = { name: 'one', text: 'select 1' }
    await closing.query(one, [])
    await closing.close()
    await assert.rejects(closing.query(one, []), /the connection is closed/)
  })
})
