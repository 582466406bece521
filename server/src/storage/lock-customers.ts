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

// The planner walks the array and looks each row up by key (see lane.ts), so rows are locked in the array's order, which is
// sorted: two batches never wait for one another in a circle.
const lockStatement: Statement = {
  name: 'lock-customers',
  text: `update customer c
    set revision = c.revision + a.events, prior_event_at = c.last_event_at,
      last_event_at = greatest(c.last_event_at, a.latest_at)
    from unnest($1::uuid[], $2::int[], $3::bigint[]) as a (customer_uid, events, latest_at)
    where c.customer_uid = a.customer_uid
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
