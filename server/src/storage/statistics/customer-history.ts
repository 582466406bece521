// The limits that a customer had, and the changes that concern it.
import type { Sql } from '../database.ts'

export type LimitChange = { changedAt: number; limit: number | null }

/** Oldest first; a null limit is none. */
export async function listLimits(
  sql: Sql,
  uid: string,
  featureNo: number,
  limit: number,
): Promise<LimitChange[]> {
  const { rows } = await sql.query<{ changed_at: number; limit_amount: number | null }>(
    `select changed_at, limit_amount::float8 as limit_amount from limit_change
     where customer_uid = $1 and feature_no = $2 order by changed_at desc limit $3`,
    [uid, featureNo, limit],
  )
  return rows.map((row) => ({ changedAt: row.changed_at, limit: row.limit_amount })).reverse()
}

export type CustomerEntry = {
  entryNo: number
  at: number
  actor: string
  action: string
  subject: string
  before: unknown
  after: unknown
  requestId: string | null
}

type Row = {
  entry_no: number
  at: number
  actor: string
  action: string
  subject: string
  before: unknown
  after: unknown
  request_id: string | null
}

const columns = 'entry_no, at, actor, action, subject, before, after, request_id'

const fromRow = ({ entry_no: entryNo, request_id: requestId, ...row }: Row): CustomerEntry => ({
  entryNo,
  requestId,
  ...row,
})

/** A place in the order of time; of one instant, the log is in the order of its numbers. */
export type EntryPosition = { at: number; no: number }

/** Entries of the log that concern the customer, newest first. */
export async function listCustomerEntries(
  sql: Sql,
  uid: string,
  {
    actions,
    before,
    limit,
  }: { actions: readonly string[]; before: EntryPosition | undefined; limit: number },
): Promise<CustomerEntry[]> {
  const { rows } = await sql.query<Row>(
    `select ${columns} from audit_entry
     where customer_uid = $1 and action = any($2::text[]) and ($3::bigint is null or (at, entry_no) < ($3, $4::bigint))
     order by at desc, entry_no desc limit $5`,
    [uid, actions, before?.at, before?.no, limit],
  )
  return rows.map(fromRow)
}

/** Entries of the log about one thing, newest first. */
export async function listSubjectEntries(
  sql: Sql,
  environment: string,
  subject: string,
  limit: number,
): Promise<CustomerEntry[]> {
  const { rows } = await sql.query<Row>(
    `select ${columns} from audit_entry where environment = $1 and subject = $2 order by entry_no desc limit $3`,
    [environment, subject, limit],
  )
  return rows.map(fromRow)
}

/** Those of the things that the log says something of. */
export async function findLogged(
  sql: Sql,
  environment: string,
  subjects: readonly string[],
): Promise<Set<string>> {
  const { rows } = await sql.query<{ subject: string }>(
    'select distinct subject from audit_entry where environment = $1 and subject = any($2::text[])',
    [environment, subjects],
  )
  return new Set(rows.map((row) => row.subject))
}

export type CheckoutRow = { checkoutKey: string; createdAt: number; supersededAt: number | undefined }

export async function listCustomerCheckouts(
  sql: Sql,
  uid: string,
  { before, limit }: { before: { at: number; key: string } | undefined; limit: number },
): Promise<CheckoutRow[]> {
  const { rows } = await sql.query<{
    checkout_key: string
    created_at: number
    superseded_at: number | null
  }>(
    `select checkout_key, created_at, superseded_at from checkout
     where customer_uid = $1 and ($2::bigint is null or (created_at, checkout_key) < ($2, $3::uuid))
     order by created_at desc, checkout_key desc limit $4`,
    [uid, before?.at, before?.key, limit],
  )
  return rows.map((row) => ({
    checkoutKey: row.checkout_key,
    createdAt: row.created_at,
    supersededAt: row.superseded_at ?? undefined,
  }))
}

export type UsageGroup = { at: number; until: number; featureNo: number; amount: number; events: number }

/** A customer's usage by feature and hour, newest first, as the ledger has it now. */
export async function listUsageGroups(
  sql: Sql,
  uid: string,
  featureNos: readonly number[],
  { before, limit }: { before: { at: number; featureNo: number } | undefined; limit: number },
): Promise<UsageGroup[]> {
  const { rows } = await sql.query<{
    hour_at: number
    feature_no: number
    amount: number
    events: number
    last_at: number
  }>(
    `with customer_cut as materialized (
       select least(stats_from, stats_doing) - least(stats_from, stats_doing) % 3600000 as cut_at
       from customer where customer_uid = $1
     ),
     groups as (
       select u.hour_at, u.feature_no, u.amount, u.events, u.last_at from usage_hour u
       where u.customer_uid = $1 and u.feature_no = any($2::int[])
         and u.hour_at <= $3::bigint
         and u.hour_at < coalesce((select cut_at from customer_cut), ${Number.MAX_SAFE_INTEGER})
       union all
       select e.occurred_at - e.occurred_at % 3600000, e.feature_no, sum(e.amount), count(*), max(e.occurred_at)
       from usage_event e
       where e.customer_uid = $1 and e.feature_no = any($2::int[]) and e.deleted_at is null and e.alias_of is null
         and e.occurred_at >= (select cut_at from customer_cut) and e.occurred_at < $3::bigint + 3600000
       group by 1, 2
     )
     select hour_at, feature_no, amount::float8 as amount, events::int as events, last_at from groups
     where (hour_at, feature_no) < ($3::bigint, $4::int)
     order by hour_at desc, feature_no desc limit $5`,
    [uid, featureNos, before?.at ?? Number.MAX_SAFE_INTEGER - 3_600_000, before?.featureNo ?? 0, limit],
  )
  return rows.map((row) => ({
    at: row.hour_at,
    until: row.last_at,
    featureNo: row.feature_no,
    amount: row.amount,
    events: row.events,
  }))
}
