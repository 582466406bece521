// The log of changes: who changed what, from what to what, written in the transaction of the change.
import { amountToNumber } from '../../domain/amount.ts'
import type { Caller } from '../../domain/caller.ts'
import type { Sql } from '../database.ts'

export type Change = { action: string; subject: string; before?: unknown; after?: unknown }

export async function insertAuditEntry(sql: Sql, caller: Caller, change: Change): Promise<void> {
  await sql.query(
    `insert into audit_entry (environment, at, actor, action, subject, before, after, request_id)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      caller.environment,
      caller.now,
      caller.actor,
      change.action,
      change.subject,
      toJson(change.before),
      toJson(change.after),
      caller.requestId,
    ],
  )
}

/** JSON has no bigint: exact amounts are written as the decimals they stand for. */
function toJson(value: unknown): string | null {
  if (value === undefined) return null
  return JSON.stringify(value, (_key, each) => (typeof each === 'bigint' ? amountToNumber(each) : each))
}
