// Rows of the ledger: finding events by their keys, writing, changing and listing them.
import { amountFromText, amountToText } from '../../domain/amount.ts'
import type { UsageEvent } from '../../domain/ledger/usage-event.ts'
import { plainArray, textArray } from '../array-literal.ts'
import type { Sql } from '../database.ts'
import type { Statement } from '../pipelined-connection.ts'
import type { EventPlace } from './event-id.ts'

/** An event in the order of `eventColumns`. */
export type EventRow = [
  featureNo: number,
  keyHash: string,
  eventNo: number,
  occurredAt: number,
  amount: string,
  firstAmount: string | null,
  sentUsed: string | null,
  sentOccurredAt: number | null,
  eventKey: string | null,
  metadata: Record<string, string> | null,
  deletedAt: number | null,
]

/** Of the event `e`. */
export const eventColumns = `e.feature_no, e.key_hash, e.event_no, e.occurred_at, e.amount, e.first_amount, e.sent_used,
  e.sent_occurred_at, e.event_key, e.metadata, e.deleted_at`

// `limit 1` changes nothing, the keys being unique, but keeps each look-up a look-up: over a ledger that was empty when the
// statement was planned, a plain join walks the whole of it, and goes on doing so as it grows.
const findStatement: Statement = {
  name: 'find-events',
  text: `select a.n, ${eventColumns}
    from unnest($1::uuid[], $2::int[], $3::uuid[]) with ordinality as a (customer_uid, feature_no, key_hash, n)
    cross join lateral (
      select customer_uid, feature_no, key_hash, alias_of from usage_event
      where customer_uid = a.customer_uid and feature_no = a.feature_no and key_hash = a.key_hash
      limit 1
    ) t
    cross join lateral (
      select * from usage_event
      where customer_uid = t.customer_uid and feature_no = t.feature_no and key_hash = coalesce(t.alias_of, t.key_hash)
      limit 1
    ) e`,
}

/** The events that took these keys, deleted ones too, in order; undefined where a key is free. */
export async function findEvents(
  sql: Sql,
  places: readonly EventPlace[],
): Promise<(UsageEvent | undefined)[]> {
  const { rows } = await sql.query<[n: number, ...EventRow]>({
    ...findStatement,
    values: [
      plainArray(places.map((place) => place.customerUid)),
      plainArray(places.map((place) => place.featureNo)),
      plainArray(places.map((place) => place.keyHash)),
    ],
    rowMode: 'array',
  })
  const events: (UsageEvent | undefined)[] = places.map(() => undefined)
  for (const [n, ...row] of rows) events[n - 1] = toEvent(row)
  return events
}

export function toEvent(row: EventRow): UsageEvent {
  const [featureNo, keyHash, eventNo, occurredAt, amountText, firstAmount, sentUsed, ...more] = row
  const [sentOccurredAt, eventKey, metadata, deletedAt] = more
  const amount = amountFromText(amountText)
  return {
    featureNo,
    keyHash,
    eventNo,
    occurredAt,
    amount,
    firstAmount: firstAmount === null ? amount : amountFromText(firstAmount),
    sentUsed: sentUsed === null ? undefined : amountFromText(sentUsed),
    sentOccurredAt: sentOccurredAt ?? undefined,
    eventKey: eventKey ?? undefined,
    metadata: metadata ?? {},
    deletedAt: deletedAt ?? undefined,
  }
}

export type OwnedEvent = { customerUid: string; event: UsageEvent }

/** The columns of a new event; `toEventArrays` has an array for each, in this order. */
export const newEventColumns = `customer_uid, feature_no, key_hash, event_no, occurred_at, amount, sent_used,
  sent_occurred_at, event_key, metadata`

export const newEventTypes = [
  'uuid',
  'int',
  'uuid',
  'bigint',
  'bigint',
  'numeric',
  'numeric',
  'bigint',
  'text',
  'jsonb',
] as const

