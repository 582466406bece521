// The ledger of a whole environment, newest first. There is no index by time over all customers, since every event would pay for
// it: the hours that were summed up tell who had events when.
import type { UsageEvent } from '../../domain/ledger/usage-event.ts'
import type { Sql } from '../database.ts'
import { type EventRow, eventColumns, toEvent } from '../ledger/events.ts'
import { hourMs } from './roll-up.ts'

/** Of one instant, events are in the order of their ids. */
export type EnvironmentPosition = { occurredAt: number; customerUid: string; eventNo: number }

export type EnvironmentEvent = {
  customerUid: string
  customerId: string
  name: string | undefined
  productNo: number
  event: UsageEvent
}

export type EnvironmentRange = {
  featureNos: readonly number[]
  productNo: number | undefined
  from: number
  to: number
  before: EnvironmentPosition | undefined
  limit: number
}

// The newest events of a feature lie in as many hours: those with the latest last events, for each of these has one event that is
// not earlier than the last of them. Hours that go on beyond where the page begins are looked into as well, whatever is left.
export async function listEnvironmentEvents(sql: Sql, range: EnvironmentRange): Promise<EnvironmentEvent[]> {
  const { before, limit } = range
  const until = Math.min(range.to - 1, before?.occurredAt ?? Infinity, latest)
  const { rows } = await sql.query<[string, string, string | null, number, ...EventRow]>({
    text: `with hours as materialized (
        select h.* from unnest($1::int[]) as f (feature_no)
        cross join lateral (
          (select customer_uid, hour_at, feature_no, product_no from usage_hour
           where feature_no = f.feature_no and last_at < $3 and last_at >= $2 and ($4::int is null or product_no = $4)
           order by last_at desc limit $7)
          union all
          (select customer_uid, hour_at, feature_no, product_no from usage_hour
           where feature_no = f.feature_no and last_at >= $3 and last_at < $3 - $3 % ${hourMs} + ${hourMs}
             and ($4::int is null or product_no = $4))
        ) h
      )
      select c.customer_uid, c.customer_id, c.name, h.product_no, ${eventColumns}
      from hours h
      cross join lateral (
        select * from usage_event e
        where e.customer_uid = h.customer_uid and e.feature_no = h.feature_no and e.deleted_at is null
          and e.alias_of is null and e.occurred_at >= greatest(h.hour_at, $2::bigint)
          and e.occurred_at <= least(h.hour_at + ${hourMs - 1}, $3::bigint)
          and (e.occurred_at, e.customer_uid, e.event_no) < ($3::bigint, $5::uuid, $6::bigint)
        order by e.occurred_at desc, e.event_no desc
        limit $7
      ) e
      join customer c on c.customer_uid = h.customer_uid
      order by e.occurred_at desc, e.customer_uid desc, e.event_no desc
      limit $7`,
    values: [
      range.featureNos,
      range.from,
      until,
      range.productNo,
      before?.occurredAt === until ? before.customerUid : lastUid,
      before?.occurredAt === until ? before.eventNo : latest,
      limit,
    ],
    rowMode: 'array',
  })
  return rows.map(([customerUid, customerId, name, productNo, ...event]) => ({
    customerUid,
    customerId,
    name: name ?? undefined,
    productNo,
    event: toEvent(event),
  }))
}

const latest = Number.MAX_SAFE_INTEGER - hourMs
const lastUid = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

const customersProbed = 2_000

/** Events that have or had a key first, of any customer; undefined where there are too many customers to look through. */
export async function findEventsByKey(
  sql: Sql,
  environment: string,
  featureNos: readonly number[],
  keyHash: string,
): Promise<EnvironmentEvent[] | undefined> {
  const { rows: counted } = await sql.query<{ customers: number }>(
    `select count(*) as customers from (select from customer where environment = $1 limit ${customersProbed + 1}) c`,
    [environment],
  )
  if ((counted[0]?.customers ?? 0) > customersProbed) return undefined
  const { rows } = await sql.query<[string, string, string | null, ...EventRow]>({
    text: `select c.customer_uid, c.customer_id, c.name, ${eventColumns}
      from customer c
      cross join unnest($2::int[]) as f (feature_no)
      cross join lateral (
        select * from usage_event
        where customer_uid = c.customer_uid and feature_no = f.feature_no and key_hash = $3 and alias_of is null
        limit 1
      ) e
      where c.environment = $1
      order by e.occurred_at desc limit 100`,
    values: [environment, featureNos, keyHash],
    rowMode: 'array',
  })
  return rows.map(([customerUid, customerId, name, ...event]) => ({
    customerUid,
    customerId,
    name: name ?? undefined,
    productNo: 0,
    event: toEvent(event),
  }))
}
