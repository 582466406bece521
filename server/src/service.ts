// One running instance over a database: connections, what is held in memory, the provider, the listener; and their end.
import { randomBytes } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { SimulatorSecrets } from '@tollkeeper/simulator/src/api/handler.ts'
import { createSimulator, type Simulator } from '@tollkeeper/simulator/src/simulator.ts'
import type { FastifyInstance } from 'fastify'
import type pg from 'pg'
import { buildApp } from './app.ts'
import type { Config } from './config.ts'
import { type Environment, environments } from './domain/environment.ts'
import { type BackgroundWork, startBackgroundWork } from './operations/background-work.ts'
import { startJob } from './operations/job.ts'
import { configureKeys, renewEveryMs } from './operations/keys/configure-keys.ts'
import { createKeyUse } from './operations/keys/note-key-use.ts'
import { createLedgerWriter } from './operations/ledger/write-ledger.ts'
import { seedCatalogue } from './operations/products/seed-catalogue.ts'
import type { Services } from './operations/services.ts'
import type { Provider } from './provider/provider.ts'
import { createStripeProvider } from './provider/stripe/provider.ts'
import { createCatalogues } from './storage/catalogue/catalogues.ts'
import { openDatabase } from './storage/database.ts'
import { createAdmission } from './storage/keys/admission.ts'
import { createHeldStates } from './storage/ledger/held-states.ts'
import { openPipelinedConnection } from './storage/pipelined-connection.ts'
import { createSimulatorStore } from './storage/simulator/store.ts'

export type Service = {
  /** Where it listens, e.g. http://127.0.0.1:4100. */
  url: string
  app: FastifyInstance
  services: Services
  /** The provider of every environment that has no key of its own. */
  simulator: Simulator
  /** Where the simulator's protocol is spoken, and what its environments' keys are, for whoever plays the account's owner. */
  simulatorAccess: SimulatorAccess
  /** Fills an empty test environment of a local installation; false when there is nothing to do. */
  seedFirstCatalogue(): Promise<boolean>
  close(): Promise<void>
}

export type SimulatorAccess = { url: string; secrets: SimulatorSecrets }

const poolSize = 10
const simulatorPoolSize = 4
// A batch waits for a customer only as long as an ordinary write takes; whoever is locked for longer is set apart.
const batchLockMs = 100

export async function startService(config: Config, connection: pg.ClientConfig): Promise<Service> {
  const database = openDatabase({ connection, poolSize })
  const admitting = openPipelinedConnection(database.config)
  const reading = openPipelinedConnection(database.config)
  const writing = [1, 2].map(() => openPipelinedConnection({ ...database.config, lock_timeout: batchLockMs }))
  const states = createHeldStates(reading)
  const catalogues = createCatalogues(database)
  const keyUse = createKeyUse(database)
  await configureKeys(database, config.apiKeys)

  const listening = { url: '' }
  const publicUrl = () => config.publicUrl ?? listening.url.replace('127.0.0.1', 'localhost')
  const { providers, simulator, simulatorAccess, closeSimulator } = await startProviders(
    config,
    connection,
    listening,
    publicUrl,
  )
  let worker: BackgroundWork | undefined
  const services: Services = {
    database,
    admit: createAdmission(admitting, states, config.limits),
    catalogues,
    states,
    writeLedger: createLedgerWriter({
      database,
      catalogues,
      states,
      connections: writing,
      onFault: (error) => app.log.error({ err: error }, 'what was held of a customer was wrong'),
    }),
    providers,
    publicUrl,
    wakeWorker: () => worker?.wake(),
    clockMoved: (environment) =>
      config.providerKeys[environment] ? Promise.resolve() : simulator.advance(environment),
  }
  const app = buildApp({ services, limits: config.limits, logLevel: config.logLevel, noteUse: keyUse.note })
  await app.register((scope) => mountPages(scope, simulator), { prefix: '/simulator' })
  // Ready when it says so: the first request does not wait for the catalogue.
  for (const environment of environments) await catalogues.current(environment)
  await listenQuietly(app, config)
  listening.url = urlOf(app.server)
  simulator.start()
  const onError = (error: unknown, doing: string) => app.log.warn({ err: error }, `${doing} failed`)
  worker = startBackgroundWork(services, onError)
  const renewing = startJob(
    'renewing configured keys',
    renewEveryMs,
    () => configureKeys(database, config.apiKeys).then(() => 0),
    onError,
  )

  async function close(): Promise<void> {
    await app.close()
    await worker?.close()
    await renewing.close()
    await closeSimulator()
    await keyUse.close()
    await Promise.all([admitting, reading, ...writing].map((connection) => connection.close()))
    await database.close()
  }

  const seedFirstCatalogue = async () => {
    const isLocal = config.databaseUrl === undefined && config.providerKeys.test === undefined
    const { url, secrets } = simulatorAccess
    return config.demo && isLocal
      ? seedCatalogue(services, { url, secretKey: secrets.test.secretKey })
      : false
  }

  return { url: listening.url, app, services, simulator, simulatorAccess, seedFirstCatalogue, close }
}

