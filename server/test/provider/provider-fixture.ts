// The adapter for tests, pointed at a simulator that keeps its state in memory.
import { type SimulatorFixture, secrets, startSimulator } from '../../../simulator/test/simulator-fixture.ts'
import type { Environment } from '../../src/domain/environment.ts'
import type { Provider } from '../../src/provider/provider.ts'
import { createStripeProvider } from '../../src/provider/stripe/provider.ts'

export type ProviderFixture = SimulatorFixture & { provider: Record<Environment, Provider> }

export async function startTestProvider(startsAt?: string): Promise<ProviderFixture> {
  const fixture = await startSimulator(startsAt === undefined ? {} : { startsAt })
  const address = { host: '127.0.0.1', port: fixture.apiPort, protocol: 'http' as const }
  const toProvider = (environment: Environment) =>
    createStripeProvider({ environment, ...secrets[environment], ...address, fetchTimeoutMs: 1_000 })
  return { ...fixture, provider: { test: toProvider('test'), live: toProvider('live') } }
}
