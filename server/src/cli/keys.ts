// tollkeeper keys create|list|rotate|revoke
import type { Config } from '../config.ts'
import { type Environment, environments } from '../domain/environment.ts'
import { createApiKey, revokeApiKey, rotateApiKey } from '../operations/keys/api-keys.ts'
import { type Database, openDatabase } from '../storage/database.ts'
import { type ApiKey, listApiKeys } from '../storage/keys/api-keys.ts'
import { migrate } from '../storage/migrate.ts'
import { joinStorage } from './open-storage.ts'
import { UsageError } from './usage-error.ts'
import { readWords } from './words.ts'

const dayMs = 86_400_000
const options = {
  environment: { type: 'string', default: 'test' },
  name: { type: 'string' },
  scope: { type: 'string', default: 'full' },
  'expires-in-days': { type: 'string' },
  'grace-hours': { type: 'string', default: '24' },
  json: { type: 'boolean', default: false },
} as const

export async function keysCommand(config: Config, words: string[]): Promise<void> {
  const { positionals, values } = parse(words)
  const [verb, keyId] = positionals
  const environment = values.environment as Environment
  if (!environments.includes(environment)) throw new UsageError('--environment must be test or live.')
  const work = findWork(verb, keyId, environment, values)
  const storage = await joinStorage(config)
  try {
    await migrate(storage.connection)
    const database = openDatabase({ connection: storage.connection, poolSize: 1 })
    await work(database).finally(() => database.close())
  } finally {
    await storage.stop()
  }
}

const parse = (words: string[]) => readWords(words, options, 2)

type Values = ReturnType<typeof parse>['values']
type Work = (database: Database) => Promise<void>

/** The command line is checked whole before a database is opened. */
function findWork(
  verb: string | undefined,
  keyId: string | undefined,
  environment: Environment,
  values: Values,
): Work {
  const acting = { actor: 'command line', now: Date.now() }
  const getKeyId = () => {
    if (keyId && /^[0-9a-f-]{36}$/.test(keyId)) return keyId
    throw new UsageError(`keys ${verb} needs the id of a key; keys list shows them.`)
  }
  switch (verb) {
    case 'create': {
      const { name, scope } = values
      if (!name) throw new UsageError('keys create needs --name.')
      if (scope !== 'full' && scope !== 'read') throw new UsageError('--scope must be full or read.')
      const days = values['expires-in-days']
      const expiresAt = days === undefined ? null : acting.now + toDays(days) * dayMs
      return async (database) => {
        const { secret } = await createApiKey(database, acting, { environment, name, scope, expiresAt })
        process.stdout.write(`${secret}\n`)
        process.stderr.write('Keep it: it is not shown again.\n')
      }
    }
    case 'list':
      return async (database) => {
        for (const key of await listApiKeys(database.pool, environment))
          process.stdout.write(`${values.json ? JSON.stringify(key) : describe(key)}\n`)
      }
    case 'rotate': {
      const graceMs = toNumber(values['grace-hours'], '--grace-hours') * 3_600_000
      const id = getKeyId()
      return async (database) => {
        const { secret } = await rotateApiKey(database, acting, { environment, keyId: id, graceMs })
        process.stdout.write(`${secret}\n`)
      }
    }
    case 'revoke': {
      const id = getKeyId()
      return (database) => revokeApiKey(database, acting, { environment, keyId: id })
    }
    default:
      throw new UsageError('keys needs one of create, list, rotate, revoke.')
  }
}

/** A key that is expired as it is made serves nobody. */
function toDays(text: string): number {
  const days = toNumber(text, '--expires-in-days')
  if (days < 1) throw new UsageError('--expires-in-days must be at least 1.')
  return days
}

function toNumber(text: string, name: string): number {
  if (!/^\d{1,5}$/.test(text)) throw new UsageError(`${name} must be a whole number.`)
  return Number(text)
}

function describe(key: ApiKey): string {
  const day = (at: number | null) => (at === null ? '-' : new Date(at).toISOString().slice(0, 16))
  const state =
    key.revokedAt !== null
      ? 'revoked'
      : key.expiresAt !== null && key.expiresAt <= Date.now()
        ? 'expired'
        : 'open'
  return [
    key.keyId,
    `…${key.lastFour}`,
    key.scope.padEnd(4),
    state.padEnd(7),
    `used ${day(key.lastUsedAt)}`,
    `expires ${day(key.expiresAt)}`,
    key.name,
  ].join('  ')
}
