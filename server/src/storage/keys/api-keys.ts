// Rows of API keys. A key's secret is never stored: only its SHA-256 and its last four characters.
import type { Environment } from '../../domain/environment.ts'
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

/** A configured key that is there already is opened again. */
export async function insertApiKey(sql: Sql, key: NewApiKey): Promise<void> {
  await sql.query(
    `insert into api_key
       (key_id, environment, name, scope, secret_hash, last_four, source, created_at, expires_at)
     values ($1, $2, $3, $4, decode($5, 'hex'), $6, $7, $8, $9)
     on conflict (secret_hash) do update set revoked_at = null, expires_at = excluded.expires_at`,
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

export async function listApiKeys(sql: Sql, environment: Environment): Promise<ApiKey[]> {
  const { rows } = await sql.query<Row>(
    `select ${columns} from api_key where environment = $1 order by created_at desc, key_id limit 1000`,
    [environment],
  )
  return rows.map(fromRow)
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

/** Configured keys other than those still configured are no longer accepted. */
export async function revokeConfiguredKeys(sql: Sql, keptHashes: string[], now: number): Promise<void> {
  await sql.query(
    `update api_key set revoked_at = $2
     where source = 'configured' and revoked_at is null and not (encode(secret_hash, 'hex') = any($1::text[]))`,
    [keptHashes, now],
  )
}

export async function touchApiKeys(sql: Sql, keyIds: string[], now: number): Promise<void> {
  await sql.query(
    'update api_key set last_used_at = greatest(last_used_at, $2) where key_id = any($1::uuid[])',
    [keyIds, now],
  )
}