/** The hosted pages read and answer by themselves, so the parsers leave their bodies alone. */
async function mountPages(scope: FastifyInstance, simulator: Simulator): Promise<void> {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
  // A session's link is a secret for as long as it lives, so these requests are not logged.
  scope.all('/*', { logLevel: 'silent' }, (request, reply) => {
    reply.hijack()
    simulator.pages(request.raw, reply.raw)
  })
}

/** Whoever starts the service says where it listens, in words for a person. */
async function listenQuietly(app: FastifyInstance, { port, host, logLevel }: Config): Promise<void> {
  app.log.level = logLevel === 'silent' ? logLevel : 'warn'
  await app.listen({ port, host })
  app.log.level = logLevel
}

/** An environment without a key of its own gets the simulator, reached over HTTP by the very same adapter. */
async function startProviders(
  config: Config,
  connection: pg.ClientConfig,
  listening: { url: string },
  publicUrl: () => string,
) {
  // Connections of its own: a simulated provider must not be able to do to the service what a real one cannot.
  const database = openDatabase({ connection, poolSize: simulatorPoolSize })
  const secrets = Object.fromEntries(
    environments.map((environment) => [environment, makeSecrets(environment)]),
  ) as SimulatorSecrets
  const simulator = createSimulator({
    store: createSimulatorStore(database),
    webhookTarget: (environment) => `${listening.url}/provider/webhooks/${environment}`,
    publicUrl,
    secrets,
  })
  const server = createServer(simulator.handler)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const simulated = { host: '127.0.0.1', port, protocol: 'http' as const }
  const toProvider = (environment: Environment): Provider => {
    const keys = config.providerKeys[environment]
    if (!keys) return createStripeProvider({ environment, ...secrets[environment], ...simulated })
    // Without a webhook secret every webhook is refused: nobody knows this one. Reconciliation still finds all changes.
    const webhookSecret = keys.webhookSecret ?? secrets[environment].webhookSecret
    return createStripeProvider({ environment, secretKey: keys.secretKey, webhookSecret })
  }
  const closeSimulator = async () => {
    await simulator.close()
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
    await database.close()
  }
  const simulatorAccess = { url: `http://127.0.0.1:${port}`, secrets }
  return {
    providers: { test: toProvider('test'), live: toProvider('live') },
    simulator,
    simulatorAccess,
    closeSimulator,
  }
}

/** Known to this process only: its adapter and its simulator are the two that need them. */
const makeSecrets = (environment: Environment) => ({
  secretKey: `sk_${environment}_${randomBytes(24).toString('hex')}`,
  webhookSecret: `whsec_${randomBytes(24).toString('hex')}`,
})

function urlOf(server: Server): string {
  const { address, port, family } = server.address() as AddressInfo
  const host =
    address === '0.0.0.0' || address === '::' ? '127.0.0.1' : family === 'IPv6' ? `[${address}]` : address
  return `http://${host}:${port}`
}
