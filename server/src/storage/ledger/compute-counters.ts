// Counters that are not stored, computed from the ledger: a new period, a changed anchor or interval, a backdated event.
import type { Period } from '../../domain/access/period.ts'
import { amountFromText } from '../../domain/amount.ts'
import { appendDraw } from '../../domain/ledger/settle.ts'
import type { Bonus, Counter, Draw } from '../../domain/ledger/state.ts'
import { plainArray } from '../array-literal.ts'
import type { Sql } from '../database.ts'
import type { Statement } from '../pipelined-connection.ts'
import { type BonusRow, bonusColumns, toBonus } from './bonus-rows.ts'

export type CounterAsk = { customerUid: string; featureNo: number; period: Period }

export type ComputedCounter = {
  counter: Counter
  /** The customer's revision in the snapshot the sum was made in. */
  revision: number
  /** How many events were summed up. */
  events: number
  /** The bonuses that were drawn on in the period. */
  bonuses: Bonus[]
}

// The lateral parts keep each look-up a look-up, however small the planner believes a table to be.
const statement: Statement = {
  name: 'compute-counters',
  text: `select a.n, c.revision, l.total, l.events, d.draws
    from unnest($1::uuid[], $2::int[], $3::bigint[], $4::bigint[])
      with ordinality as a (customer_uid, feature_no, period_start, period_end, n)
    join customer c on c.customer_uid = a.customer_uid
    cross join lateral (
      select coalesce(sum(e.amount), 0)::text as total, count(*) as events
      from usage_event e
      where e.customer_uid = a.customer_uid and e.feature_no = a.feature_no
        and e.occurred_at >= a.period_start and e.occurred_at < a.period_end
        and e.deleted_at is null and e.alias_of is null
    ) l
    cross join lateral (
      select json_agg(json_build_array(d.amount::text, json_build_array(${bonusColumns}))
        order by d.event_no, d.position) as draws
      from bonus_draw d
      join bonus b on b.customer_uid = d.customer_uid and b.bonus_id = d.bonus_id
      where d.customer_uid = a.customer_uid and d.feature_no = a.feature_no
        and d.drawn_at >= a.period_start and d.drawn_at < a.period_end
    ) d`,
}

type Row = [
  n: number,
  revision: number,
  total: string,
  events: number,
  draws: [amount: string, bonus: BonusRow][] | null,
]

/** One per ask, in order; undefined when the customer is gone. */
export async function computeCounters(
  sql: Sql,
  asks: readonly CounterAsk[],
): Promise<(ComputedCounter | undefined)[]> {
  const values = [
    plainArray(asks.map((ask) => ask.customerUid)),
    plainArray(asks.map((ask) => ask.featureNo)),
    plainArray(asks.map((ask) => ask.period.start)),
    plainArray(asks.map((ask) => ask.period.end)),
  ]
  const { rows } = await sql.query<Row>({ ...statement, values, rowMode: 'array' })
  const computed: (ComputedCounter | undefined)[] = asks.map(() => undefined)
  for (const [n, revision, total, events, draws] of rows) {
    const { featureNo, period } = asks[n - 1] as CounterAsk
    const runs: Draw[] = []
    const bonuses = new Map<string, Bonus>()
    for (const [amount, row] of draws ?? []) {
      const bonus = toBonus(row)
      bonuses.set(bonus.bonusId, bonus)
      appendDraw(runs, { bonusId: bonus.bonusId, amount: amountFromText(amount) })
    }
    const counter = { featureNo, period, total: amountFromText(total), draws: runs }
    computed[n - 1] = { counter, revision, events, bonuses: [...bonuses.values()] }
  }
  return computed
}
