// Starts the service and says what a newcomer needs to know; every expected failure is one sentence and exit code 1.
import { mkdirSync } from 'node:fs'
import { performance } from 'node:perf_hooks'
import { type Config, readConfig } from '../config.ts'
import { environments } from '../domain/environment.ts'
import { servicePrincipal } from '../domain/principal.ts'
import { getDemo } from '../operations/demo/get-demo.ts'
import { makeFirstLink } from '../operations/people/make-link.ts'
import { secretKeyVariable } from '../provider/stripe/settings.ts'
import { listSimulated } from '../providers.ts'
import { type Service, startService } from '../service.ts'
import { migrate } from '../storage/migrate.ts'
import { buildDashboard } from './build-dashboard.ts'
import { ensureSecret } from './data-secret.ts'
import { explain } from './explain.ts'
import { openStorage } from './open-storage.ts'
import { showPath } from './show-path.ts'
import { ensureTestKey } from './test-key.ts'
import { readWords } from './words.ts'

const drainMs = 25_000

export async function startCommand(
  variables: Record<string, string | undefined>,
  words: string[],
): Promise<void> {
  readWords(words, {})
  await start(variables)
}

export async function start(variables: Record<string, string | undefined>): Promise<void> {
  try {
    await run(readConfig(variables))
  } catch (error) {
    process.stderr.write(`${explain(error)}\n`)
    process.exit(1)
  }
}

async function run(config: Config): Promise<void> {
  mkdirSync(config.dataDir, { recursive: true })
  const begunAt = performance.now()
  const storage = await openStorage(config, (text) => say('·', text))
  say('✔', `${storage.description}`.padEnd(50), `${((performance.now() - begunAt) / 1000).toFixed(1)} s`)
  try {
    const applied = await migrate(storage.connection)
    say('✔', applied === 0 ? 'Schema up to date' : `${applied} migrations`)
    const service = await startService({ ...config, secret: ensureSecret(config) }, storage.connection)
    const testKey = await ensureTestKey(service.services.database, config)
    const demo = testKey ? await service.startDemo() : undefined
    if (demo) {
      const { features, products, customers } = demo
      const made = `${features} features, ${products} products, ${customers} customers, 90 days of usage`
      say('✔', `Demo data: ${made}   (TOLLKEEPER_DEMO=0 for none)`)
    }
    const firstLink = config.admin ? undefined : await makeFirstLink(service.services.database)
    const { isPresent } = await getDemo(service.services, servicePrincipal('test', 'start'))
    let stopBuilding = () => {}
    stopOnSignal(service, async () => {
      stopBuilding()
      await storage.stop()
    })
    introduce(config, service, {
      testKey,
      firstPath: firstLink?.path,
      firstCall: isPresent ? '/v1/feature-access?customerId=acme' : '/v1/products',
    })
    stopBuilding = buildDashboard(say)
  } catch (error) {
    await storage.stop()
    throw error
  }
}

function say(mark: string, ...words: string[]): void {
  process.stdout.write(`${mark} ${words.join(' ')}\n`)
}

type Introduction = { testKey: string | undefined; firstPath: string | undefined; firstCall: string }

function introduce(config: Config, service: Service, { testKey, firstPath, firstCall }: Introduction): void {
  const simulated = listSimulated(config)
  for (const environment of environments) {
    const variable = secretKeyVariable(environment)
    const simulator = `provider simulator (set ${variable} to use your account)`
    const none = simulated.includes(environment) ? simulator : `none (set ${variable})`
    say('✔', `Payments (${environment}): ${config.providerKeys[environment] ? 'your Stripe account' : none}`)
  }
  const base = service.services.publicUrl()
  // A configured key is somebody's secret, and what is written here ends in logs.
  const isConfigured = config.apiKeys.test !== undefined
  const key = isConfigured ? '$TOLLKEEPER_TEST_API_KEY' : (testKey ?? 'tk_test_…')
  const signIn = firstPath ? `   sign in: ${base}${firstPath}   (once, 15 min)` : ''
  say(' ', `Dashboard   ${base}/${signIn}`)
  say(' ', `API         ${base}/v1          reference: /docs   OpenAPI: /openapi.json`)
  if (isConfigured) say(' ', 'Test key    the one in TOLLKEEPER_TEST_API_KEY')
  else if (testKey) say(' ', `Test key    ${testKey}   (kept in ${showPath(config.dataDir)}/test-key)`)
  else say(' ', 'Keys        tollkeeper keys create --environment test --name first')
  const { url, secrets } = service.simulatorAccess
  for (const environment of simulated) say(' ', `Simulator   ${url}   key: ${secrets[environment].secretKey}`)
  say(' ', `Try         curl -H "x-api-key: ${key}" "${base}${firstCall}"`)
}

/** Ctrl-C arrives twice, once from the terminal and once from npm: a second signal is not an order to hurry. */
function stopOnSignal(service: Service, stopStorage: () => Promise<void>): void {
  let stopping = false
  const stop = async () => {
    if (stopping) return
    stopping = true
    setTimeout(() => process.exit(1), drainMs).unref()
    await service.close()
    await stopStorage()
    process.exit(0)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop)
}
