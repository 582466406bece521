// Writing events and counters that were decided on states held in memory: one statement, one transaction. It confirms the
// customers' revisions, locks them and writes; whoever was changed meanwhile is left alone and told back.
import { amountToText } from '../../domain/amount.ts'
import { plainArray } from '../array-literal.ts'
import type { Lane, Statement } from '../pipelined-connection.ts'
import { type OwnedEvent, toEventArrays } from './events.ts'
import { type LedgerLock, raise, raiseValues } from './lock-customers.ts'
import type { OwnedCounter } from './save-state.ts'

export type ConfirmedWrite = {
  /** Sorted by uid, each with the revision its state has. */
  locks: readonly (LedgerLock & { revision: number })[]
  events: readonly OwnedEvent[]
  counters: readonly OwnedCounter[]
}

// Six statements in two round trips (begin, lock, find, insert, counters, commit) became one in one. The unique key of the
// ledger stands in for looking the event keys up: a taken one fails the whole statement. Rows are locked in the order of the
// index (see lock-customers.ts). Arrays are unnested in the select list: in `from`, PostgreSQL first writes each of them to a
// store of its own, which cost a small batch a fifth. The counters' draws are left as they are: whoever moves a bonus does not come here.
const statement: Statement = {
  name: 'save-confirmed',
  text: `with locked as (
      update customer c
      set ${raise({ events: '$3', latestAt: '$4', features: '$5' })}
      where c.customer_uid = any($1::uuid[])
        and c.revision = ($2::bigint[])[array_position($1::uuid[], c.customer_uid)]
      returning c.customer_uid
    ),
    events as (
      insert into usage_event (customer_uid, feature_no, key_hash, event_no, occurred_at, amount, sent_used,
        sent_occurred_at, event_key, metadata)
      select * from (
        select unnest($6::uuid[]) as customer_uid, unnest($7::int[]), unnest($8::uuid[]), unnest($9::bigint[]),
          unnest($10::bigint[]), unnest($11::numeric[]), unnest($12::numeric[]), unnest($13::bigint[]),
          unnest($14::text[]), unnest($15::jsonb[])
      ) e
      where e.customer_uid = any(array(select customer_uid from locked))
    ),
    counters as (
      insert into usage_counter (customer_uid, period_end, feature_no, period_start, total)
      select * from (
        select unnest($16::uuid[]) as customer_uid, unnest($17::bigint[]), unnest($18::int[]), unnest($19::bigint[]),
          unnest($20::numeric[])
      ) u
      where u.customer_uid = any(array(select customer_uid from locked))
      on conflict (customer_uid, period_end, feature_no, period_start) do update set total = excluded.total
    )
    select customer_uid from locked`,
}

const uniqueViolation = '23505'

/** The customers that were still at their revision; undefined when an event key is taken: then nothing is written. */
export async function saveConfirmed(
  lane: Lane,
  { locks, events, counters }: ConfirmedWrite,
): Promise<Set<string> | undefined> {
  const values = [
    plainArray(locks.map((lock) => lock.customerUid)),
    plainArray(locks.map((lock) => lock.revision)),
    ...raiseValues(locks),
    ...toEventArrays(events),
    plainArray(counters.map((each) => each.uid)),
    plainArray(counters.map((each) => each.counter.period.end)),
    plainArray(counters.map((each) => each.counter.featureNo)),
    plainArray(counters.map((each) => each.counter.period.start)),
    plainArray(counters.map((each) => amountToText(each.counter.total))),
  ]
  try {
    const rows = await lane.query<[uid: string]>(statement, values)
    return new Set(rows.map(([uid]) => uid))
  } catch (error) {
    if ((error as { code?: string }).code === uniqueViolation) return undefined
    throw error
  }
}
