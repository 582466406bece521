// One running PostgreSQL server: its settings, waiting until it answers, and stopping it.
import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import { totalmem } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Binaries } from './binaries.ts'
import { serverEnvironment } from './cluster.ts'
import type { ServerLog } from './server-log.ts'
import { StartError } from './start-error.ts'
import type { Store } from './store.ts'
import { startWatchdog } from './watchdog.ts'

export type Settings = Record<string, string>

export type Postmaster = {
  /** How it ended, whether asked to or not. */
  exited: Promise<string>
  stop(): Promise<void>
}

export type PostmasterOptions = {
  store: Store
  binaries: Binaries
  log: ServerLog
  settings: Settings
  onNotice: (text: string) => void
}

/** In bytes: the machine's, or what the container may use of it. */
const findMemory = (): number => Math.min(totalmem(), process.constrainedMemory() || Infinity)

/** What a million customers need to be found without a read from the file; it is taken only as it is used. */
const buffersAtMostMb = 1024

const computeBuffersMb = (memoryBytes: number): number =>
  Math.min(Math.max(128, Math.floor(memoryBytes / 8 / 2 ** 20)), buffersAtMostMb)

// No wal_compression: the builds bring only pglz, which costs more processor time than it saves in bytes.
const defaults: Settings = {
  listen_addresses: '',
  max_connections: '200',
  shared_buffers: `${computeBuffersMb(findMemory())}MB`,
  io_method: 'sync',
  jit: 'off',
  fsync: 'on',
  synchronous_commit: 'on',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_logical_replication_workers: '0',
  max_wal_size: '4GB',
  checkpoint_timeout: '15min',
  timezone: 'UTC',
  // Errors go to the client that caused them; here they would only carry its data into a file.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_checkpoints: 'off',
  log_timezone: 'UTC',
}

const slowNoticeMs = 5_000
const stopMs = 20_000
const lastWordsMs = 200

export async function startPostmaster(options: PostmasterOptions): Promise<Postmaster> {
  const { store, binaries, log, settings } = options
  const child = spawn(binaries.postgres, computeArguments(store, settings), {
    cwd: store.dir,
    env: serverEnvironment,
    // Ctrl-C goes to every process of the terminal's group; PostgreSQL must outlast our last request.
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
    ...store.user,
  })
  child.stderr.setEncoding('utf8').on('data', (text) => log.write(text))
  let ended: string | undefined
  const exited = new Promise<string>((resolve) => {
    const end = (how: string) => {
      ended ??= how
      resolve(ended)
    }
    child.on('error', (error) => end(`${binaries.postgres} does not run here (${error.message})`))
    child.on('close', (code, signal) => end(signal ?? `code ${code}`))
    // Its last words are read by 'close', but children of a killed server hold the pipe open: no long wait for them.
    child.on('exit', (code, signal) => setTimeout(end, lastWordsMs, signal ?? `code ${code}`))
  })
  const watchdog = child.pid === undefined ? undefined : startWatchdog(child.pid, store.user)
  exited.then(() => watchdog?.dismiss())

  await waitUntilReady(options, child, () => ended)
  // A server that nobody waits for must not keep a finished process running.
  child.unref()
  stream(child).unref()
  return { exited, stop: () => stop(child, exited) }
}

function computeArguments({ clusterDir, socketDir }: Store, settings: Settings): string[] {
  const all = {
    ...defaults,
    unix_socket_directories: socketDir,
    unix_socket_permissions: '0700',
    ...settings,
  }
  return ['-D', clusterDir, ...Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])]
}

async function waitUntilReady(
  { store, log, onNotice }: PostmasterOptions,
  child: ChildProcess,
  findEnd: () => string | undefined,
): Promise<void> {
  const startedAt = Date.now()
  let noticed = false
  while (!isReady(store, child.pid)) {
    const ended = findEnd()
    if (ended !== undefined) {
      const reason = child.pid === undefined ? ended : (log.findProblem() ?? ended)
      throw new StartError(`PostgreSQL in ${store.dataDir} did not start: ${reason} (see ${store.logFile}).`)
    }
    // After a crash it first replays what was written since the last checkpoint, and is not hurried.
    if (!noticed && Date.now() - startedAt > slowNoticeMs) {
      noticed = true
      onNotice('PostgreSQL is recovering from an unclean end; this can take a minute.')
    }
    await sleep(5)
  }
}

/** The server writes its state into the eighth line of its pid file. */
export function isReady({ clusterDir }: Store, pid: number | undefined): boolean {
  try {
    const lines = readFileSync(join(clusterDir, 'postmaster.pid'), 'utf8').split('\n')
    return lines[0] === String(pid) && lines[7]?.trim() === 'ready'
  } catch {
    return false
  }
}

async function stop(child: ChildProcess, exited: Promise<string>): Promise<void> {
  child.ref()
  stream(child).ref()
  child.kill('SIGINT')
  const hurry = setTimeout(() => child.kill('SIGQUIT'), stopMs)
  await exited
  clearTimeout(hurry)
}

function stream(child: ChildProcess): Socket {
  return child.stderr as Socket
}
