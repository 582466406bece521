// One live service per data folder: its owner listens on a socket there, which the kernel closes however the owner ends.
import { lchownSync, mkdirSync, rmSync, statSync } from 'node:fs'
import { createConnection, createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { StartError } from './start-error.ts'
import type { Store } from './store.ts'

export type OwnerLock = { release(): Promise<void> }

const settleMs = 40
const takeoverMs = 5_000

export async function lockOwner(store: Store): Promise<OwnerLock> {
  const path = ownerSocket(store)
  for (;;) {
    const server = await tryListen(path)
    if (server !== undefined) return holdLock(server, store)
    const pid = await findOwner(store)
    if (pid !== undefined) throw refused(store, pid)
    await removeDead(store)
  }
}

/** The process that owns the folder: its id, or 0 when it lives but does not say. */
export function findOwner(store: Store): Promise<number | undefined> {
  return new Promise((resolve) => {
    let answer = ''
    let connected = false
    const socket = createConnection(ownerSocket(store))
    // A stopped or busy owner still owns the folder.
    socket.setTimeout(500, () => socket.destroy())
    socket.on('connect', () => {
      connected = true
    })
    socket.on('data', (data) => {
      answer += data
    })
    socket.on('error', (error: NodeJS.ErrnoException) => {
      // EAGAIN: so many wait to be answered that the queue is full, which a dead owner's is not.
      if (error.code === 'EACCES' || error.code === 'EAGAIN') connected = true
    })
    socket.on('close', () => resolve(connected ? Number.parseInt(answer, 10) || 0 : undefined))
  })
}

function refused({ dataDir }: Store, pid: number): StartError {
  const who = pid > 0 ? `Another Tollkeeper (process ${pid})` : 'Another Tollkeeper'
  return new StartError(`${who} is already using ${dataDir}; stop it, or set DATA_DIR to another folder.`)
}

function ownerSocket(store: Store): string {
  return join(store.socketDir, 'owner')
}

function tryListen(path: string): Promise<Server | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => {
      socket.on('error', () => {})
      socket.end(`${process.pid}\n`)
    })
    server.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(undefined)
      else reject(new StartError(`The data folder cannot hold a socket (${path}): ${error.message}.`))
    })
    server.listen(path, () => resolve(server))
  })
}

function holdLock(server: Server, { socketDir, user }: Store): OwnerLock {
  server.unref()
  if (user !== undefined) lchownSync(join(socketDir, 'owner'), user.uid, user.gid)
  return { release: () => new Promise((resolve) => server.close(() => resolve())) }
}

/** Only the holder of `takeover` removes a dead owner's socket; two at once could remove each other's new one. */
async function removeDead(store: Store): Promise<void> {
  const path = ownerSocket(store)
  const takeover = `${path}.takeover`
  try {
    mkdirSync(takeover)
  } catch {
    const madeAt = statSync(takeover, { throwIfNoEntry: false })?.mtimeMs
    if (madeAt !== undefined && Date.now() - madeAt > takeoverMs)
      rmSync(takeover, { recursive: true, force: true })
    await sleep(settleMs)
    return
  }
  // A socket is bound a moment before it listens, so only one that stays silent belongs to a dead owner.
  const silent = (await findOwner(store)) === undefined
  await sleep(settleMs)
  if (silent && (await findOwner(store)) === undefined) rmSync(path, { force: true })
  rmSync(takeover, { recursive: true, force: true })
}
