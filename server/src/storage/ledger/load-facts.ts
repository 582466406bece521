// Looking up what decisions about one customer need beside its state. Call it under the customer's lock.
import { amountFromText } from '../../domain/amount.ts'
import { withCounters } from '../../domain/ledger/counters.ts'
import { type BonusRequest, type Facts, instantName, keyName, type Need } from '../../domain/ledger/facts.ts'
import type { Bonus, Counter, CustomerState } from '../../domain/ledger/state.ts'
import { plainArray } from '../array-literal.ts'
import type { Sql } from '../database.ts'
import { type BonusRow, bonusColumns, toBonus } from './bonus-rows.ts'
import { computeCounters } from './compute-counters.ts'
import { type CounterRow, counterColumns, toCounter } from './counter-rows.ts'
import { findEvents } from './events.ts'

type NeedOf<Kind extends Need['kind']> = Extract<Need, { kind: Kind }>

const needsOf = <Kind extends Need['kind']>(needs: readonly Need[], kind: Kind): NeedOf<Kind>[] =>
  needs.filter((need): need is NeedOf<Kind> => need.kind === kind)

export type Known = { state: CustomerState; facts: Facts }

/** What is known, with what was needed. */
export async function loadFacts(sql: Sql, known: Known, needs: readonly Need[]): Promise<Known> {
  const { customerUid } = known.state.customer
  const events = new Map(known.facts.events)
  const keys = needsOf(needs, 'event')
  const found = await findEvents(
    sql,
    keys.map((key) => ({ customerUid, ...key })),
  )
  for (const [index, { featureNo, keyHash }] of keys.entries()) {
    const event = found[index]
    events.set(keyName(featureNo, keyHash), event)
    if (event) events.set(keyName(featureNo, event.keyHash), event)
  }
  const bonuses = new Map(known.facts.bonuses)
  for (const { bonusId } of needsOf(needs, 'bonus'))
    bonuses.set(bonusId, await findBonus(sql, customerUid, bonusId))
  const requests = new Map(known.facts.requests)
  for (const { keyHash } of needsOf(needs, 'request'))
    requests.set(keyHash, await findRequest(sql, customerUid, keyHash))
  const counters = needsOf(needs, 'counter')
  const instants = new Set(known.facts.instants)
  for (const { featureNo, at } of counters) instants.add(instantName(featureNo, at))
  const computed = new Set(known.facts.computed)
  const state = counters.length > 0 ? await addCounters(sql, known.state, counters, computed) : known.state
  return { state, facts: { events, bonuses, requests, instants, computed } }
}

/** Every stored counter that contains one of the instants, an event there being counted in each; and those not stored. */
async function addCounters(
  sql: Sql,
  state: CustomerState,
  needs: readonly NeedOf<'counter'>[],
  computed: Set<Counter>,
): Promise<CustomerState> {
  const { customerUid } = state.customer
  const stored = await findCountersAt(sql, customerUid, needs)
  const counters: Counter[] = []
  const bonuses: Bonus[] = []
  const isKnown = ({ featureNo, period }: Pick<Counter, 'featureNo' | 'period'>) =>
    [...state.counters, ...counters].some(
      (each) =>
        each.featureNo === featureNo && each.period.start === period.start && each.period.end === period.end,
    )
  for (const [counter, drawnOn] of stored) {
    if (isKnown(counter)) continue
    counters.push(counter)
    bonuses.push(...drawnOn)
  }
  for (const { featureNo, period } of needs) {
    if (isKnown({ featureNo, period })) continue
    const [sum] = await computeCounters(sql, [{ customerUid, featureNo, period }])
    if (!sum) throw new Error(`the customer ${customerUid} is locked and gone`)
    computed.add(sum.counter)
    counters.push(sum.counter)
    bonuses.push(...sum.bonuses)
  }
  return withCounters(state, counters, bonuses)
}

async function findCountersAt(
  sql: Sql,
  uid: string,
  needs: readonly NeedOf<'counter'>[],
): Promise<[Counter, Bonus[]][]> {
  const { rows } = await sql.query<[counter: CounterRow, drawnOn: BonusRow[] | null]>({
    text: `select json_build_array(${counterColumns}), (
        select json_agg(json_build_array(${bonusColumns}))
        from bonus b where b.customer_uid = u.customer_uid and b.bonus_id = any(u.draw_bonus)
      )
      from unnest($2::int[], $3::bigint[]) as a (feature_no, at)
      cross join lateral (
        select * from usage_counter
        where customer_uid = $1 and period_end > a.at and feature_no = a.feature_no and period_start <= a.at
        offset 0
      ) u`,
    values: [uid, plainArray(needs.map((need) => need.featureNo)), plainArray(needs.map((need) => need.at))],
    rowMode: 'array',
  })
  return rows.map(([counter, drawnOn]) => [toCounter(counter), drawnOn?.map(toBonus) ?? []])
}

async function findBonus(sql: Sql, uid: string, bonusId: string): Promise<Bonus | undefined> {
  const { rows } = await sql.query<[BonusRow]>({
    text: `select json_build_array(${bonusColumns}) from bonus b where b.customer_uid = $1 and b.bonus_id = $2`,
    values: [uid, bonusId],
    rowMode: 'array',
  })
  return rows[0] && toBonus(rows[0][0])
}

async function findRequest(sql: Sql, uid: string, keyHash: string): Promise<BonusRequest | undefined> {
  const { rows } = await sql.query<{
    body_hash: string
    answer: [bonus: BonusRow, remaining: string | null]
  }>('select body_hash, answer from bonus_request where customer_uid = $1 and key_hash = $2', [uid, keyHash])
  const [row] = rows
  if (!row) return undefined
  const [bonus, remaining] = row.answer
  return {
    keyHash,
    bodyHash: row.body_hash,
    bonus: toBonus(bonus),
    counterRemaining: remaining === null ? undefined : amountFromText(remaining),
  }
}
