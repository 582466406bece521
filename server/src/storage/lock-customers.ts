// Locking many customers for a write to their ledgers: one statement raises their revisions, in the order of their uids.
import { plainArray } from './array-literal.ts'
import type { Sql } from './database.ts'
import type { Statement } from './lane.ts'

export type LedgerLock = {
  customerUid: string
  /** How many events may be written: each takes a revision for its number. */
  events: number
  /** The latest instant any of them may occur at. */
  latestAt: number
}

export type LockedCustomer = {
  revision: number
  /** As it was before this lock, and as it is now. */
  lastEventAt: number | undefined
  newLastEventAt: number
}

// One walk of the index in its own order, whatever the table's size (see lane.ts), so rows are locked in the order of their
// uids: two batches never wait for one another in a circle. A join with the array could be turned round by the planner.
const lockStatement: Statement = {
  name: 'lock-customers',
  text: `update customer c
    set revision = c.revision + ($2::int[])[array_position($1::uuid[], c.customer_uid)],
      prior_event_at = c.last_event_at,
      last_event_at = greatest(c.last_event_at, ($3::bigint[])[array_position($1::uuid[], c.customer_uid)])
    where c.customer_uid = any($1::uuid[])
    returning c.customer_uid, c.revision, c.prior_event_at, c.last_event_at`,
}

/** Those that exist, with their new revision and what the latest event was before. */
export async function lockForLedger(
  sql: Sql,
  locks: readonly LedgerLock[],
): Promise<Map<string, LockedCustomer>> {
  const { rows } = await sql.query<[string, number, number | null, number]>({
    ...lockStatement,
    values: [
      plainArray(locks.map((lock) => lock.customerUid)),
      plainArray(locks.map((lock) => lock.events)),
      plainArray(locks.map((lock) => lock.latestAt)),
    ],
    rowMode: 'array',
  })
  return new Map(
    rows.map(([uid, revision, prior, newLastEventAt]) => [
      uid,
      { revision, lastEventAt: prior ?? undefined, newLastEventAt },
    ]),
  )
}