export function toEventArrays(owned: readonly OwnedEvent[]): string[] {
  const events = owned.map((each) => each.event)
  return [
    plainArray(owned.map((each) => each.customerUid)),
    plainArray(events.map((event) => event.featureNo)),
    plainArray(events.map((event) => event.keyHash)),
    plainArray(events.map((event) => event.eventNo)),
    plainArray(events.map((event) => event.occurredAt)),
    plainArray(events.map((event) => amountToText(event.amount))),
    plainArray(events.map(({ sentUsed }) => (sentUsed === undefined ? undefined : amountToText(sentUsed)))),
    plainArray(events.map((event) => event.sentOccurredAt)),
    textArray(events.map((event) => event.eventKey)),
    textArray(events.map(metadataText)),
  ]
}

/** Only one that differs from the amount takes room. */
const firstAmountText = (event: UsageEvent): string | undefined =>
  event.firstAmount === event.amount ? undefined : amountToText(event.firstAmount)

const metadataText = ({ metadata }: UsageEvent): string | undefined =>
  Object.keys(metadata).length === 0 ? undefined : JSON.stringify(metadata)

/** Writes all that can change of an event. */
export async function updateEvent(sql: Sql, { customerUid, event }: OwnedEvent): Promise<void> {
  await sql.query(
    `update usage_event set occurred_at = $4, amount = $5, first_amount = $6, event_key = $7, metadata = $8, deleted_at = $9
     where customer_uid = $1 and feature_no = $2 and key_hash = $3`,
    [
      customerUid,
      event.featureNo,
      event.keyHash,
      event.occurredAt,
      amountToText(event.amount),
      firstAmountText(event),
      event.eventKey,
      metadataText(event),
      event.deletedAt,
    ],
  )
}

/** Takes a further key for an event: a row that only points to it. */
export async function insertAlias(
  sql: Sql,
  { customerUid, event }: OwnedEvent,
  keyHash: string,
): Promise<void> {
  await sql.query(
    `insert into usage_event (customer_uid, feature_no, key_hash, event_no, occurred_at, amount, alias_of)
     values ($1, $2, $3, $4, $5, 0, $6)`,
    [customerUid, event.featureNo, keyHash, event.eventNo, event.occurredAt, event.keyHash],
  )
}

export type EventPosition = { occurredAt: number; eventNo: number }

export type ListOptions = {
  featureNos: number[]
  from: number | undefined
  to: number | undefined
  before: EventPosition | undefined
  limit: number
}

/** Whether an event found otherwise would be listed. */
export const isListed = (event: UsageEvent, { from = 0, to = Infinity, before }: ListOptions): boolean =>
  event.deletedAt === undefined &&
  from <= event.occurredAt &&
  event.occurredAt < to &&
  (before === undefined ||
    event.occurredAt < before.occurredAt ||
    (event.occurredAt === before.occurredAt && event.eventNo < before.eventNo))

/** Newest first; one short walk of the time index per feature, merged, so that no history makes it longer. */
export async function listEvents(sql: Sql, uid: string, options: ListOptions): Promise<UsageEvent[]> {
  const { featureNos, from, to, before, limit } = options
  const { rows } = await sql.query<EventRow>({
    text: `select ${eventColumns}
      from unnest($2::int[]) as f (feature_no)
      cross join lateral (
        select * from usage_event e
        where e.customer_uid = $1 and e.feature_no = f.feature_no and e.deleted_at is null and e.alias_of is null
          and e.occurred_at >= $3 and e.occurred_at < $4
          and e.occurred_at <= $5 and (e.occurred_at, e.event_no) < ($5, $6::bigint)
        order by e.occurred_at desc, e.event_no desc
        limit $7
      ) e
      order by e.occurred_at desc, e.event_no desc
      limit $7`,
    values: [
      uid,
      featureNos,
      from ?? 0,
      to ?? Number.MAX_SAFE_INTEGER,
      before?.occurredAt ?? Number.MAX_SAFE_INTEGER,
      before?.eventNo ?? 0,
      limit,
    ],
    rowMode: 'array',
  })
  return rows.map(toEvent)
}
