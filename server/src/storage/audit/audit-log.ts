// The log of changes: who changed what, from what to what, written in the transaction of the change.
import { amountToNumber } from '../../domain/amount.ts'
import type { Environment } from '../../domain/environment.ts'
import type { LogEntry } from '../../domain/ledger/task.ts'
import type { Principal } from '../../domain/principal.ts'
import type { Sql } from '../database.ts'

/** Who acts, and when. */
export type Acting = { principal: Principal; now: number }

export const insertAuditEntry = (
  sql: Sql,
  acting: Acting,
  change: LogEntry,
  /** Of the customer that it concerns. */
  customerUid?: string,
): Promise<void> => insertAuditEntries(sql, acting, [{ ...change, customerUid }])

export async function insertAuditEntries(
  sql: Sql,
  { principal, now }: Acting,
  changes: (LogEntry & { customerUid: string | undefined })[],
): Promise<void> {
  await sql.query(
    `insert into audit_entry (environment, at, actor, action, subject, before, after, request_id, customer_uid)
     select $1, $2, $3, e.action, e.subject, e.before::jsonb, e.after::jsonb, $8, e.customer_uid
     from unnest($4::text[], $5::text[], $6::text[], $7::text[], $9::uuid[])
       as e (action, subject, before, after, customer_uid)`,
    [
      principal.environment,
      now,
      principal.actor,
      changes.map(({ action }) => action),
      changes.map(({ subject }) => subject),
      changes.map(({ before }) => toJson(before)),
      changes.map(({ after }) => toJson(after)),
      principal.requestId,
      changes.map(({ customerUid }) => customerUid ?? null),
    ],
  )
}

export type AuditEntry = {
  entryNo: number
  at: number
  actor: string
  action: string
  subject: string
  before: unknown
  after: unknown
  requestId: string | null
}

export type AuditFilter = {
  environment: Environment
  actor: string | undefined
  /** The whole of an action, or its noun: `key` finds key.create and key.revoke. */
  action: string | undefined
  subject: string | undefined
  /** The last entry of the page before. */
  after: number | undefined
  limit: number
}

/** Newest first. */
export async function listAuditEntries(sql: Sql, filter: AuditFilter): Promise<AuditEntry[]> {
  const { rows } = await sql.query<AuditEntry>(
    `select entry_no as "entryNo", at, actor, action, subject, before, after, request_id as "requestId"
     from audit_entry
     where environment = $1
       and ($2::text is null or actor = $2)
       and ($3::text is null or action = $3 or split_part(action, '.', 1) = $3)
       and ($4::text is null or subject = $4)
       and ($5::bigint is null or entry_no < $5)
     order by entry_no desc limit $6`,
    [filter.environment, filter.actor, filter.action, filter.subject, filter.after, filter.limit],
  )
  return rows
}

/** What changed in a span of business time, both ends included, newest first. */
export async function listChangesBetween(
  sql: Sql,
  environment: Environment,
  { from, to, limit }: { from: number; to: number; limit: number },
): Promise<AuditEntry[]> {
  const { rows } = await sql.query<AuditEntry>(
    `select entry_no as "entryNo", at, actor, action, subject, before, after, request_id as "requestId"
     from audit_entry where environment = $1 and at >= $2 and at <= $3
     order by at desc, entry_no desc limit $4`,
    [environment, from, to, limit],
  )
  return rows
}

/** JSON has no bigint: exact amounts are written as the decimals they stand for. */
function toJson(value: unknown): string | null {
  if (value === undefined) return null
  return JSON.stringify(value, (_key, each) => (typeof each === 'bigint' ? amountToNumber(each) : each))
}
