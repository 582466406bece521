// tollkeeper doctor: looks at everything the service depends on, a line each, and says what to do where something is wrong.
import { mkdirSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { StartError } from '@tollkeeper/embedded-postgres/start-error'
import { type Config, readConfig } from '../config.ts'
import { type Environment, environments } from '../domain/environment.ts'
import { createStripeProvider } from '../provider/stripe/provider.ts'
import { secretKeyVariable } from '../provider/stripe/settings.ts'
import { listSimulated } from '../providers.ts'
import { readInboxSummary } from '../storage/billing/inbox.ts'
import { type Database, openDatabase } from '../storage/database.ts'
import { isMigrated } from '../storage/migrate.ts'
import { readDatabaseClock } from '../storage/server-version.ts'
import { joinStorage } from './open-storage.ts'
import { readWords } from './words.ts'

type Finding = { check: string; state: 'ok' | 'note' | 'failed'; text: string; todo?: string }

const skewAtMostMs = 2_000
const freeAtLeast = 1024 ** 3
const hourMs = 3_600_000
const answersWithinMs = 5_000

/** Exit code 1 when anything failed. */
export async function doctorCommand(
  variables: Record<string, string | undefined>,
  words: string[],
): Promise<void> {
  const { json } = readWords(words, { json: { type: 'boolean', default: false } }).values
  let hasFailed = false
  for await (const finding of examine(variables)) {
    hasFailed ||= finding.state === 'failed'
    process.stdout.write(`${json ? JSON.stringify(finding) : write(finding)}\n`)
  }
  if (hasFailed) process.exitCode = 1
}

const marks = { ok: '✔', note: '·', failed: '✖' }

const write = ({ check, state, text, todo }: Finding): string =>
  `${marks[state]} ${check.padEnd(16)} ${text}${todo === undefined ? '' : `\n  ${''.padEnd(16)} → ${todo}`}`

async function* examine(variables: Record<string, string | undefined>): AsyncGenerator<Finding> {
  let config: Config
  try {
    config = readConfig(variables)
  } catch (error) {
    if (!(error instanceof StartError)) throw error
    for (const text of error.message.split('\n'))
      yield { check: 'Configuration', state: 'failed', text, todo: 'mend this environment variable' }
    return
  }
  yield { check: 'Configuration', state: 'ok', text: 'every variable can be read' }
  yield* examineDatabase(config)
  yield await examineDisk(config)
  for (const environment of environments) yield* examineProvider(config, environment)
  yield await examineAddress(config)
}

async function* examineDatabase(config: Config): AsyncGenerator<Finding> {
  const check = 'Database'
  try {
    mkdirSync(config.dataDir, { recursive: true })
    const storage = await joinStorage(config)
    const database = openDatabase({ connection: storage.connection, poolSize: 1 })
    try {
      yield { check, state: 'ok', text: storage.description }
      yield* examineStored(config, database)
    } finally {
      await database.close()
      await storage.stop()
    }
  } catch (error) {
    const todo = config.databaseUrl ? 'look at DATABASE_URL, and whether PostgreSQL runs' : 'look at DATA_DIR'
    yield { check, state: 'failed', text: (error as Error).message, todo }
  }
}

async function* examineStored(config: Config, database: Database): AsyncGenerator<Finding> {
  const isCurrent = await isMigrated(database.pool).catch(() => false)
  if (!isCurrent) {
    const todo = 'start this version once: it migrates'
    yield { check: 'Schema', state: 'failed', text: 'not the one of this version', todo }
    return
  }
  yield { check: 'Schema', state: 'ok', text: 'as this version needs it' }
  yield compareClocks(await readDatabaseClock(database.pool))
  for (const environment of environments) {
    if (config.providerKeys[environment] === undefined) continue
    const { lastEventAt, waiting, failing } = await readInboxSummary(database.pool, environment, Date.now())
    const check = `Webhook (${environment})`
    const queued = `${waiting} waiting, ${failing} failing`
    if (lastEventAt === null) {
      const text = `no event has arrived yet; ${queued}`
      yield {
        check,
        state: 'note',
        text,
        todo: `make an endpoint there for ${webhookOf(config, environment)}`,
      }
    } else {
      const text = `last event ${new Date(lastEventAt).toISOString()}; ${queued}`
      const todo = 'the dashboard’s Provider page says why'
      yield failing > 0 ? { check, state: 'failed', text, todo } : { check, state: 'ok', text }
    }
  }
}

function compareClocks(databaseNow: number): Finding {
  const skewMs = Math.abs(databaseNow - Date.now())
  const text = `${skewMs} ms beside the database’s`
  if (skewMs <= skewAtMostMs) return { check: 'Clock', state: 'ok', text }
  const todo = 'set both by NTP: business time is the database’s, signatures are checked by this machine’s'
  return { check: 'Clock', state: 'failed', text, todo }
}

async function examineDisk({ dataDir, databaseUrl }: Config): Promise<Finding> {
  if (databaseUrl !== undefined)
    return { check: 'Disk', state: 'note', text: 'the database’s is not seen from here' }
  const { bavail, bsize } = await statfs(dataDir)
  const text = `${((bavail * bsize) / 1024 ** 3).toFixed(1)} GiB free for ${dataDir}`
  if (bavail * bsize >= freeAtLeast) return { check: 'Disk', state: 'ok', text }
  return { check: 'Disk', state: 'failed', text, todo: 'make room: without it writes are answered with 503' }
}

/** What the service asks the provider for, one kind after the other: a restricted key may lack any of them. */
async function* examineProvider(config: Config, environment: Environment): AsyncGenerator<Finding> {
  const check = `Payments (${environment})`
  const keys = config.providerKeys[environment]
  if (keys === undefined) {
    const isSimulated = listSimulated(config).includes(environment)
    const none = `none: nothing is sold; ${secretKeyVariable(environment)} connects an account`
    yield { check, state: 'note', text: isSimulated ? 'simulator' : none }
    return
  }
  const provider = createStripeProvider({ environment, secretKey: keys.secretKey, webhookSecret: '' })
  const reads = {
    customers: () => provider.listCustomers(),
    products: () => provider.listProducts(),
    prices: () => provider.listPrices(),
    events: () => provider.listEvents(Date.now() - hourMs),
  }
  for (const [name, read] of Object.entries(reads)) {
    try {
      await read()
    } catch (error) {
      const todo = `look at ${secretKeyVariable(environment)} and its permission to read ${name}`
      yield { check, state: 'failed', text: (error as Error).message, todo }
      return
    }
  }
  yield { check, state: 'ok', text: `a ${environment} key that may read ${Object.keys(reads).join(', ')}` }
  if (keys.webhookSecret === undefined) {
    const todo = 'set its secret; until then changes are found by asking, once a minute'
    yield { check, state: 'note', text: 'webhooks are refused without a secret', todo }
  }
}

const webhookOf = ({ publicUrl, port }: Config, environment: Environment) =>
  `${publicUrl ?? `http://localhost:${port}`}/provider/webhooks/${environment}`

/** Whether the address that customers and the provider are given leads here. */
async function examineAddress({ publicUrl, port }: Config): Promise<Finding> {
  const check = 'Address'
  const url = publicUrl ?? `http://localhost:${port}`
  const answer = await fetch(`${url}/livez`, { signal: AbortSignal.timeout(answersWithinMs) }).catch(
    () => undefined,
  )
  if (answer?.ok) return { check, state: 'ok', text: `${url} answers` }
  const text = `${url} does not answer`
  if (publicUrl === undefined) return { check, state: 'note', text, todo: 'the service is not running' }
  return { check, state: 'failed', text, todo: 'start the service, or look at PUBLIC_URL and the proxy' }
}
