// The statement that writes changes of ledgers: it confirms what they were decided on, locks the customers and writes, for many
// customers at once.
import type { Statement } from '../pipelined-connection.ts'
import { dueAfterMs } from '../statistics/mark-due.ts'
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
 * the order of the index. The moment comes first here, unlike elsewhere: the connection waits for a customer only briefly, so that
 * a change of the catalogue is not held up for longer. A customer whose revision is another, or one of whose keys is taken, is left alone and told back; so is everybody of an environment whose moment has
 * passed. A customer becomes due for its statistics with the first event since they were made: later ones lie later and leave
 * `stats_from` as it is, so that this costs a comparison.
 */
function buildStatement({ refusals, draws }: Parts): Statement {
  const { next, rows } = createParameters()
  const moments = rows(['environment', 'revision', 'now'], ['text', 'bigint', 'bigint'])
  const [uids, revisions, nextRevisions] = [next('uuid'), next('bigint'), next('bigint')]
  const [lastEventAts, usedFeatures, statsFroms] = [next('bigint'), next('text'), next('bigint')]
  const events = rows(newEventColumns.split(/,\s*/), newEventTypes)
  const counters = rows(counterColumns, counterTypes)
  const refused = refusals ? buildRefusals(next, rows) : { keys: '', idle: '', select: '' }
  const own = (array: string) => ofCustomer(array, uids)
  const text = `with moments as materialized (
      select environment, now from ${moments} m where confirm_moment(m.environment, m.revision, m.now)
    ),
    new_event as materialized (select * from ${events} e),
    taken as materialized (
      select distinct a.customer_uid
      from (select customer_uid, feature_no, key_hash from new_event ${refused.keys}) a
      cross join lateral (
        select from usage_event
        where customer_uid = a.customer_uid and feature_no = a.feature_no and key_hash = a.key_hash
        limit 1
      ) e
    ),
    locked as (
      update customer c
      set revision = ${own(nextRevisions)}, last_event_at = ${own(lastEventAts)},
        used_features = coalesce(${own(usedFeatures)}::int[], c.used_features),
        stats_from = least(c.stats_from, ${own(statsFroms)})
      where ${isConfirmed(uids, revisions)}
      returning c.customer_uid, c.environment, c.stats_from = ${own(statsFroms)} as is_due
    ),
    due as (
      insert into statistics_due (customer_uid, environment, due_at)
      select l.customer_uid, l.environment, m.now + ${dueAfterMs}
      from locked l join moments m on m.environment = l.environment
      where l.is_due
      on conflict (customer_uid) do update set due_at = excluded.due_at where statistics_due.due_at > excluded.due_at
    ),
    ${refused.idle}
    events as (
      insert into usage_event (${newEventColumns})
      select * from new_event e where ${isLocked('e')}
    ),
    counters as (
      insert into usage_counter (${counterColumns})
      select * from ${counters} u where ${isLocked('u')}
      on conflict (customer_uid, period_end, feature_no, period_start) do update set total = excluded.total
    )${draws ? buildDraws(rows) : ''}
    select customer_uid, false from locked
    ${refused.select}
    union all
    select customer_uid, true from taken`
  return { name: `save-changes${refusals ? '-and-refusals' : ''}${draws ? '-and-draws' : ''}`, text }
}

/** Parts that not every batch needs: each costs a statement some microseconds though it has nothing to do. */
type Parts = { refusals: boolean; draws: boolean }

type Parameters = ReturnType<typeof createParameters>

const ofCustomer = (array: string, uids: string) => `(${array})[array_position(${uids}, c.customer_uid)]`

const isConfirmed = (uids: string, revisions: string) => `c.customer_uid = any(${uids})
      and c.revision = ${ofCustomer(revisions, uids)}
      and c.environment = any(array(select environment from moments))
      and c.customer_uid <> all(array(select customer_uid from taken))`

/** Who writes nothing is confirmed without a lock; keys of what was refused must be free, too. */
function buildRefusals(next: Parameters['next'], rows: Parameters['rows']) {
  const [uids, revisions] = [next('uuid'), next('bigint')]
  const keys = rows(['customer_uid', 'feature_no', 'key_hash'], ['uuid', 'int', 'uuid'])
  return {
    keys: `union all select * from ${keys} f`,
    idle: `idle as (select c.customer_uid from customer c where ${isConfirmed(uids, revisions)}),`,
    select: 'union all select customer_uid, false from idle',
  }
}

const isLocked = (row: string) => `${row}.customer_uid = any(array(select customer_uid from locked))`

const counterColumns = ['customer_uid', 'period_end', 'feature_no', 'period_start', 'total']
const counterTypes = ['uuid', 'bigint', 'int', 'bigint', 'numeric']
const drawColumns = ['customer_uid', 'feature_no', 'drawn_at', 'event_no', 'position', 'bonus_id', 'amount']
const drawTypes = ['uuid', 'int', 'bigint', 'bigint', 'int', 'uuid', 'numeric']

function buildDraws(rows: Parameters['rows']): string {
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

const statements = [false, true].flatMap((refusals) =>
  [false, true].map((draws) => ({ refusals, draws, statement: buildStatement({ refusals, draws }) })),
)

/** Its arrays are made in save-changes.ts, in the order of the parameters. */
export function getSaveStatement({ refusals, draws }: Parts): Statement {
  const found = statements.find((each) => each.refusals === refusals && each.draws === draws)
  if (!found) throw new Error('there is a statement for all parts')
  return found.statement
}
