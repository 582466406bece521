// The secret of a local installation: made at the first start and kept beside the data.
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config.ts'

/** Undefined with DATABASE_URL: instances that share a database are given theirs. */
export function ensureSecret(config: Config): string | undefined {
  if (config.secret !== undefined || config.databaseUrl !== undefined) return config.secret
  const file = join(config.dataDir, 'secret')
  if (!existsSync(file)) writeFileSync(file, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600 })
  return readFileSync(file, 'utf8').trim()
}
