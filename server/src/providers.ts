// The payment provider of each environment: the account that is configured, or the simulator, through the very same adapter.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { SimulatorSecrets } from '@tollkeeper/simulator/src/api/handler.ts'
import { createSimulator, type Simulator } from '@tollkeeper/simulator/src/simulator.ts'
import type pg from 'pg'
import type { Config } from './config.ts'
import type { Environment } from './domain/environment.ts'
import type { Provider } from './provider/provider.ts'
import type { StripeAddress } from './provider/stripe/client.ts'
import { createStripeProvider } from './provider/stripe/provider.ts'
import { makeSimulatorSecrets } from './provider/stripe/simulator-secrets.ts'
import { openDatabase } from './storage/database.ts'
import { createSimulatorStore } from './storage/simulator/store.ts'

export type SimulatorAccess = { url: string; address: StripeAddress; secrets: SimulatorSecrets }

export type Providers = {
  providers: Record<Environment, Provider>
  simulator: Simulator
  simulatorAccess: SimulatorAccess
  closeSimulator(): Promise<void>
}

const simulatorPoolSize = 4

/** An environment without a key of its own gets the simulator, reached over HTTP. */
export async function startProviders(
  config: Config,
  connection: pg.ClientConfig,
  listening: { url: string },
  publicUrl: () => string,
): Promise<Providers> {
  // Connections of its own: a simulated provider must not be able to do to the service what a real one cannot.
  const database = openDatabase({ connection, poolSize: simulatorPoolSize })
  const secrets = makeSimulatorSecrets()
  const simulator = createSimulator({
    store: createSimulatorStore(database),
    webhookTarget: (environment) => `${listening.url}/provider/webhooks/${environment}`,
    publicUrl,
    secrets,
  })
  const server = createServer(simulator.handler)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const address = { host: '127.0.0.1', port, protocol: 'http' as const }
  const toProvider = (environment: Environment): Provider => {
    const keys = config.providerKeys[environment]
    if (!keys) return createStripeProvider({ environment, ...secrets[environment], ...address })
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
  return {
    providers: { test: toProvider('test'), live: toProvider('live') },
    simulator,
    simulatorAccess: { url: `http://127.0.0.1:${port}`, address, secrets },
    closeSimulator,
  }
}
