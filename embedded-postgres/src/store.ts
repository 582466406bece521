// Where the local database lives: `postgres/` in the data folder, or a link there to a folder that PostgreSQL's user can reach.
import { createHash, randomBytes } from 'node:crypto'
import * as fs from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { getUnprivilegedUser, isReachable, isRoot, type ServerUser } from './server-user.ts'
import { computeReason, StartError } from './start-error.ts'

export type Store = {
  /** What the user calls it, for messages. */
  dataDir: string
  /** The real folder with everything of PostgreSQL in it. */
  dir: string
  clusterDir: string
  passwordFile: string
  logFile: string
  socketDir: string
  user: ServerUser
}

/** Outside every home, so that root never has to open one up for PostgreSQL's user. */
export const sharedDir = '/var/lib/tollkeeper'

export function findStore(dataDir: string): Store | undefined {
  const folder = resolve(dataDir)
  const entry = join(folder, 'postgres')
  try {
    fs.lstatSync(entry)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw unusable(folder, error)
  }
  if (!fs.existsSync(entry)) {
    // An empty database in the place of a lost one must be somebody's decision, not a consequence of a start.
    const target = fs.readlinkSync(entry)
    throw new StartError(
      `The database of ${folder} was kept in ${target}, which is gone or closed to this user; bring it back, or delete ${entry} to begin with an empty database.`,
    )
  }
  return describe(folder, fs.realpathSync(entry))
}

export function openStore(dataDir: string): Store {
  const folder = resolve(dataDir)
  try {
    // Root lets others pass (not look) through a folder it makes, so that PostgreSQL's user gets to its own below.
    makeFolder(folder, isRoot() ? 0o711 : 0o700)
    fs.accessSync(folder, fs.constants.W_OK | fs.constants.X_OK)
    const store = findStore(folder) ?? createStore(folder)
    makeSocketDir(store)
    return store
  } catch (error) {
    if (error instanceof StartError) throw error
    throw unusable(folder, error)
  }
}

/** Not mkdir's own recursion: below a folder that takes no new ones (/proc) it never ends, and a read-only one it calls missing. */
function makeFolder(folder: string, mode: number): void {
  if (fs.existsSync(folder) && fs.statSync(folder).isDirectory()) return
  const parent = dirname(folder)
  if (!fs.existsSync(parent)) makeFolder(parent, mode)
  try {
    fs.mkdirSync(folder, { mode })
  } catch (error) {
    // Another start may have made it in between.
    if (!fs.existsSync(folder) || !fs.statSync(folder).isDirectory()) throw error
  }
}

function createStore(folder: string): Store {
  const entry = join(folder, 'postgres')
  const user = isRoot() ? getUnprivilegedUser() : undefined
  const direct = isReachable(folder, user)
  const dir = direct ? entry : join(sharedDir, randomBytes(8).toString('hex'))
  if (!direct) fs.mkdirSync(sharedDir, { recursive: true, mode: 0o755 })
  try {
    fs.mkdirSync(dir, { mode: 0o700 })
    if (user !== undefined) fs.lchownSync(dir, user.uid, user.gid)
    if (!direct) fs.symlinkSync(dir, entry)
  } catch (error) {
    // Two first starts at once: the other one made it, and the owner's lock in it tells who goes on.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    if (!direct) fs.rmdirSync(dir)
  }
  return describe(folder, fs.realpathSync(entry))
}

function describe(folder: string, dir: string): Store {
  const short = Buffer.byteLength(join(dir, '.s.PGSQL.5432')) <= 100
  return {
    dataDir: folder,
    dir,
    clusterDir: join(dir, 'data'),
    passwordFile: join(dir, 'password'),
    logFile: join(folder, 'postgres.log'),
    // A socket's path may have 103 bytes on macOS and 107 on Linux.
    socketDir: short ? dir : `/tmp/tollkeeper-${createHash('sha256').update(dir).digest('hex').slice(0, 16)}`,
    user: chooseUser(folder, dir),
  }
}

/** As root, the database goes on running as whoever it belongs to. */
function chooseUser(folder: string, dir: string): ServerUser {
  const { uid, gid } = fs.statSync(dir)
  if (uid === process.getuid?.() && !isRoot()) return undefined
  if (!isRoot()) {
    throw new StartError(
      `The database in ${folder} belongs to another user (id ${uid}); start Tollkeeper as that user, or set DATA_DIR to another folder.`,
    )
  }
  if (uid !== 0) return { uid, gid }
  // Ours from a start that was cut short, unless something is in it: then it is not ours to give away.
  if (fs.readdirSync(dir).length > 0) {
    throw new StartError(`The folder ${dir} was not made by Tollkeeper; set DATA_DIR to another folder.`)
  }
  const user = getUnprivilegedUser()
  fs.lchownSync(dir, user.uid, user.gid)
  return user
}

function makeSocketDir({ dataDir, dir, socketDir, user }: Store): void {
  if (socketDir === dir) return
  try {
    fs.mkdirSync(socketDir, { mode: 0o700 })
    if (user !== undefined) fs.lchownSync(socketDir, user.uid, user.gid)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  // Anyone can make folders in /tmp, so one that was already there must prove to be ours.
  const stats = fs.lstatSync(socketDir)
  const owner = user?.uid ?? process.getuid?.()
  if (!stats.isDirectory() || stats.uid !== owner || (stats.mode & 0o077) !== 0) {
    throw new StartError(
      `The path of ${dataDir} is too long for a socket and ${socketDir} is taken by someone else; set DATA_DIR to a shorter path.`,
    )
  }
}

function unusable(folder: string, error: unknown): StartError {
  return new StartError(
    `The data folder ${folder} cannot be used: ${computeReason(error)}; make it writable or set DATA_DIR to another folder.`,
  )
}
