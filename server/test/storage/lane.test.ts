// Connections whose other end has gone without a word: given up in time, and replaced by exactly one.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { type Database, openDatabase } from '../../src/storage/database.ts'
import { type Lane, openLane } from '../../src/storage/pipelined-connection.ts'
import { createTestDatabase, type TestDatabase } from '../database.ts'
import { type DatabaseProxy, openDatabaseProxy } from '../faults/database-proxy.ts'

let test: TestDatabase
let proxy: DatabaseProxy
let database: Database
let lane: Lane
let otherLane: Lane
before(async () => {
  test = await createTestDatabase()
  proxy = await openDatabaseProxy(test.connection)
  database = openDatabase({ connection: proxy.connection, poolSize: 2 })
  lane = openLane(database.config)
  otherLane = openLane(database.config)
})
after(async () => {
  await Promise.all([lane.close(), otherLane.close()])
  await database.close()
  await proxy.close()
  await test.drop()
})

const ask = async () =>
  (await lane.query<[number]>({ name: 'pid', text: 'select pg_backend_pid()' }, []))[0]?.[0]
const transact = () => otherLane.inTurn((sql, commit) => commit([sql.query('select 1')]))
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
    const attempts = [ask, transact, begin]
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
