// Kills the service, its database or its connections again and again under load.
import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { findEmbedded } from '../../src/embedded/embedded-postgres.ts'
import { findPostmasterPid } from '../../src/embedded/leftovers.ts'
import { findStore } from '../../src/embedded/store.ts'
import { startCommand } from '../cli/command.ts'
import { createTestFolder } from '../database.ts'
import { prepareLoad, variables } from './load.ts'
import type { Report } from './run.ts'

type Fault = { name: string; everyMs: number; strike(): Promise<void> }

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
  const faults: Fault[] = [
    {
      name: 'kill -9 of the service',
      everyMs: 2_000,
      strike: async () => {
        service.child.kill('SIGKILL')
        await service.ended
        service = await start()
      },
    },
    {
      name: 'kill -9 of PostgreSQL',
      everyMs: 4_000,
      strike: async () => {
        const store = findStore(dataDir)
        const pid = store && findPostmasterPid(store)
        if (pid !== undefined) process.kill(pid, 'SIGKILL')
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
      },
    },
  ]
  try {
    const load = await prepareLoad(() => `http://127.0.0.1:${port}`, getConnection)
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
  while (Date.now() < endsAt) {
    await sleep(everyMs * (0.5 + Math.random()))
    await strike().then(
      () => strikes++,
      () => {},
    )
  }
  assert.ok(strikes > 0, 'the fault never struck')
  return `${strikes} times`
}
