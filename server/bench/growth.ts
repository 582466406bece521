// How speed holds as tables grow: a small and a large database side by side, an instance of the service over each, asked in
// turns.
import pg from 'pg'
import { copyDatabase, startServer } from './bench-fixture.ts'
import { type Child, startChild } from './child.ts'
import { fillEvents, fillEventsOf, warmBuffers } from './fill.ts'
import type { LoadAnswer, LoadAsk } from './load.ts'
import type { Row } from './measures.ts'
import type { Kind } from './requests.ts'
import { median, medianRatio, type Plan, runInTurns } from './rounds.ts'
import { featureKey, seedCustomers } from './seed.ts'

type Sizes = { customers: number; events: number; ofOne: number }

const small: Sizes = { customers: 1_000, events: 10_000, ofOne: 1_000 }
const usual: Sizes = { customers: 1_000_000, events: 10_000_000, ofOne: 1_000_000 }
const quick: Sizes = { customers: 100_000, events: 1_000_000, ofOne: 100_000 }

type Place = { port: number; first: number; customers: number }

export async function measureGrowth(plan: Plan, isQuick: boolean): Promise<Row[]> {
  const large = isQuick ? quick : usual
  const { connection, apiKeys, stopServer } = await startServer()
  const load = startChild('load.ts')
  const children: Child[] = [load]
  try {
    await copyDatabase(connection, 'large')
    await prepare(connection, small, small.customers)
    await prepare({ ...connection, database: 'large' }, large, small.customers)
    const start = async (database: string | undefined): Promise<number> => {
      const child = startChild('instance.ts')
      children.push(child)
      return child.ask('start', { ...connection, database })
    }
    const ports = { small: await start(connection.database), large: await start('large') }
    const run = (kind: Kind, { port, first, customers }: Place, durationMs: number): Promise<LoadAnswer> => {
      const subjects = { apiKeys, firstCustomer: first, customers, featureKey }
      return load.ask('run', {
        ports: [port],
        connections: 32,
        durationMs,
        kind,
        subjects,
        isBare: false,
      } satisfies LoadAsk)
    }
    const compare = async (kind: Kind, few: Place, many: Place): Promise<string> => {
      const values = await runInTurns(plan, {
        few: async (durationMs) => (await run(kind, few, durationMs)).perSecond,
        many: async (durationMs) => (await run(kind, many, durationMs)).perSecond,
      })
      return `${medianRatio(values.many, values.few).toFixed(2)} (${(median(values.many) / 1000).toFixed(1)}k/s)`
    }
    // The customer with many events, or few, comes after all others.
    const one = (port: number, { customers }: Sizes): Place => ({ port, first: customers, customers: 1 })
    const all = (port: number, { customers }: Sizes): Place => ({ port, first: 0, customers })
    const size = (from: number, to: number) =>
      `${from.toExponential(0)} → ${to.toExponential(0)}`.replaceAll('e+', '0^')
    return [
      {
        measure: `read rate of a customer with ${size(small.ofOne, large.ofOne)} events`,
        must: '≥ 0.91',
        aim: '1',
        seen: await compare('read', one(ports.small, small), one(ports.large, large)),
      },
      {
        measure: 'the same, nothing held in memory (GET /v1/customers/{id})',
        must: '',
        aim: '',
        seen: await compare('customer', one(ports.small, small), one(ports.large, large)),
      },
      {
        measure: `write rate, ${size(small.events, large.events)} events`,
        must: '≥ 0.75',
        aim: '≥ 0.9',
        seen: await compare('write', all(ports.small, small), all(ports.large, small)),
      },
      {
        measure: `read rate, ${size(small.customers, large.customers)} customers`,
        must: '≥ 0.6',
        aim: '≥ 0.8',
        seen: await compare('read', all(ports.small, small), all(ports.large, large)),
      },
    ]
  } finally {
    await Promise.all(children.map((child) => child.stop()))
    await stopServer()
  }
}

async function prepare(connection: pg.ClientConfig, sizes: Sizes, seeded: number): Promise<void> {
  const client = new pg.Client(connection)
  await client.connect()
  console.error(`filling ${connection.database}: ${sizes.customers} customers, ${sizes.events} events`)
  await seedCustomers(client, seeded, sizes.customers + 1)
  await fillEvents(client, sizes.customers, sizes.events)
  await fillEventsOf(client, `c${sizes.customers}`, sizes.ofOne)
  await warmBuffers(client)
  await client.end()
}
