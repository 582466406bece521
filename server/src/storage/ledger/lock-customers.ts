// Locking many customers for a write to their ledgers: one statement raises their revisions, in the order of their uids.
import { plainArray, textArray } from '../array-literal.ts'
import type { Sql } from '../database.ts'
import type { Statement } from '../pipelined-connection.ts'

export type LedgerLock = {
  customerUid: string
  /** How many events may be written: each takes a revision for its number. */
  events: number
  /** The latest instant any of them may occur at. */
  latestAt: number
  /** The numbers of the features they may be of. */
  features: number[]
}

export type LockedCustomer = {
  revision: number
  /** As it was before this lock, and as it is now. */
  lastEventAt: number | undefined
  newLastEventAt: number
}

/** What a lock changes of the customer `c`; each parameter is an array beside that of the uids, `$1`. */
export function raise(parameters: { events: string; latestAt: string; features: string }): string {
  const own = (array: string) => `(${array})[array_position($1::uuid[], c.customer_uid)]`
  const [events, latestAt] = [own(`${parameters.events}::int[]`), own(`${parameters.latestAt}::bigint[]`)]
  const features = `${own(`${parameters.features}::text[]`)}::int[]`
  return `revision = c.revision + ${events},
      last_event_at = greatest(c.last_event_at, ${latestAt}),
      used_features = case when c.used_features @> ${features} then c.used_features
        else c.used_features || ${features} end`
}

export const raiseValues = (locks: readonly LedgerLock[]): string[] => [
  plainArray(locks.map((lock) => lock.events)),
  plainArray(locks.map((lock) => lock.latestAt)),
  textArray(locks.map((lock) => plainArray(lock.features))),
]

// One walk of the index in its own order, whatever the table's size (see lane.ts), so rows are locked in the order of their
// uids: two batches never wait for one another in a circle. A join with the array could be turned round by the planner.
const lockStatement: Statement = {
  name: 'lock-customers',
  text: `update customer c
    set prior_event_at = c.last_event_at,
      ${raise({ events: '$2', latestAt: '$3', features: '$4' })}
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
    values: [plainArray(locks.map((lock) => lock.customerUid)), ...raiseValues(locks)],
    rowMode: 'array',
  })
  return new Map(
    rows.map(([uid, revision, prior, newLastEventAt]) => [
      uid,
      { revision, lastEventAt: prior ?? undefined, newLastEventAt },
    ]),
  )
}
