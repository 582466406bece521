// The payment provider of each environment: the account that is configured, or the simulator, through the very same adapter. Live is
// never simulated unless that is asked for: a test card must not buy a live plan.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { StartError } from '@tollkeeper/embedded-postgres/start-error'
import type { SimulatorSecrets } from '@tollkeeper/simulator/src/api/handler.ts'
import { createSimulator, type Simulator } from '@tollkeeper/simulator/src/simulator.ts'
import type pg from 'pg'
import type { Config } from './config.ts'
import { type Environment, environments } from './domain/environment.ts'
import type { Installation } from './operations/services.ts'
import type { AccountOwner, Provider, ProviderKeys } from './provider/provider.ts'
import { createAccountOwner } from './provider/stripe/account-owner.ts'
import type { StripeAddress } from './provider/stripe/client.ts'
import { createStripeProvider } from './provider/stripe/provider.ts'
import { makeSimulatedKeys } from './provider/stripe/simulator-secrets.ts'
import { openDatabase } from './storage/database.ts'
import { createSimulatorStore } from './storage/simulator/store.ts'

/** `url` is empty while nothing is simulated. */
export type SimulatorAccess = { url: string; address: StripeAddress; secrets: SimulatorSecrets }

export type Providers = {
  providers: Record<Environment, Provider | undefined>
  /** Where the provider is simulated. */
  accountOwners: Record<Environment, AccountOwner | undefined>
  simulator: Simulator
  simulatorAccess: SimulatorAccess
  /** Follows the clock and sends webhooks from here on, where anything is simulated. */
  startSimulator(): void
  closeSimulator(): Promise<void>
}

const simulatorPoolSize = 4

export async function startProviders(
  config: Config,
  connection: pg.ClientConfig,
  listening: { url: string },
  publicUrl: () => string,
): Promise<Providers> {
  const simulated = listSimulated(config)
  // Connections of its own: a simulated provider must not be able to do to the service what a real one cannot.
  const database = openDatabase({ connection, poolSize: simulatorPoolSize })
  // Nobody knows the keys of an environment that is not simulated.
  const toKeys = (environment: Environment) =>
    makeSimulatedKeys(environment, simulated.includes(environment) ? config.secret : undefined)
  const secrets = { test: toKeys('test'), live: toKeys('live') }
  const simulator = createSimulator({
    store: createSimulatorStore(database),
    webhookTarget: (environment) => `${listening.url}/provider/webhooks/${environment}`,
    publicUrl,
    secrets,
  })
  const server = createServer(simulator.handler)
  const address = simulated.length > 0 ? await listen(server, config) : undefined
  const toProvider = (environment: Environment): Provider | undefined => {
    const keys = config.providerKeys[environment]
    // Without a webhook secret every webhook is refused: nobody knows this one. Reconciliation still finds all changes.
    const { webhookSecret } = secrets[environment]
    if (keys) return createStripeProvider({ environment, webhookSecret, ...withoutUndefined(keys) })
    if (!simulated.includes(environment)) return undefined
    return createStripeProvider({ environment, ...secrets[environment], ...address })
  }
  const toOwner = (environment: Environment): AccountOwner | undefined =>
    simulated.includes(environment) && address
      ? createAccountOwner(secrets[environment].secretKey, address)
      : undefined
  return {
    accountOwners: { test: toOwner('test'), live: toOwner('live') },
    providers: { test: toProvider('test'), live: toProvider('live') },
    simulator,
    simulatorAccess: {
      url: address ? `http://${address.host}:${address.port}` : '',
      address: address ?? {},
      secrets,
    },
    startSimulator: () => simulated.length > 0 && simulator.start(),
    closeSimulator: async () => {
      await simulator.close()
      server.closeAllConnections()
      if (server.listening) await new Promise((resolve) => server.close(resolve))
      await database.close()
    },
  }
}

export const listSimulated = ({ providerKeys, simulateLive }: Config): Environment[] =>
  environments.filter((environment) => !providerKeys[environment] && (environment === 'test' || simulateLive))

/** What pays for each environment, as people are told. */
export function describeProviders(config: Config, simulatorUrl: string): Installation['providers'] {
  const describe = (environment: Environment): Installation['providers'][Environment] => {
    if (config.providerKeys[environment]) return { provider: 'account', simulatorUrl: null }
    if (listSimulated(config).includes(environment)) return { provider: 'simulator', simulatorUrl }
    return { provider: 'none', simulatorUrl: null }
  }
  return { test: describe('test'), live: describe('live') }
}

const withoutUndefined = ({ secretKey, webhookSecret }: ProviderKeys) => ({
  secretKey,
  ...(webhookSecret === undefined ? {} : { webhookSecret }),
})

/** Where the simulator is reached from here. */
async function listen(server: Server, { host, simulatorPort }: Config) {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(error.code === 'EADDRINUSE' ? portTaken(simulatorPort) : error),
    )
    server.listen(simulatorPort, host, resolve)
  })
  const { address, port, family } = server.address() as AddressInfo
  const isAny = address === '0.0.0.0' || address === '::'
  const reached = isAny ? '127.0.0.1' : family === 'IPv6' ? `[${address}]` : address
  return { host: reached, port, protocol: 'http' as const }
}

const portTaken = (port: number) =>
  new StartError(
    `Port ${port}, for the simulator, is taken by another program; set SIMULATOR_PORT to use another.`,
  )
