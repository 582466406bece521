// Runs owner.ts in a process of its own, so that tests can kill it, and looks at what PostgreSQL it left.
import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

export type Answer = { connection?: pg.ClientConfig; version?: string; refused?: string }

export type Owner = {
  process: ChildProcess
  answer: Answer
  notices: string[]
  end(signal: NodeJS.Signals): Promise<void>
}

type OwnerOptions = { uid?: number; gid?: number; env?: NodeJS.ProcessEnv }

export async function startOwner(dataDir: string, options: OwnerOptions = {}): Promise<Owner> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'owner.ts'), dataDir], {
    stdio: ['ignore', 'pipe', 'pipe'],
    cwd: '/',
    // A group of its own, as a terminal gives to each command.
    detached: true,
    ...options,
  })
  const notices: string[] = []
  createInterface({ input: child.stderr }).on('line', (line) => notices.push(line))
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const line = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).once('line', resolve)
    ended.then(() => reject(new Error(`The owner ended without an answer: ${notices.join(' ')}`)))
  })
  const end = (signal: NodeJS.Signals) => {
    child.kill(signal)
    return ended
  }
  return { process: child, answer: JSON.parse(line), notices, end }
}

export async function query(connection: pg.ClientConfig | undefined, sql: string): Promise<unknown[][]> {
  const client = new pg.Client(connection)
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query({ text: sql, rowMode: 'array' })).rows
  } finally {
    await client.end()
  }
}

export function readPostmasterPid(dataDir: string): number {
  return Number(readFileSync(join(dataDir, 'postgres/data/postmaster.pid'), 'utf8').split('\n')[0])
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    // A process that ended stays listed until its parent, here perhaps a slow init, asks how.
    return process.platform !== 'linux' || !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

export async function until(condition: () => Promise<boolean> | boolean, timeoutMs = 10_000): Promise<void> {
  const deadlineAt = Date.now() + timeoutMs
  while (!(await condition())) {
    if (Date.now() > deadlineAt) throw new Error(`Not true within ${timeoutMs} ms: ${condition}`)
    await sleep(10)
  }
}
