// A payment provider in one process: speaks a part of Stripe's protocol, shows hosted checkout and portal pages, sends
// signed webhooks, and follows a clock. Where it keeps its state is for whoever makes it to say.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createHandler, type SimulatorSecrets } from './api/handler.ts'
import type { Context, ContextAccess } from './context.ts'
import { type Environment, environments } from './environment.ts'
import { deliverDue } from './events/delivery.ts'
import { createFaults, type SimulatorFaults } from './faults.ts'
import { createLoop } from './loop.ts'
import { createPages } from './pages/routes.ts'
import type { Store, StoreSession } from './store/store.ts'
import { advanceBatch, hasDue } from './subscriptions/advance.ts'

type SimulatorOptions = {
  store: Store
  /** Where an environment's webhooks go; undefined sends none. */
  webhookTarget: (environment: Environment) => string | undefined
  /** The address, without a slash at its end, under which `pages` answer /simulator. */
  publicUrl: () => string
  secrets: SimulatorSecrets
}

export type Simulator = {
  /** The API: paths that begin with /v1. */
  handler(request: IncomingMessage, response: ServerResponse): void
  /** The hosted pages: paths that begin with /simulator. */
  pages(request: IncomingMessage, response: ServerResponse): void
  /** Lets happen what has fallen due by business time; call it after the clock moved. */
  advance(environment: Environment): Promise<void>
  /** Sends the webhooks that are due and says how many were tried. */
  deliverDue(): Promise<number>
  faults: SimulatorFaults
  /** For whoever shows or changes the account's objects beside the protocol. */
  access: ContextAccess
  /** Delivers webhooks and follows the clock on its own from here on. */
  start(): void
  close(): Promise<void>
}

const tickMs = 500
const advanceEveryTicks = 20
const pruneEveryTicks = 7_200

export function createSimulator(options: SimulatorOptions): Simulator {
  const { store, webhookTarget, publicUrl, secrets } = options
  const faults = createFaults()
  const deliveryOptions = {
    store,
    webhookTarget,
    webhookSecret: (environment: Environment) => secrets[environment].webhookSecret,
    faults,
  }

  const loop = createLoop(tickMs, async (tick) => {
    await deliverDue(deliveryOptions)
    if (tick % advanceEveryTicks === 0) for (const environment of environments) await advance(environment)
    if (tick % pruneEveryTicks === 0) await store.prune(Date.now())
  })

  // The clock is asked before the store is: asking it may need a connection too, while others wait for theirs.
  async function openContext(environment: Environment): Promise<(session: StoreSession) => Context> {
    const now = Math.floor((await store.readClock(environment)) / 1000)
    return (session) => ({ environment, now, store: session, publicUrl: publicUrl(), faults })
  }

  const access: ContextAccess = {
    async read(environment, work) {
      const toContext = await openContext(environment)
      return store.read(environment, (session) => work(toContext(session)))
    },
    async write(environment, work) {
      const toContext = await openContext(environment)
      const result = await store.write(environment, (session) => work(toContext(session)))
      loop.wake()
      return result
    },
  }

  async function advance(environment: Environment): Promise<void> {
    // Looking needs no lock, and most of the time there is nothing to do.
    while (await access.read(environment, hasDue)) await access.write(environment, advanceBatch)
  }

  return {
    handler: createHandler({ secrets, faults, access }),
    pages: createPages(access),
    advance,
    deliverDue: () => deliverDue(deliveryOptions),
    faults,
    access,
    start: loop.start,
    close: loop.close,
  }
}
