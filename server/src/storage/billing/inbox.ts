// Looking into the inbox of provider events: how full it is, how late, and the events themselves.
import type { Environment } from '../../domain/environment.ts'
import type { Sql } from '../database.ts'

export type InboxSummary = {
  waiting: number
  failing: number
  doneToday: number
  oldestWaitingAt: number | null
  lastEventAt: number | null
}

/** All times are real time. */
export async function readInboxSummary(
  sql: Sql,
  environment: Environment,
  todayAt: number,
): Promise<InboxSummary> {
  const { rows } = await sql.query<InboxSummary>(
    `select w.waiting, w.failing, w."oldestWaitingAt",
       (select count(*) from provider_event where environment = $1 and received_at >= $2 and done_at >= $2) as "doneToday",
       (select max(received_at) from provider_event where environment = $1) as "lastEventAt"
     from (
       select count(*) filter (where last_error is null) as waiting,
         count(*) filter (where last_error is not null) as failing, min(received_at) as "oldestWaitingAt"
       from provider_event where environment = $1 and due_at is not null
     ) w`,
    [environment, todayAt],
  )
  return rows[0] as InboxSummary
}

export type InboxLag = { at: number; p50Ms: number; maxMs: number; count: number }

/** By the hour of arrival: how long it took from then until all of an event was in force. */
export async function listInboxLag(sql: Sql, environment: Environment, since: number): Promise<InboxLag[]> {
  const { rows } = await sql.query<InboxLag>(
    `select received_at / 3600000 * 3600000 as at,
       percentile_disc(0.5) within group (order by done_at - received_at) as "p50Ms",
       max(done_at - received_at) as "maxMs", count(*) as count
     from provider_event
     where environment = $1 and received_at >= $2 and done_at is not null
     group by 1 order by 1`,
    [environment, since],
  )
  return rows
}

export type InboxState = 'waiting' | 'failing' | 'done'

export type ListedInboxEvent = {
  eventId: string
  type: string
  subjectKind: 'customer' | 'product'
  subjectId: string
  /** Of the customer here that it is about. */
  customerId: string | null
  createdAt: number
  receivedAt: number
  doneAt: number | null
  attempts: number
  lastError: string | null
}

export type InboxFilter = {
  state: InboxState | undefined
  after: { receivedAt: number; eventId: string } | undefined
  limit: number
}

/** Newest first. */
export async function listInboxEvents(
  sql: Sql,
  environment: Environment,
  { state, after, limit }: InboxFilter,
): Promise<ListedInboxEvent[]> {
  const { rows } = await sql.query<ListedInboxEvent>(
    `select e.event_id as "eventId", e.type, e.subject_kind as "subjectKind", e.subject_id as "subjectId",
       c.customer_id as "customerId", e.created_at as "createdAt", e.received_at as "receivedAt", e.done_at as "doneAt",
       e.attempts, e.last_error as "lastError"
     from provider_event e
     left join customer c on e.subject_kind = 'customer' and c.environment = e.environment
       and c.provider_customer_id = e.subject_id
     where e.environment = $1
       and ($2::text is null
         or ($2 = 'done' and e.due_at is null)
         or ($2 = 'waiting' and e.due_at is not null and e.last_error is null)
         or ($2 = 'failing' and e.due_at is not null and e.last_error is not null))
       and ($3::bigint is null or (e.received_at, e.event_id) < ($3, $4::text))
     order by e.received_at desc, e.event_id desc
     limit $5`,
    [environment, state, after?.receivedAt, after?.eventId, limit],
  )
  return rows
}

/** Makes an event due now; says whether it is there, and whether it was done already. */
export async function hastenInboxEvent(
  sql: Sql,
  environment: Environment,
  eventId: string,
  now: number,
): Promise<'missing' | 'done' | 'due'> {
  const { rowCount } = await sql.query(
    'update provider_event set due_at = $3 where environment = $1 and event_id = $2 and due_at is not null',
    [environment, eventId, now],
  )
  if (rowCount === 1) return 'due'
  const { rows } = await sql.query('select from provider_event where environment = $1 and event_id = $2', [
    environment,
    eventId,
  ])
  return rows.length === 1 ? 'done' : 'missing'
}
