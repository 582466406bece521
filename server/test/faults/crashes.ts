// Kills the service, its database or its connections again and again under load.
import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { findEmbedded } from '@tollkeeper/embedded-postgres'
import { findPostmasterPid } from '@tollkeeper/embedded-postgres/leftovers'
import { findStore } from '@tollkeeper/embedded-postgres/store'
import pg from 'pg'
import { startCommand } from '../cli/command.ts'
import { createTestFolder } from '../database.ts'
import { healedWithinMs, prepareLoad, promisedMs, variables, waitUntil } from './load.ts'
import type { Report } from './run.ts'

/** `strike` tells how long it took until the service answered again, where that is promised. */
type Fault = { name: string; everyMs: number; strike(): Promise<number | undefined> }

export async function runCrashes(seconds: number, report: Report): Promise<void> {
  const dataDir = createTestFolder()
  const port = String(20_000 + (process.pid % 20_000))
  const start = () => startCommand({ ...variables, PORT: port, DATA_DIR: dataDir })
  let service = await start()
  const getConnection = async () => {
    const connection = await findEmbedded({ dataDir })
    assert.ok(connection, 'the embedded database is not running')
    return connection
  }
  const load = await prepareLoad(() => `http://127.0.0.1:${port}`, getConnection)
  const waitUntilHealed = (limitMs: number) =>
    waitUntil('healed', limitMs, async () => {
      const answer = await load.ask('GET', '/v1/feature-access?customerId=c0').catch(() => undefined)
      return answer?.status === 200
    })
  const faults: Fault[] = [
    {
      name: 'kill -9 of the service',
      everyMs: 2_000,
      strike: async () => {
        service.child.kill('SIGKILL')
        await service.ended
        const startedAt = Date.now()
        service = await start()
        await waitUntilHealed(promisedMs)
        return Date.now() - startedAt
      },
    },
    {
      name: 'kill -9 of PostgreSQL',
      everyMs: 4_000,
      strike: async () => {
        const store = findStore(dataDir)
        const pid = store && findPostmasterPid(store)
        if (pid === undefined) throw new Error('it has not come back yet')
        process.kill(pid, 'SIGKILL')
        return waitUntilHealed(healedWithinMs)
      },
    },
    {
      name: 'connections terminated',
      everyMs: 200,
      strike: async () => {
        const client = new pg.Client(await getConnection())
        await client.connect()
        const others = 'select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1'
        await client.query(others, ['tollkeeper'])
        await client.end()
        return undefined
      },
    },
  ]
  try {
    for (const { name, everyMs, strike } of faults)
      await report(name, () => load.during(name, () => repeat(strike, everyMs, seconds)))
  } finally {
    service.child.kill('SIGTERM')
    await service.ended
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function repeat(strike: Fault['strike'], everyMs: number, seconds: number): Promise<string> {
  const endsAt = Date.now() + seconds * 1000
  let strikes = 0
  let slowestMs = 0
  while (Date.now() < endsAt) {
    await sleep(everyMs * (0.5 + Math.random()))
    const healedMs = await strike().catch((error: Error) => {
      // Nobody may be there to be struck; that it does not come back is another matter.
      if (error instanceof assert.AssertionError) throw error
      return undefined
    })
    strikes++
    slowestMs = Math.max(slowestMs, healedMs ?? 0)
  }
  return slowestMs > 0 ? `${strikes} times, back after ${slowestMs} ms at most` : `${strikes} times`
}
