// Making, rotating and revoking API keys. A key is shown once, when it is made; only its hash is stored.
import { hash, randomBytes, randomUUID } from 'node:crypto'
import type { Environment } from '../../domain/environment.ts'
import { conflict, invalid, missing } from '../../domain/errors.ts'
import type { LogEntry } from '../../domain/ledger/task.ts'
import { servicePrincipal } from '../../domain/principal.ts'
import { insertAuditEntry } from '../../storage/audit/audit-log.ts'
import type { Database, Sql } from '../../storage/database.ts'
import {
  type ApiKey,
  insertApiKey,
  type KeyScope,
  lockApiKey,
  updateApiKeyEnd,
} from '../../storage/keys/api-keys.ts'

type NewKey = { environment: Environment; name: string; scope: KeyScope; expiresAt: number | null }

/** Keys live in real time, whatever the test clock says. */
export type KeyActing = { actor: string; now: number; requestId?: string | undefined }

export const hashSecret = (secret: string): string => hash('sha256', secret, 'hex')

/** 192 random bits. */
export const makeSecret = (environment: Environment): string =>
  `tk_${environment}_${randomBytes(24).toString('base64url')}`

export async function createApiKey(
  database: Database,
  acting: KeyActing,
  input: NewKey,
  secret: string = makeSecret(input.environment),
): Promise<{ secret: string; keyId: string }> {
  if (input.expiresAt !== null && input.expiresAt <= acting.now)
    throw invalid('expiresAt must lie in the future.')
  const keyId = await database.inTransaction((sql) => insertKey(sql, acting, input, secret))
  return { secret, keyId }
}

async function insertKey(sql: Sql, acting: KeyActing, input: NewKey, secret: string): Promise<string> {
  const keyId = randomUUID()
  const key = {
    ...input,
    keyId,
    lastFour: secret.slice(-4),
    source: 'created' as const,
    createdAt: acting.now,
  }
  await insertApiKey(sql, { ...key, secretHash: hashSecret(secret) })
  await log(sql, acting, input.environment, { action: 'key.create', subject: keyId, after: key })
  return keyId
}

/** A new key of the same name and scope; the old one goes on for the time of grace. */
export async function rotateApiKey(
  database: Database,
  acting: KeyActing,
  { environment, keyId, graceMs }: { environment: Environment; keyId: string; graceMs: number },
): Promise<{ secret: string; keyId: string }> {
  const secret = makeSecret(environment)
  const newKeyId = await database.inTransaction(async (sql) => {
    const before = await lockOpenKey(sql, environment, keyId, acting.now)
    const graceEndsAt = acting.now + graceMs
    const expiresAt = before.expiresAt === null ? graceEndsAt : Math.min(before.expiresAt, graceEndsAt)
    const after = { ...before, expiresAt }
    await updateApiKeyEnd(sql, keyId, after)
    await log(sql, acting, environment, { action: 'key.rotate', subject: keyId, before, after })
    const { name, scope } = before
    return insertKey(sql, acting, { environment, name, scope, expiresAt: before.expiresAt }, secret)
  })
  return { secret, keyId: newKeyId }
}

export async function revokeApiKey(
  database: Database,
  acting: KeyActing,
  { environment, keyId }: { environment: Environment; keyId: string },
): Promise<void> {
  await database.inTransaction(async (sql) => {
    const before = await lockOpenKey(sql, environment, keyId, acting.now)
    const after = { ...before, revokedAt: acting.now }
    await updateApiKeyEnd(sql, keyId, after)
    await log(sql, acting, environment, { action: 'key.revoke', subject: keyId, before, after })
  })
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

async function lockOpenKey(sql: Sql, environment: Environment, keyId: string, now: number): Promise<ApiKey> {
  const key = uuid.test(keyId) ? await lockApiKey(sql, environment, keyId) : undefined
  if (!key || key.revokedAt !== null || (key.expiresAt !== null && key.expiresAt <= now)) {
    throw missing('open API key', keyId)
  }
  // The next renewal would undo it.
  if (key.source === 'configured')
    throw conflict('configured_key', 'This key is given by configuration; change it there.')
  return key
}

const log = (sql: Sql, { actor, now, requestId }: KeyActing, environment: Environment, entry: LogEntry) =>
  insertAuditEntry(sql, { principal: { ...servicePrincipal(environment, actor), requestId }, now }, entry)
