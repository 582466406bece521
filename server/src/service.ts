// One running instance over a database: connections, what is held in memory, the provider, the listener; and their end.
import { readFileSync } from 'node:fs'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Simulator } from '@tollkeeper/simulator/src/simulator.ts'
import type { FastifyInstance } from 'fastify'
import type pg from 'pg'
import { buildApp } from './app.ts'
import type { Config } from './config.ts'
import { environments } from './domain/environment.ts'
import { servicePrincipal } from './domain/principal.ts'
import { type BackgroundWork, startBackgroundWork } from './operations/background-work.ts'
import { type MadeDemo, makeDemo } from './operations/demo/make-demo.ts'
import { startJob } from './operations/job.ts'
import { configureKeys, renewEveryMs } from './operations/keys/configure-keys.ts'
import { createKeyUse } from './operations/keys/note-key-use.ts'
import { createLedgerWriter } from './operations/ledger/write-ledger.ts'
import { createMetrics } from './operations/metrics/read-metrics.ts'
import { ensureAdmin } from './operations/people/ensure-admin.ts'
import { createRequestLog } from './operations/requests/request-log.ts'
import type { Services } from './operations/services.ts'
import { createTally } from './operations/statistics/tally.ts'
import { describeProviders, type SimulatorAccess, startProviders } from './providers.ts'
import { openDatabaseServer } from './storage/database-server.ts'
import { openChannel } from './storage/requests/channel.ts'
import { createTelemetry } from './telemetry/telemetry.ts'

export type Service = {
  /** Where it listens, e.g. http://127.0.0.1:4100. */
  url: string
  app: FastifyInstance
  services: Services
  /** The provider of every environment that has no key of its own. */
  simulator: Simulator
  /** Where the simulator's protocol is spoken, and what its environments' keys are, for whoever plays the account's owner. */
  simulatorAccess: SimulatorAccess
  /**
   * Fills an empty test environment of a local installation, or goes on where that was cut off; undefined when there is nothing
   * to do. Catalogue and first customer are there when it answers, the rest follows by itself.
   */
  startDemo(): Promise<MadeDemo | undefined>
  close(): Promise<void>
}

export async function startService(config: Config, connection: pg.ClientConfig): Promise<Service> {
  const version = readVersion()
  const telemetry = createTelemetry(version)
  const server = openDatabaseServer(connection, config.limits, telemetry)
  const { database, catalogues, states } = server
  const keyUse = createKeyUse(database)
  const tally = createTally(database)
  await configureKeys(database, config.apiKeys)
  if (config.admin) await ensureAdmin(database, config.admin)

  const listening = { url: '' }
  const publicUrl = () => config.publicUrl ?? listening.url.replace('127.0.0.1', 'localhost')
  const { providers, accountOwners, simulator, simulatorAccess, startSimulator, closeSimulator } =
    await startProviders(config, connection, listening, publicUrl)
  let worker: BackgroundWork | undefined
  const services: Services = {
    database,
    admit: server.admit,
    customerTurns: server.customerTurns,
    catalogues,
    states,
    writeLedger: createLedgerWriter({
      database,
      catalogues,
      states,
      connections: server.writing,
      customerTurns: server.customerTurns,
      telemetry,
      onFault: (error) => app.log.error({ err: error }, 'what was held of a customer was wrong'),
    }),
    tally,
    providers,
    accountOwners,
    installation: {
      version,
      limits: config.limits,
      providers: describeProviders(config, simulatorAccess.url),
    },
    publicUrl,
    requestLog: createRequestLog((onMessage) => openChannel(database.config, onMessage)),
    wakeWorker: () => worker?.wake(),
    clockMoved: (environment) =>
      config.providerKeys[environment] ? Promise.resolve() : simulator.advance(environment),
  }
  const app = buildApp({
    services,
    limits: config.limits,
    logLevel: config.logLevel,
    noteUse: keyUse.note,
    telemetry,
    metrics: { read: createMetrics(telemetry, server), token: config.metricsToken },
  })
  await app.register((scope) => mountPages(scope, simulator), { prefix: '/simulator' })
  // Ready when it says so: the first request does not wait for the catalogue.
  for (const environment of environments) await catalogues.current(environment)
  await listenQuietly(app, config)
  listening.url = urlOf(app.server)
  startSimulator()
  const onError = (error: unknown, doing: string) => {
    telemetry.jobFailed(doing)
    app.log.warn({ err: error }, `${doing} failed`)
  }
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
    await tally.close()
    await services.requestLog.close()
    await server.close()
    telemetry.close()
  }

  const startDemo = async () => {
    const isLocal = config.databaseUrl === undefined && config.providerKeys.test === undefined
    if (!config.demo || !isLocal) return undefined
    return makeDemo(services, servicePrincipal('test', 'first start'), true)
  }

  return { url: listening.url, app, services, simulator, simulatorAccess, startDemo, close }
}

function readVersion(): string {
  const file = join(import.meta.dirname, '../package.json')
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version
}

/** The hosted pages read and answer by themselves, so the parsers leave their bodies alone. */
async function mountPages(scope: FastifyInstance, simulator: Simulator): Promise<void> {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
  // A session's link is a secret for as long as it lives, so these requests are not logged.
  scope.all('/*', { logLevel: 'silent' }, (request, reply) => {
    reply.hijack()
    reply.raw.setHeader('x-request-id', request.id)
    simulator.pages(request.raw, reply.raw)
  })
}

/** Whoever starts the service says where it listens, in words for a person. */
async function listenQuietly(app: FastifyInstance, { port, host, logLevel }: Config): Promise<void> {
  app.log.level = logLevel === 'silent' ? logLevel : 'warn'
  await app.listen({ port, host })
  app.log.level = logLevel
}

function urlOf(server: Server): string {
  const { address, port, family } = server.address() as AddressInfo
  const host =
    address === '0.0.0.0' || address === '::' ? '127.0.0.1' : family === 'IPv6' ? `[${address}]` : address
  return `http://${host}:${port}`
}
