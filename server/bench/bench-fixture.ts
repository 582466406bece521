// Everything the measures need, started once: PostgreSQL with the product's own settings, two equal databases (the
// service's and the baselines'), and a process for each role.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '@tollkeeper/embedded-postgres'
import pg from 'pg'
import { migrate } from '../src/storage/migrate.ts'
import { type Child, startChild } from './child.ts'
import type { LoadAnswer, LoadAsk } from './load.ts'
import type { Subjects } from './requests.ts'
import { featureKey, seedCatalogue, seedCustomers, seedKeys } from './seed.ts'

export type Target = 'bare' | 'plain' | 'service' | 'pair'

export type BenchFixture = {
  folder: string
  subjects: Subjects
  service: Child
  second: Child
  driver: Child
  bare: Child
  load: Child
  ports: Record<Target, number[]>
  /** A look into the service's database. */
  client: pg.Client
  run(target: Target, ask: RunAsk): Promise<LoadAnswer>
  close(): Promise<void>
}

export type RunAsk = Pick<LoadAsk, 'kind' | 'connections' | 'durationMs'> & { customers?: number }

const keyCount = 600
const customerCount = 1000

export async function openBenchFixture(profile: boolean): Promise<BenchFixture> {
  const { folder, connection, apiKeys, stopServer } = await startServer()
  const copy = { ...connection, database: 'baseline' }
  await copyDatabase(connection, copy.database)

  const service = startChild('instance.ts', profile ? ['--cpu-prof', '--cpu-prof-dir', tmpdir()] : [])
  const second = startChild('instance.ts')
  const plain = startChild('plain.ts')
  const bare = startChild('bare.ts')
  const driver = startChild('driver.ts')
  const load = startChild('load.ts')
  const [servicePort, secondPort, plainPort, barePort] = await Promise.all([
    service.ask('start', connection),
    second.ask('start', connection),
    plain.ask('start', copy),
    bare.ask('listen'),
    driver.ask('start', copy),
  ])
  const client = new pg.Client(connection)
  await client.connect()
  const subjects = { apiKeys, firstCustomer: 0, customers: customerCount, featureKey }
  const ports = {
    bare: [barePort],
    plain: [plainPort],
    service: [servicePort],
    pair: [servicePort, secondPort],
  }

  const run: BenchFixture['run'] = (target, { customers = customerCount, ...ask }) =>
    load.ask('run', {
      ...ask,
      ports: ports[target],
      subjects: { ...subjects, customers },
      isBare: target === 'bare',
      ...(target === 'service' || target === 'pair' ? { ledger: 'service' } : {}),
    } satisfies LoadAsk)

  async function close(): Promise<void> {
    await client.end()
    await Promise.all([service, second, plain, bare, driver, load].map((child) => child.stop()))
    await stopServer()
  }

  return { folder, subjects, service, second, driver, bare, load, ports, client, run, close }
}

/** PostgreSQL as the product starts it, in a folder of its own, with a seeded database. */
export async function startServer() {
  const folder = mkdtempSync(join(tmpdir(), 'tollkeeper-bench-'))
  // Root's folders are closed to PostgreSQL's user otherwise.
  chmodSync(folder, 0o711)
  const server = await startEmbeddedPostgres({ dataDir: folder, onNotice: console.error })
  const { connection } = server
  await migrate(connection)
  const apiKeys = await seed(connection)
  const stopServer = async () => {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  return { folder, connection, apiKeys, stopServer }
}

async function seed(connection: pg.ClientConfig): Promise<string[]> {
  const client = new pg.Client(connection)
  await client.connect()
  await seedCatalogue(client)
  const apiKeys = await seedKeys(client, keyCount)
  await seedCustomers(client, 0, customerCount)
  await client.end()
  return apiKeys
}

export async function copyDatabase(connection: pg.ClientConfig, name: string): Promise<void> {
  const client = new pg.Client({ ...connection, database: 'postgres' })
  await client.connect()
  await client.query(`create database ${name} template ${connection.database}`)
  await client.end()
}
