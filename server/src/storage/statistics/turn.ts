// Turns of the job that keeps an environment's statistics: one at a time over all instances, each with some customers to do.
import type { Environment } from '../../domain/environment.ts'
import type { Sql } from '../database.ts'
import { dueAfterMs } from './mark-due.ts'

export type Turn = {
  turnNo: number
  /** Business time when it was taken: what was recorded before is in the sums after it. */
  now: number
  catalogueRevision: number
  /** Customers that are due, with the instant from which their events are to be summed up again, if any. */
  due: { customerUid: string; from: number | undefined }[]
  /** Customers that are visited because the catalogue or the clock changed. */
  visited: string[]
  /** Undefined when no walk is under way. */
  walk: { revision: number; isOver: boolean } | undefined
}

/** Between taking a turn and writing what came of it nothing is locked; whoever is late finds that the turn is over. */
const turnMs = 10_000

/** Whether there is anything to do: looked at often, so it writes nothing. */
export async function isAnythingDue(sql: Sql, environment: Environment, waitMs: number): Promise<boolean> {
  const { rows } = await sql.query<{ is_due: boolean }>(
    `select p.walked_revision <> e.catalogue_revision or p.walking_revision is not null or exists (
         select from statistics_due d where d.environment = e.environment and d.due_at <= ${dueBefore}
       ) as is_due
     from environment e join statistics_progress p on p.environment = e.environment
     where e.environment = $1`,
    [environment, dueAfterMs - waitMs],
  )
  return rows[0]?.is_due ?? false
}

/** A clock that stands still would never bring the time at which a write is due. */
const dueBefore = `case when e.frozen_at is null then clock_ms() + $2::bigint else e.frozen_at + ${dueAfterMs} end`

/**
 * Call it in a transaction. Moves `stats_from` to `stats_doing`, so that whatever is written from then on is seen to be new, and
 * what this turn leaves undone is done by the next. Undefined when another has the turn.
 */
export async function takeTurn(
  sql: Sql,
  environment: Environment,
  { limit, waitMs }: { limit: number; waitMs: number },
): Promise<Turn | undefined> {
  const taken = await sql.query<Row>(
    `update statistics_progress p
     set turn_no = p.turn_no + 1, taken_until = clock_ms() + ${turnMs},
       walking_revision = coalesce(p.walking_revision, nullif(e.catalogue_revision, p.walked_revision))
     from environment e
     where e.environment = $1 and p.environment = (
       select environment from statistics_progress where environment = $1 and taken_until <= clock_ms()
       for update skip locked
     )
     returning p.turn_no, p.walking_revision, p.walked_to, e.catalogue_revision,
       coalesce(e.frozen_at, clock_ms()) as now, ${dueBefore} as due_before`,
    [environment, dueAfterMs - waitMs],
  )
  const row = taken.rows[0]
  if (!row) return undefined
  const due = await sql.query<{ customer_uid: string; from: number | null }>(
    `with picked as materialized (
       select customer_uid from statistics_due where environment = $1 and due_at <= $2 order by due_at limit $3
     ),
     free as materialized (
       select customer_uid from customer where customer_uid = any(array(select customer_uid from picked))
         and stats_from is not null
       order by customer_uid for no key update skip locked
     ),
     moved as (
       update customer c set stats_doing = least(c.stats_doing, c.stats_from), stats_from = null
       where c.customer_uid = any(array(select customer_uid from free))
       returning c.customer_uid, c.stats_doing
     )
     select p.customer_uid, coalesce(m.stats_doing, c.stats_doing) as from
     from picked p
     left join moved m on m.customer_uid = p.customer_uid
     left join customer c on c.customer_uid = p.customer_uid`,
    [environment, row.due_before, limit],
  )
  // Usage goes first; the walk has what is left of a turn, and a part of each.
  const room = Math.max(limit - due.rows.length, Math.ceil(limit / 4))
  const visited =
    row.walking_revision === null ? [] : await listCustomersAfter(sql, environment, row.walked_to, room)
  return {
    turnNo: row.turn_no,
    now: row.now,
    catalogueRevision: row.catalogue_revision,
    due: due.rows.map((each) => ({ customerUid: each.customer_uid, from: each.from ?? undefined })),
    visited,
    walk:
      row.walking_revision === null
        ? undefined
        : { revision: row.walking_revision, isOver: visited.length < room },
  }
}

type Row = {
  turn_no: number
  walking_revision: number | null
  walked_to: string
  catalogue_revision: number
  now: number
  due_before: number
}

async function listCustomersAfter(
  sql: Sql,
  environment: Environment,
  after: string,
  limit: number,
): Promise<string[]> {
  const { rows } = await sql.query<{ customer_uid: string }>(
    `select customer_uid from customer where customer_uid > $1 and environment = $2 order by customer_uid limit $3`,
    [after, environment, limit],
  )
  return rows.map((row) => row.customer_uid)
}

