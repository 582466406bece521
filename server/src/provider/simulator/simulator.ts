// A payment provider in this process: speaks the part of Stripe's protocol that the adapter uses, keeps its state in
// PostgreSQL, shows hosted checkout and portal pages, and follows the environment's clock.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { type Environment, environments } from '../../domain/environment.ts'
import type { Database } from '../../storage/database.ts'
import { lockSimulator, pruneSimulator } from '../../storage/simulator.ts'
import { advanceBatch, hasDue } from './advance.ts'
import { deliverDue } from './delivery.ts'
import { createFaults, type SimulatorFaults } from './faults.ts'
import { createHandler, type SimulatorSecrets } from './handler.ts'
import { createLoop } from './loop.ts'
import { createPages } from './pages/routes.ts'
import type { World } from './world.ts'

export type SimulatorOptions = {
  database: Database
  /** Business time in ms. */
  now: (environment: Environment) => Promise<number>
  /** Where an environment's webhooks go. */
  webhookTarget: (environment: Environment) => string
  /** The address, without a slash at its end, under which `pages` are mounted at /simulator. */
  publicUrl: () => string
  secrets: SimulatorSecrets
}

export type Simulator = {
  /** The API; needs a server of its own, since its paths begin with /v1 like the service's. */
  handler(request: IncomingMessage, response: ServerResponse): void
  /** The hosted pages, to be registered with the prefix /simulator. */
  pages(app: FastifyInstance): Promise<void>
  /** Lets happen what has fallen due by business time; call it after the clock moved. */
  advance(environment: Environment): Promise<void>
  /** Sends the webhooks that are due and says how many were tried. */
  deliverDue(): Promise<number>
  faults: SimulatorFaults
  /** Delivers webhooks and follows the clock on its own from here on. */
  start(): void
  close(): Promise<void>
}

const tickMs = 500
const advanceEveryTicks = 20
const pruneEveryTicks = 7_200

export function createSimulator(options: SimulatorOptions): Simulator {
  const { database, now, webhookTarget, publicUrl, secrets } = options
  const faults = createFaults()
  const deliveryOptions = {
    database,
    webhookTarget,
    webhookSecret: (environment: Environment) => secrets[environment].webhookSecret,
    faults,
  }

  const loop = createLoop(tickMs, async (tick) => {
    await deliverDue(deliveryOptions)
    if (tick % advanceEveryTicks === 0) for (const environment of environments) await advance(environment)
    if (tick % pruneEveryTicks === 0) await pruneSimulator(database.pool, Date.now())
  })

  // The clock is asked before a connection is taken: asking it may need one too.
  async function readWorld<T>(environment: Environment, work: (world: World) => Promise<T>): Promise<T> {
    const nowSeconds = Math.floor((await now(environment)) / 1000)
    return work({ environment, now: nowSeconds, sql: database.pool, publicUrl: publicUrl(), faults })
  }

  // One after the other in this process before the lock over all processes: who waits for a turn holds no connection.
  const turns = new Map<Environment, Promise<unknown>>()

  async function inWorld<T>(environment: Environment, work: (world: World) => Promise<T>): Promise<T> {
    const act = () =>
      readWorld(environment, (world) =>
        database.inTransaction(async (sql) => {
          await lockSimulator(sql, environment)
          return work({ ...world, sql })
        }),
      )
    const turn = (turns.get(environment) ?? Promise.resolve()).then(act)
    turns.set(
      environment,
      turn.catch(() => {}),
    )
    const result = await turn
    loop.wake()
    return result
  }

  async function advance(environment: Environment): Promise<void> {
    // Looking needs no lock, and most of the time there is nothing to do.
    while (await readWorld(environment, hasDue)) await inWorld(environment, advanceBatch)
  }

  return {
    handler: createHandler({ secrets, faults, inWorld, readWorld }),
    pages: createPages({ inWorld, readWorld }),
    advance,
    deliverDue: () => deliverDue(deliveryOptions),
    faults,
    start: loop.start,
    close: loop.close,
  }
}
