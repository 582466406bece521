// Databases for tests: one PostgreSQL for the whole run (or, for a file run alone, for its process) with a migrated
// template, and a copy of it for whoever asks.
import { randomBytes } from 'node:crypto'
import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@tollkeeper/embedded-postgres'
import { findOwner } from '@tollkeeper/embedded-postgres/owner-lock'
import { findStore } from '@tollkeeper/embedded-postgres/store'
import pg from 'pg'
import { migrate } from '../src/storage/migrate.ts'

export type TestDatabase = { connection: pg.ClientConfig; drop(): Promise<void> }

export const connectionVariable = 'TOLLKEEPER_TEST_POSTGRES'

const folderPrefix = 'tollkeeper-test-'

/** A folder that PostgreSQL's user can pass through also when root made it. */
export function createTestFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), folderPrefix))
  chmodSync(folder, 0o711)
  return folder
}

/** Its database `tollkeeper` is the template. */
export async function startTestServer(): Promise<EmbeddedPostgres> {
  await removeAbandoned()
  const folder = createTestFolder()
  const server = await startEmbeddedPostgres({
    dataDir: folder,
    onNotice: (text) => console.error(text),
    // What these databases hold is gone after the run anyway.
    settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '300' },
  })
  const stop = async () => {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    await migrate(server.connection)
    return { ...server, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

let own: Promise<EmbeddedPostgres> | undefined

async function getServerConnection(): Promise<pg.ClientConfig> {
  const given = process.env[connectionVariable]
  if (given !== undefined) return JSON.parse(given)
  if (own === undefined) {
    own = startTestServer()
    process.once('beforeExit', async () => (await own)?.stop())
  }
  return (await own).connection
}

export async function createTestDatabase(): Promise<TestDatabase> {
  const server = await getServerConnection()
  const name = `test_${process.pid}_${randomBytes(6).toString('hex')}`
  await copyTemplate(server, name)
  return {
    connection: { ...server, database: name },
    drop: () => runOnServer(server, `drop database if exists ${name} with (force)`),
  }
}

async function copyTemplate(server: pg.ClientConfig, name: string): Promise<void> {
  const deadlineAt = Date.now() + 20_000
  for (;;) {
    try {
      return await runOnServer(
        server,
        `create database ${name} template ${server.database} strategy file_copy`,
      )
    } catch (error) {
      // 55006: someone, if only autovacuum, is connected to the template.
      if ((error as pg.DatabaseError).code !== '55006' || Date.now() > deadlineAt) throw error
      await sleep(20)
    }
  }
}

async function runOnServer(server: pg.ClientConfig, sql: string): Promise<void> {
  const client = new pg.Client({ ...server, database: 'postgres' })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}

/** Runs that were killed leave their folder behind. */
async function removeAbandoned(): Promise<void> {
  for (const name of readdirSync(tmpdir())) {
    const folder = join(tmpdir(), name)
    try {
      if (!name.startsWith(folderPrefix) || Date.now() - statSync(folder).mtimeMs < 60_000) continue
      const store = findStore(folder)
      if (store !== undefined && (await findOwner(store)) !== undefined) continue
      rmSync(folder, { recursive: true, force: true })
    } catch {
      // Somebody else's, or being removed right now.
    }
  }
}
