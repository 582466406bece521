// The log of changes: who changed what, from what to what, written in the transaction of the change.
import { amountToNumber } from '../../domain/amount.ts'
import type { LogEntry } from '../../domain/ledger/task.ts'
import type { Principal } from '../../domain/principal.ts'
import type { Sql } from '../database.ts'

/** Who acts, and when. */
export type Acting = { principal: Principal; now: number }

export async function insertAuditEntry(
  sql: Sql,
  { principal, now }: Acting,
  change: LogEntry,
  /** Of the customer that it concerns. */
  customerUid?: string,
): Promise<void> {
  await sql.query(
    `insert into audit_entry (environment, at, actor, action, subject, before, after, request_id, customer_uid)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      principal.environment,
      now,
      principal.actor,
      change.action,
      change.subject,
      toJson(change.before),
      toJson(change.after),
      principal.requestId,
      customerUid,
    ],
  )
}

/** JSON has no bigint: exact amounts are written as the decimals they stand for. */
function toJson(value: unknown): string | null {
  if (value === undefined) return null
  return JSON.stringify(value, (_key, each) => (typeof each === 'bigint' ? amountToNumber(each) : each))
}
