// Starting, finding, restarting and stopping the local PostgreSQL within one process.
import assert from 'node:assert/strict'
import { appendFileSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { findEmbedded, startEmbeddedPostgres } from '../src/embedded-postgres.ts'
import { openServerLog } from '../src/server-log.ts'
import { StartError } from '../src/start-error.ts'
import { query } from './owner-process.ts'
import { createTestFolder } from './test-folder.ts'

describe('the embedded PostgreSQL', () => {
  const folder = createTestFolder()
  const dataDir = join(folder, 'data')
  after(() => rmSync(folder, { recursive: true, force: true }))

  it('is not found where none was ever started, and finding makes nothing', async () => {
    assert.equal(await findEmbedded({ dataDir }), undefined)
    assert.equal(existsSync(dataDir), false)
  })

  it('starts with durable settings, in UTF-8, and reachable by its socket only', async () => {
    const server = await startEmbeddedPostgres({ dataDir })
    try {
      assert.match(server.version, /^18\.\d+$/)
      const shown = await query(
        server.connection,
        `select current_database(), current_setting('fsync'), current_setting('synchronous_commit'),
           current_setting('full_page_writes'), current_setting('server_encoding'), current_setting('listen_addresses')`,
      )
      assert.deepEqual(shown, [['tollkeeper', 'on', 'on', 'on', 'UTF8', '']])
      assert.deepEqual(await query(server.connection, `select upper('ä'), 'a' < 'B'`), [['Ä', false]])
      await assert.rejects(query({ ...server.connection, password: 'guessed' }, 'select 1'), /password/)
    } finally {
      await server.stop()
    }
  })

  it('keeps its data over a stop and is found while it runs', async () => {
    const first = await startEmbeddedPostgres({ dataDir })
    await query(first.connection, 'create table kept as select 42 as answer')
    assert.deepEqual(await findEmbedded({ dataDir }), first.connection)
    await first.stop()
    assert.equal(await findEmbedded({ dataDir }), undefined)

    const second = await startEmbeddedPostgres({ dataDir })
    assert.deepEqual(await query(second.connection, 'select answer from kept'), [[42]])
    await second.stop()
  })

  it('stops once however often and however concurrently it is asked', async () => {
    const server = await startEmbeddedPostgres({ dataDir })
    await Promise.all([server.stop(), server.stop()])
    await server.stop()
    await assert.rejects(query(server.connection, 'select 1'), /ENOENT|ECONNREFUSED/)
    assert.equal(existsSync(join(dataDir, 'postgres/data/postmaster.pid')), false)
  })

  it('stops within a second although a client is in the middle of a statement', async () => {
    const server = await startEmbeddedPostgres({ dataDir })
    const cut = assert.rejects(query(server.connection, 'select pg_sleep(60)'))
    await new Promise((resolve) => setTimeout(resolve, 50))
    const startedAt = performance.now()
    await server.stop()
    assert.ok(performance.now() - startedAt < 5_000)
    await cut
  })

  it('refuses in one sentence files of another PostgreSQL version', async () => {
    const file = join(dataDir, 'postgres/data/PG_VERSION')
    const version = readFileSync(file)
    writeFileSync(file, '17\n')
    await assert.rejects(startEmbeddedPostgres({ dataDir }), (error) => {
      assert.ok(error instanceof StartError)
      assert.match(error.message, /made by PostgreSQL 17 and this Tollkeeper brings 18/)
      return true
    })
    writeFileSync(file, version)
    await (await startEmbeddedPostgres({ dataDir })).stop()
  })

  it('says why PostgreSQL did not start, and starts when that is mended', async () => {
    const file = join(dataDir, 'postgres/data/postgresql.conf')
    const configuration = readFileSync(file)
    appendFileSync(file, 'no_such_setting = 1\n')
    await assert.rejects(startEmbeddedPostgres({ dataDir }), (error) => {
      assert.ok(error instanceof StartError)
      assert.match(error.message, /did not start: .*configuration file/)
      return true
    })
    writeFileSync(file, configuration)
    await (await startEmbeddedPostgres({ dataDir })).stop()
  })
})

describe('the log of PostgreSQL', () => {
  it('stays bounded and keeps the newest lines and the latest problem', () => {
    const folder = createTestFolder()
    const path = join(folder, 'postgres.log')
    const log = openServerLog(path)
    for (let line = 0; line < 50_000; line += 1) log.write(`${line} ${'x'.repeat(100)}\n`)
    log.write('2026 [1] FATAL:  could not do it\nand went on\n')
    log.write('2026 [2] FATAL:  the database system is starting up\n')
    log.close()
    assert.equal(log.findProblem(), 'could not do it')
    assert.ok(statSync(path).size + statSync(`${path}.1`).size < 2_200_000)
    assert.match(readFileSync(path, 'utf8'), /could not do it/)
    rmSync(folder, { recursive: true })
  })
})