/** Whether the turn is still one's own; then it stays so to the end of the transaction. */
export async function confirmTurn(sql: Sql, environment: Environment, { turnNo }: Turn): Promise<boolean> {
  const { rowCount } = await sql.query(
    'select from statistics_progress where environment = $1 and turn_no = $2 for update',
    [environment, turnNo],
  )
  return rowCount === 1
}

/** Those of the customers that are there. */
export async function findPresent(sql: Sql, uids: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql.query<{ customer_uid: string }>(
    'select customer_uid from customer where customer_uid = any($1::uuid[])',
    [uids],
  )
  return new Set(rows.map((row) => row.customer_uid))
}

export type Finished = {
  customerUid: string
  /** Of the state that the statistics were made from. */
  revision: number
  /** When they must be made anew though nothing is written; undefined if never. */
  validUntil: number | undefined
}

/**
 * The last thing before the commit, since it locks the customers. Whoever changed since its statistics were made stays due, and so
 * does whoever is locked by others or could not be read. Says for how many nothing is left to do.
 */
export async function finishTurn(
  sql: Sql,
  environment: Environment,
  turn: Turn,
  finished: readonly Finished[],
): Promise<number> {
  const dueUids = new Set(turn.due.map((each) => each.customerUid))
  const due = finished.filter((each) => dueUids.has(each.customerUid))
  const visited = finished.filter(
    ({ customerUid, validUntil }) => !dueUids.has(customerUid) && validUntil !== undefined,
  )
  await sql.query(
    `insert into statistics_due (customer_uid, environment, due_at)
     select a.customer_uid, $1, a.due_at from unnest($2::uuid[], $3::bigint[]) as a (customer_uid, due_at)
     order by a.customer_uid
     on conflict (customer_uid) do update set due_at = excluded.due_at where statistics_due.due_at > excluded.due_at`,
    [environment, visited.map((each) => each.customerUid), visited.map((each) => each.validUntil)],
  )
  const { rows } = await sql.query<{ done: number }>(
    `with asked as materialized (
       select * from unnest($1::uuid[], $2::bigint[], $3::bigint[]) as a (customer_uid, revision, valid_until)
     ),
     free as materialized (
       select customer_uid from customer where customer_uid = any($1::uuid[]) order by customer_uid
       for no key update skip locked
     ),
     cleared as (
       update customer c set stats_doing = null
       from asked a
       where c.customer_uid = a.customer_uid and c.customer_uid = any(array(select customer_uid from free))
       returning c.customer_uid, a.valid_until, c.stats_from is null and c.revision = a.revision as is_done
     ),
     gone as (
       delete from statistics_due d using cleared c
       where d.customer_uid = c.customer_uid and c.is_done and c.valid_until is null
     ),
     later as (
       update statistics_due d set due_at = case when c.is_done then c.valid_until else $4::bigint end
       from unnest($5::uuid[]) as p (customer_uid)
       left join cleared c on c.customer_uid = p.customer_uid
       where d.customer_uid = p.customer_uid and (c.is_done and c.valid_until is null) is not true
     )
     select count(*)::int as done from cleared where is_done`,
    [
      due.map((each) => each.customerUid),
      due.map((each) => each.revision),
      due.map((each) => each.validUntil),
      turn.now + dueAfterMs,
      [...dueUids],
    ],
  )
  await sql.query(
    `delete from statistics_due d
     where d.customer_uid = any($1::uuid[]) and not exists (select from customer c where c.customer_uid = d.customer_uid)`,
    [[...dueUids]],
  )
  await endTurn(sql, environment, turn)
  return (rows[0]?.done ?? 0) + turn.visited.length
}

async function endTurn(sql: Sql, environment: Environment, { turnNo, walk, visited }: Turn): Promise<void> {
  await sql.query(
    `update statistics_progress
     set taken_until = 0,
       walked_revision = case when $3 then $4 else walked_revision end,
       walking_revision = case when $3 then null else walking_revision end,
       walked_to = case when $3 then '00000000-0000-0000-0000-000000000000' else coalesce($5::uuid, walked_to) end
     where environment = $1 and turn_no = $2`,
    [environment, turnNo, walk?.isOver ?? false, walk?.revision ?? 0, visited.at(-1)],
  )
}

/** Everything recorded before this instant is in the sums. */
export async function findAsOf(sql: Sql, environment: Environment): Promise<number> {
  const { rows } = await sql.query<{ as_of: number }>(
    `select coalesce((
         select min(d.due_at) - ${dueAfterMs} from statistics_due d
         where d.environment = $1 and d.due_at <= coalesce(e.frozen_at, clock_ms()) + ${dueAfterMs}
       ), coalesce(e.frozen_at, clock_ms())) as as_of
     from environment e where e.environment = $1`,
    [environment],
  )
  return rows[0]?.as_of as number
}
