// The local PostgreSQL as the rest of the service sees it: started in a data folder, kept running, found again, stopped.
import { rmdirSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { prepareBinaries } from './binaries.ts'
import { ensureCluster, getConnection } from './cluster.ts'
import { clearLeftovers, findPostmasterPid } from './leftovers.ts'
import { findOwner, lockOwner, type OwnerLock } from './owner-lock.ts'
import {
  isReady,
  type Postmaster,
  type PostmasterOptions,
  type Settings,
  startPostmaster,
} from './postmaster.ts'
import { openServerLog } from './server-log.ts'
import { computeReason, StartError } from './start-error.ts'
import { findStore, openStore, type Store, sharedDir } from './store.ts'

export type EmbeddedPostgres = {
  connection: pg.ClientConfig
  version: string
  stop(): Promise<void>
}

type EmbeddedOptions = {
  dataDir: string
  /** Told what is worth a line on the terminal: leftovers, recovery, a restart. */
  onNotice?: (text: string) => void
  /** PostgreSQL settings that replace ours, for tests. */
  settings?: Settings
}

const restartPauseMs = 1_000
const findMs = 10_000

export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const { dataDir, onNotice = () => {}, settings = {} } = options
  if (process.platform === 'win32') {
    throw new StartError('There is no embedded PostgreSQL for Windows; set DATABASE_URL, or use WSL.')
  }
  const store = openStore(dataDir)
  const binaries = prepareBinaries(store.user, store.user === undefined ? store.dir : sharedDir)
  const owner = await lockOwner(store)
  const log = openServerLog(store.logFile)
  try {
    await clearLeftovers(store, onNotice)
    await ensureCluster(store, binaries, settings.fsync !== 'off')
    const connection = getConnection(store)
    const launch = { store, binaries, log, settings, onNotice }
    const postmaster = await startPostmaster(launch)
    await ensureDatabase(connection).catch(async (error: Error) => {
      await postmaster.stop()
      throw new StartError(`PostgreSQL in ${store.dataDir} cannot be used: ${error.message}.`)
    })
    const stopServer = keepRunning(postmaster, launch)
    let stopped: Promise<void> | undefined
    const stop = () => {
      stopped ??= stopServer().then(() => leave(store, owner, log.close))
      return stopped
    }
    return { connection, version: binaries.version, stop }
  } catch (error) {
    await leave(store, owner, log.close)
    if (error instanceof StartError) throw error
    throw new StartError(`The database in ${store.dataDir} cannot be used: ${computeReason(error)}.`)
  }
}

/** The connection to a database that a live service (or tool) runs in this folder. */
export async function findEmbedded({ dataDir }: { dataDir: string }): Promise<pg.ClientConfig | undefined> {
  const store = findStore(dataDir)
  if (store === undefined) return undefined
  const deadlineAt = Date.now() + findMs
  // Its owner may only just have started.
  while ((await findOwner(store)) !== undefined && Date.now() < deadlineAt) {
    if (isReady(store, findPostmasterPid(store))) return getConnection(store)
    await sleep(50)
  }
  return undefined
}

async function leave(store: Store, owner: OwnerLock, closeLog: () => void): Promise<void> {
  closeLog()
  await owner.release()
  if (store.socketDir === store.dir) return
  try {
    rmdirSync(store.socketDir)
  } catch {
    // The next owner is already in it.
  }
}

/** Restarts a server that ended by itself; pools heal, since socket and password stay the same. Returns how to stop for good. */
function keepRunning(first: Postmaster, launch: PostmasterOptions): () => Promise<void> {
  let current: Postmaster | undefined = first
  let stopping = false
  const { store, onNotice } = launch

  async function supervise(): Promise<void> {
    while (!stopping) {
      const how = await current?.exited
      current = undefined
      if (stopping) return
      onNotice(`PostgreSQL ended unexpectedly (${how}); starting it again.`)
      let told = ''
      while (current === undefined && !stopping) {
        try {
          await clearLeftovers(store, () => {})
          current = await startPostmaster(launch)
        } catch (error) {
          const reason = computeReason(error)
          // It may be the same once a second, but for the number of a process.
          const kind = reason.replaceAll(/\d+/g, '')
          if (kind !== told) onNotice(reason)
          told = kind
          await sleep(restartPauseMs)
        }
      }
    }
  }

  const supervised = supervise()
  return async () => {
    stopping = true
    await current?.stop()
    await supervised
    // A restart may have been under way when we were asked.
    await current?.stop()
  }
}

/** The only SQL outside storage: it makes the place where storage's tables will be. */
async function ensureDatabase({ database, ...connection }: pg.ClientConfig): Promise<void> {
  const client = new pg.Client({ ...connection, database: 'postgres' })
  client.on('error', () => {})
  try {
    await client.connect()
    const found = await client.query('select from pg_database where datname = $1', [database])
    if (found.rowCount === 0) await client.query(`create database ${database}`)
  } finally {
    await client.end().catch(() => {})
  }
}
