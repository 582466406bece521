// Rows of API keys. A key's secret is never stored: only its SHA-256 and its last four characters.
import type { Environment } from '../../domain/environment.ts'
import { rateWindowMs } from '../../domain/rate-limit.ts'
import type { Sql } from '../database.ts'

export type KeyScope = 'full' | 'read'

export type ApiKey = {
  keyId: string
  environment: Environment
  name: string
  scope: KeyScope
  lastFour: string
  source: 'created' | 'configured'
  createdAt: number
  expiresAt: number | null
  revokedAt: number | null
  lastUsedAt: number | null
}

const columns = `key_id, environment, name, scope, last_four, source, created_at, expires_at, revoked_at, last_used_at`

type Row = {
  key_id: string
  environment: Environment
  name: string
  scope: KeyScope
  last_four: string
  source: 'created' | 'configured'
  created_at: number
  expires_at: number | null
  revoked_at: number | null
  last_used_at: number | null
}

const fromRow = (row: Row): ApiKey => ({
  keyId: row.key_id,
  environment: row.environment,
  name: row.name,
  scope: row.scope,
  lastFour: row.last_four,
  source: row.source,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
  revokedAt: row.revoked_at,
  lastUsedAt: row.last_used_at,
})

export type NewApiKey = Pick<
  ApiKey,
  'keyId' | 'environment' | 'name' | 'scope' | 'lastFour' | 'source' | 'createdAt' | 'expiresAt'
> & { secretHash: string }

export async function insertApiKey(sql: Sql, key: NewApiKey): Promise<void> {
  await sql.query(
    `insert into api_key
       (key_id, environment, name, scope, secret_hash, last_four, source, created_at, expires_at)
     values ($1, $2, $3, $4, decode($5, 'hex'), $6, $7, $8, $9)`,
    [
      key.keyId,
      key.environment,
      key.name,
      key.scope,
      key.secretHash,
      key.lastFour,
      key.source,
      key.createdAt,
      key.expiresAt,
    ],
  )
}

type ConfiguredKey = Pick<ApiKey, 'keyId' | 'environment' | 'lastFour'> & {
  secretHash: string
  leaseMs: number
}

/** Accepted until the lease ends; a key that was made otherwise stays as it is. */
export async function renewConfiguredKey(sql: Sql, key: ConfiguredKey): Promise<void> {
  await sql.query(
    `insert into api_key
       (key_id, environment, name, scope, secret_hash, last_four, source, created_at, expires_at)
     values ($1, $2, 'from configuration', 'full', decode($3, 'hex'), $4, 'configured', clock_ms(), clock_ms() + $5::bigint)
     on conflict (secret_hash) do update set revoked_at = null, expires_at = excluded.expires_at
       where api_key.source = 'configured'`,
    [key.keyId, key.environment, key.secretHash, key.lastFour, key.leaseMs],
  )
}

export async function listApiKeys(sql: Sql, environment: Environment): Promise<ApiKey[]> {
  const { rows } = await sql.query<Row>(
    `select ${columns} from api_key where environment = $1 order by created_at desc, key_id limit 1000`,
    [environment],
  )
  return rows.map(fromRow)
}

export type KeyWindow = { keyId: string; reads: number; writes: number }

/** What was asked for with each key in the window of the moment. */
export async function listKeyWindows(sql: Sql, environment: Environment): Promise<KeyWindow[]> {
  const { rows } = await sql.query<KeyWindow>(
    `select w.key_id as "keyId", w.reads, w.writes from rate_window w join api_key k using (key_id)
     where k.environment = $1 and w.window_at > clock_ms() - $2::bigint`,
    [environment, rateWindowMs],
  )
  return rows
}

export async function lockApiKey(
  sql: Sql,
  environment: Environment,
  keyId: string,
): Promise<ApiKey | undefined> {
  const { rows } = await sql.query<Row>(
    `select ${columns} from api_key where environment = $1 and key_id = $2 for update`,
    [environment, keyId],
  )
  return rows[0] && fromRow(rows[0])
}

export async function updateApiKeyEnd(
  sql: Sql,
  keyId: string,
  end: Pick<ApiKey, 'expiresAt' | 'revokedAt'>,
): Promise<void> {
  await sql.query('update api_key set expires_at = $2, revoked_at = $3 where key_id = $1', [
    keyId,
    end.expiresAt,
    end.revokedAt,
  ])
}

export async function touchApiKeys(sql: Sql, keyIds: string[], now: number): Promise<void> {
  await sql.query(
    'update api_key set last_used_at = greatest(last_used_at, $2) where key_id = any($1::uuid[])',
    [keyIds, now],
  )
}
