// What a crashed service or a killed PostgreSQL left running or lying in the folder, cleared away before the next start.
import { execFileSync } from 'node:child_process'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { StartError } from './start-error.ts'
import type { Store } from './store.ts'

/** Must be called by the owner of the folder only: whatever still runs there then runs for nobody. */
export async function clearLeftovers(store: Store, onNotice: (text: string) => void): Promise<void> {
  const pidFile = join(store.clusterDir, 'postmaster.pid')
  if (fs.existsSync(pidFile)) {
    await stopProcesses(store, onNotice)
    // A number that now belongs to another program would keep PostgreSQL from starting. A dead one stays:
    // PostgreSQL then checks the shared memory it names.
    const pid = findPostmasterPid(store)
    if (pid !== undefined && isAlive(pid)) fs.rmSync(pidFile, { force: true })
  }
  fs.rmSync(join(store.socketDir, '.s.PGSQL.5432.lock'), { force: true })
  fs.rmSync(join(store.socketDir, '.s.PGSQL.5432'), { force: true })
}

export function findPostmasterPid({ clusterDir }: Store): number | undefined {
  try {
    const line = fs.readFileSync(join(clusterDir, 'postmaster.pid'), 'utf8').split('\n')[0]
    return Number.parseInt(line ?? '', 10) || undefined
  } catch {
    return undefined
  }
}

async function stopProcesses(store: Store, onNotice: (text: string) => void): Promise<void> {
  const isMaster = (pid: number) => pid === findPostmasterPid(store)
  if (findProcesses(store).length === 0) return
  onNotice('Stopping a PostgreSQL that was left running.')
  // Fast shutdown by the master; children of a dead master are told to quit; then no more asking.
  const steps: [NodeJS.Signals, NodeJS.Signals, number][] = [
    ['SIGINT', 'SIGQUIT', 10_000],
    ['SIGQUIT', 'SIGKILL', 5_000],
    ['SIGKILL', 'SIGKILL', 5_000],
  ]
  for (const [toMaster, toOrphan, waitMs] of steps) {
    const running = findProcesses(store)
    const masters = running.filter(isMaster)
    for (const pid of masters) send(pid, toMaster)
    if (masters.length === 0) for (const pid of running) send(pid, toOrphan)
    const deadlineAt = Date.now() + (masters.length === 0 ? 1_000 : waitMs)
    while (Date.now() < deadlineAt) {
      if (findProcesses(store).length === 0) return
      await sleep(20)
    }
  }
  throw new StartError(
    `A PostgreSQL in ${store.dataDir} (process ${findProcesses(store)[0]}) cannot be stopped; stop it and start again.`,
  )
}

/** Every process of PostgreSQL works in its data folder; where there is no /proc the master's arguments tell. */
function findProcesses({ clusterDir }: Store): number[] {
  if (process.platform === 'linux') {
    return fs
      .readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name) && findFolder(name) === clusterDir)
      .map(Number)
  }
  return execFileSync('ps', ['-axo', 'pid=,command='], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes(` -D ${clusterDir} `))
    .map((line) => Number.parseInt(line, 10))
}

function findFolder(pid: string): string | undefined {
  try {
    return fs.readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    return undefined
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It ended in between.
  }
}
