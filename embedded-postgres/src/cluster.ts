// The database files: made once by initdb beside their final place and moved there whole, with a random password.
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import * as fs from 'node:fs'
import { join } from 'node:path'
import type { ClientConfig } from 'pg'
import type { Binaries } from './binaries.ts'
import { computeReason, StartError } from './start-error.ts'
import type { Store } from './store.ts'

const userName = 'tollkeeper'

/** Nothing of the caller's PG* settings, locale or library paths may reach PostgreSQL. */
export const serverEnvironment = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }

export function getConnection(store: Store): ClientConfig {
  try {
    const password = fs.readFileSync(store.passwordFile, 'utf8')
    return { host: store.socketDir, port: 5432, user: userName, password, database: 'tollkeeper' }
  } catch (error) {
    throw new StartError(`The password file ${store.passwordFile} cannot be read: ${computeReason(error)}.`)
  }
}

/** Must be called by the owner of the folder only. `durable: false` is for databases that do not outlive a test. */
export async function ensureCluster(store: Store, binaries: Binaries, durable: boolean): Promise<void> {
  if (!fs.existsSync(store.clusterDir)) await createCluster(store, binaries, durable)
  const found = fs.readFileSync(join(store.clusterDir, 'PG_VERSION'), 'utf8').trim()
  const major = binaries.version.split('.')[0]
  if (found !== major) {
    throw new StartError(
      `The database in ${store.dataDir} was made by PostgreSQL ${found} and this Tollkeeper brings ${major}; dump it with the old version and load it with this one.`,
    )
  }
}

async function createCluster(store: Store, binaries: Binaries, durable: boolean): Promise<void> {
  // Names of their own: an initdb whose start was killed may still be writing, until its folder is taken away.
  for (const name of fs.readdirSync(store.dir)) {
    if (name.startsWith('new-'))
      fs.rmSync(join(store.dir, name), { recursive: true, force: true, maxRetries: 5 })
  }
  const partial = join(store.dir, `new-${randomBytes(4).toString('hex')}`)
  const passwordFile = `${partial}-password`
  fs.writeFileSync(passwordFile, randomBytes(24).toString('base64url'), { mode: 0o600, flag: 'wx' })
  if (store.user !== undefined) fs.lchownSync(passwordFile, store.user.uid, store.user.gid)
  await runInitdb(store, binaries, [
    `--pgdata=${partial}`,
    `--username=${userName}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    // The password has 192 random bits, so stretching it only slows connecting down (3 ms each).
    '--set=scram_iterations=1',
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--no-instructions',
    ...(durable ? [] : ['--no-sync']),
  ])
  fs.renameSync(passwordFile, store.passwordFile)
  fs.renameSync(partial, store.clusterDir)
  if (durable) syncFolder(store.dir)
}

/** Without it a power failure could undo the move under data that was already answered for. */
function syncFolder(dir: string): void {
  const folder = fs.openSync(dir, 'r')
  fs.fsyncSync(folder)
  fs.closeSync(folder)
}

function runInitdb(store: Store, binaries: Binaries, args: string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const failed = (reason: string) =>
      reject(new StartError(`The database in ${store.dataDir} could not be created: ${reason}.`))
    const child = spawn(binaries.initdb, args, {
      cwd: store.dir,
      env: serverEnvironment,
      // Ctrl-C during the first start must leave the decision to us, too.
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe'],
      ...store.user,
    })
    let output = ''
    child.stderr.on('data', (data) => {
      output = (output + data).slice(-4_000)
    })
    child.on('error', (error) => failed(`${binaries.initdb} does not run here (${error.message})`))
    child.on('close', (code) => {
      if (code === 0) resolve()
      else failed(findReason(output) ?? `initdb ended with code ${code}`)
    })
  })
}

function findReason(output: string): string | undefined {
  const lines = output.split('\n').filter((line) => line.trim() !== '')
  const telling = lines.find((line) => /error:|FATAL:|PANIC:/.test(line)) ?? lines.at(-1)
  return telling?.replace(/^.*?(?:error|FATAL|PANIC|initdb): +/, '')
}
