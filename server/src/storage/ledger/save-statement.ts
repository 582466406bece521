// The statement that writes changes of ledgers: it confirms what they were decided on, locks the customers and writes, for many
// customers at once.
import type { Statement } from '../pipelined-connection.ts'
import { newEventColumns, newEventTypes } from './events.ts'

/** Numbers the parameters of a statement in the order in which they are asked for. */
function createParameters() {
  let count = 0
  const next = (type: string) => `$${++count}::${type}[]`
  /** Arrays side by side as rows. In `from`, PostgreSQL would first write each to a store of its own: a fifth of a small batch. */
  const rows = (columns: readonly string[], types: readonly string[]) =>
    `(select ${columns.map((column, index) => `unnest(${next(types[index] as string)}) as ${column}`).join(', ')})`
  return { next, rows }
}

/**
 * Six statements in two round trips (begin, lock, find, insert, counters, commit) became one in one. Customers are locked in
 * the order of the index, after the moment: catalogue, then customers by uid, as everywhere. A customer whose revision is
 * another, or one of whose keys is taken, is left alone and told back; so is everybody of an environment whose moment has
 * passed. Who writes nothing is confirmed without a lock. Draws have parts of their own, which others need not pay for.
 */
function buildStatement(withDraws: boolean): Statement {
  const { next, rows } = createParameters()
  const moments = rows(['environment', 'revision', 'now'], ['text', 'bigint', 'bigint'])
  const [uids, revisions, nextRevisions] = [next('uuid'), next('bigint'), next('bigint')]
  const [lastEventAts, usedFeatures] = [next('bigint'), next('text')]
  const [idleUids, idleRevisions] = [next('uuid'), next('bigint')]
  const own = (array: string, of = uids) => `(${array})[array_position(${of}, c.customer_uid)]`
  const isConfirmed = (of: string, revision: string) => `c.customer_uid = any(${of})
      and c.revision = ${own(revision, of)}
      and c.environment = any(array(select environment from moments))
      and c.customer_uid <> all(array(select customer_uid from taken))`
  const events = rows(newEventColumns.split(/,\s*/), newEventTypes)
  const freeKeys = rows(['customer_uid', 'feature_no', 'key_hash'], ['uuid', 'int', 'uuid'])
  const counters = rows(counterColumns, counterTypes)
  const text = `with moments as materialized (
      select environment from ${moments} m where confirm_moment(m.environment, m.revision, m.now)
    ),
    new_event as materialized (select * from ${events} e),
    taken as materialized (
      select distinct a.customer_uid
      from (
        select customer_uid, feature_no, key_hash from new_event
        union all
        select * from ${freeKeys} f
      ) a
      cross join lateral (
        select from usage_event
        where customer_uid = a.customer_uid and feature_no = a.feature_no and key_hash = a.key_hash
        limit 1
      ) e
    ),
    locked as (
      update customer c
      set revision = ${own(nextRevisions)}, last_event_at = ${own(lastEventAts)},
        used_features = coalesce(${own(usedFeatures)}::int[], c.used_features)
      where ${isConfirmed(uids, revisions)}
      returning c.customer_uid
    ),
    idle as (
      select c.customer_uid from customer c where ${isConfirmed(idleUids, idleRevisions)}
    ),
    events as (
      insert into usage_event (${newEventColumns})
      select * from new_event e where ${isLocked('e')}
    ),
    counters as (
      insert into usage_counter (${counterColumns})
      select * from ${counters} u where ${isLocked('u')}
      on conflict (customer_uid, period_end, feature_no, period_start) do update set total = excluded.total
    )${withDraws ? buildDraws(rows) : ''}
    select customer_uid, false from locked
    union all
    select customer_uid, false from idle
    union all
    select customer_uid, true from taken`
  return { name: withDraws ? 'save-changes-with-draws' : 'save-changes', text }
}

const isLocked = (row: string) => `${row}.customer_uid = any(array(select customer_uid from locked))`

const counterColumns = ['customer_uid', 'period_end', 'feature_no', 'period_start', 'total']
const counterTypes = ['uuid', 'bigint', 'int', 'bigint', 'numeric']
const drawColumns = ['customer_uid', 'feature_no', 'drawn_at', 'event_no', 'position', 'bonus_id', 'amount']
const drawTypes = ['uuid', 'int', 'bigint', 'bigint', 'int', 'uuid', 'numeric']

function buildDraws(rows: ReturnType<typeof createParameters>['rows']): string {
  const counters = rows([...counterColumns, 'draw_bonus', 'draw_amount'], [...counterTypes, 'text', 'text'])
  const bonuses = rows(['customer_uid', 'bonus_id', 'drawn'], ['uuid', 'uuid', 'numeric'])
  const draws = rows(drawColumns, drawTypes)
  return `,
    drawn_counters as (
      insert into usage_counter (${counterColumns}, draw_bonus, draw_amount)
      select ${counterColumns.map((column) => `u.${column}`)}, u.draw_bonus::uuid[], u.draw_amount::numeric[]
      from ${counters} u where ${isLocked('u')}
      on conflict (customer_uid, period_end, feature_no, period_start) do update set
        total = excluded.total, draw_bonus = excluded.draw_bonus, draw_amount = excluded.draw_amount
    ),
    bonuses as (
      update bonus b set drawn = a.drawn
      from ${bonuses} a
      where b.customer_uid = a.customer_uid and b.bonus_id = a.bonus_id and ${isLocked('a')}
    ),
    draws as (
      insert into bonus_draw (${drawColumns})
      select * from ${draws} d where ${isLocked('d')}
    )`
}

/** Its arrays are made in save-changes.ts, in the order of the parameters. */
export const plainStatement = buildStatement(false)
export const drawingStatement = buildStatement(true)
