// A disk that fills up under load, first so that tables cannot grow, then so that PostgreSQL cannot write its log and gives up.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findEmbedded } from '@tollkeeper/embedded-postgres'
import pg from 'pg'
import { type Running, startCommand } from '../cli/command.ts'
import { createTestFolder } from '../database.ts'
import { assertRefused, type Load, prepareLoad, variables, waitUntil } from './load.ts'
import type { Report } from './run.ts'

// An empty database takes a quarter of it.
const diskMb = 256
const writesBefore = 200
const refusedWithinMs = 60_000
const healedWithinMs = 30_000

export async function runDiskFull(seconds: number, report: Report): Promise<void> {
  const dataDir = createTestFolder()
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${diskMb}m,mode=0711`, 'tmpfs', dataDir], {
      stdio: 'pipe',
    })
  } catch (error) {
    rmSync(dataDir, { recursive: true, force: true })
    console.log(
      `– a full disk: left out, no small disk can be mounted here (${(error as Error).message.trim()})`,
    )
    return
  }
  try {
    await fillUnderLoad(dataDir, seconds, report)
  } finally {
    execFileSync('umount', [dataDir])
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function fillUnderLoad(dataDir: string, seconds: number, report: Report): Promise<void> {
  const service = await startCommand({ ...variables, DATA_DIR: dataDir })
  const getConnection = async () => {
    const connection = await findEmbedded({ dataDir })
    assert.ok(connection, 'the embedded database is not running')
    return connection
  }
  try {
    const load = await prepareLoad(() => service.url, getConnection)
    await report('a full disk', () => load.during('tables', () => fill(dataDir, seconds, load)))
    const giveUp = async () => {
      const connection = await getConnection()
      return fill(dataDir, seconds, load, () => breakLog(connection, service))
    }
    await report('a full disk that ends PostgreSQL', () => load.during('log', giveUp))
  } finally {
    service.child.kill('SIGTERM')
    await service.ended
  }
}

/** Until the disk is free again, and the service has noticed. */
async function fill(
  dataDir: string,
  seconds: number,
  load: Load,
  whileFull = async () => {},
): Promise<string> {
  const ballast = join(dataDir, 'ballast')
  let refused = 0
  let count = 0
  const isWritten = async () => {
    const event = { customerId: 'c0', featureKey: 'f', eventKey: `${Date.now()}-${count++}`, amount: 0 }
    const answer = await load.ask('POST', '/v1/usage', event)
    if (answer.status === 200) return true
    assertRefused(answer)
    refused++
    return false
  }
  try {
    // So that there is something to lose.
    for (let n = 0; n < writesBefore; n++) assert.ok(await isWritten())
    fillDisk(ballast)
    await waitUntil('refused', refusedWithinMs, async () => !(await isWritten()))
    await whileFull()
    const endsAt = Date.now() + seconds * 1000
    while (Date.now() < endsAt) {
      await isWritten()
      await sleep(100)
    }
  } finally {
    rmSync(ballast, { force: true })
  }
  const healedMs = await waitUntil('healed', healedWithinMs, isWritten)
  return `${refused} refused, healed after ${healedMs} ms`
}

function fillDisk(path: string): void {
  const file = openSync(path, 'w')
  try {
    for (const chunk of [Buffer.alloc(1_048_576), Buffer.alloc(4_096)]) {
      assert.throws(
        () => {
          for (;;) writeSync(file, chunk)
        },
        { code: 'ENOSPC' },
      )
    }
  } finally {
    closeSync(file)
  }
}

/** What is written after this needs a file that there is no room for; PostgreSQL cannot go on without it. */
async function breakLog(connection: pg.ClientConfig, { output }: Running): Promise<void> {
  const client = new pg.Client({ ...connection, query_timeout: 1_000 })
  client.on('error', () => {})
  await client.connect()
  // It may end before it answers.
  await client.query('select pg_switch_wal()').catch(() => {})
  await client.end().catch(() => {})
  await waitUntil('PostgreSQL gave up', refusedWithinMs, () => /ended unexpectedly/.test(output.stdout))
}
