// The test key of a local installation: made at the first start, kept beside the data, shown at every start.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { createApiKey } from '../operations/keys/api-keys.ts'
import type { Database } from '../storage/database.ts'

/** Undefined with DATABASE_URL: an installation that others share gets its keys by command or configuration. */
export async function ensureTestKey(database: Database, config: Config): Promise<string | undefined> {
  if (config.apiKeys.test !== undefined) return config.apiKeys.test
  if (config.databaseUrl !== undefined) return undefined
  const file = join(config.dataDir, 'test-key')
  if (existsSync(file)) return readFileSync(file, 'utf8').trim()
  const { secret } = await createApiKey(
    database,
    { actor: 'first start', now: Date.now() },
    { environment: 'test', name: 'first test key', scope: 'full', expiresAt: null },
  )
  writeFileSync(file, `${secret}\n`, { mode: 0o600 })
  return secret
}
