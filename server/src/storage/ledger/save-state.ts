// Writing what changed between two states of customers: counters and the drawn part of bonuses.
import { amountToText } from '../../domain/amount.ts'
import type { Bonus, Counter, CustomerState, Draw } from '../../domain/ledger/state.ts'
import { plainArray, textArray } from '../array-literal.ts'
import type { Sql } from '../database.ts'
import type { Statement } from '../pipelined-connection.ts'

export type StateChange = { before: CustomerState; after: CustomerState }

// Totals are absolute: the customers are locked, so nobody else can have changed them meanwhile.
const countersStatement: Statement = {
  name: 'save-counters',
  text: `insert into usage_counter (customer_uid, period_end, feature_no, period_start, total, draw_bonus, draw_amount)
    select customer_uid, period_end, feature_no, period_start, total, draw_bonus::uuid[], draw_amount::numeric[]
    from unnest($1::uuid[], $2::bigint[], $3::int[], $4::bigint[], $5::numeric[], $6::text[], $7::text[])
      as c (customer_uid, period_end, feature_no, period_start, total, draw_bonus, draw_amount)
    on conflict (customer_uid, period_end, feature_no, period_start) do update set
      total = excluded.total, draw_bonus = excluded.draw_bonus, draw_amount = excluded.draw_amount`,
}

const bonusesStatement: Statement = {
  name: 'save-bonuses',
  text: `update bonus b set drawn = a.drawn
    from unnest($1::uuid[], $2::uuid[], $3::numeric[]) as a (customer_uid, bonus_id, drawn)
    where b.customer_uid = a.customer_uid and b.bonus_id = a.bonus_id`,
}

export type OwnedCounter = { uid: string; counter: Counter }

/** States are immutable, so what changed is what is another object now. */
export function listChangedCounters({ before, after }: StateChange): OwnedCounter[] {
  const uid = after.customer.customerUid
  return after.counters
    .filter((counter) => !before.counters.includes(counter))
    .map((counter) => ({ uid, counter }))
}

export function saveChanges(sql: Sql, changes: readonly StateChange[]): Promise<unknown>[] {
  const counters = changes.flatMap(listChangedCounters)
  const bonuses: { uid: string; bonus: Bonus }[] = []
  for (const { before, after } of changes) {
    const uid = after.customer.customerUid
    for (const bonus of after.bonuses) if (!before.bonuses.includes(bonus)) bonuses.push({ uid, bonus })
  }
  return [
    ...(counters.length > 0 ? [saveCounters(sql, counters)] : []),
    ...(bonuses.length > 0 ? [saveBonuses(sql, bonuses)] : []),
  ]
}

function saveCounters(sql: Sql, owned: OwnedCounter[]): Promise<unknown> {
  const counters = owned.map((each) => each.counter)
  return sql.query({
    ...countersStatement,
    values: [
      plainArray(owned.map((each) => each.uid)),
      plainArray(counters.map((counter) => counter.period.end)),
      plainArray(counters.map((counter) => counter.featureNo)),
      plainArray(counters.map((counter) => counter.period.start)),
      plainArray(counters.map((counter) => amountToText(counter.total))),
      textArray(counters.map(({ draws }) => plainArray(draws.map((draw) => draw.bonusId)))),
      textArray(counters.map(({ draws }) => plainArray(draws.map((draw) => amountToText(draw.amount))))),
    ],
  })
}

const saveBonuses = (sql: Sql, owned: { uid: string; bonus: Bonus }[]): Promise<unknown> =>
  sql.query({
    ...bonusesStatement,
    values: [
      plainArray(owned.map((each) => each.uid)),
      plainArray(owned.map((each) => each.bonus.bonusId)),
      plainArray(owned.map((each) => amountToText(each.bonus.drawn))),
    ],
  })

export type NewDraw = Draw & {
  customerUid: string
  featureNo: number
  drawnAt: number
  eventNo: number
  position: number
}

export const insertDraws = (sql: Sql, draws: readonly NewDraw[]): Promise<unknown> =>
  sql.query({
    name: 'insert-draws',
    text: `insert into bonus_draw (customer_uid, feature_no, drawn_at, event_no, position, bonus_id, amount)
      select * from unnest($1::uuid[], $2::int[], $3::bigint[], $4::bigint[], $5::int[], $6::uuid[], $7::numeric[])`,
    values: [
      plainArray(draws.map((draw) => draw.customerUid)),
      plainArray(draws.map((draw) => draw.featureNo)),
      plainArray(draws.map((draw) => draw.drawnAt)),
      plainArray(draws.map((draw) => draw.eventNo)),
      plainArray(draws.map((draw) => draw.position)),
      plainArray(draws.map((draw) => draw.bonusId)),
      plainArray(draws.map((draw) => amountToText(draw.amount))),
    ],
  })
