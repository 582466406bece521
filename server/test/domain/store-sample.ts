// One customer's rows for tests, as storage keeps them: a change is applied to them, and what a decision lacks is found there.
import assert from 'node:assert/strict'
import type { Period } from '../../src/domain/access/period.ts'
import type { Amount } from '../../src/domain/amount.ts'
import { isEmpty, type LedgerChange, type NewDraw } from '../../src/domain/ledger/change.ts'
import { contains, withCounters } from '../../src/domain/ledger/counters.ts'
import {
  type BonusRequest,
  type Facts,
  instantName,
  keyName,
  type Need,
} from '../../src/domain/ledger/facts.ts'
import { appendDraw } from '../../src/domain/ledger/settle.ts'
import {
  type Bonus,
  type Counter,
  type CustomerState,
  type Draw,
  isOpen,
} from '../../src/domain/ledger/state.ts'
import type { UsageEvent } from '../../src/domain/ledger/usage-event.ts'

export type Store = {
  customer: Pick<CustomerState, 'revision' | 'customer'>
  events: Map<string, UsageEvent>
  /** Further keys, and the first key of the event that took them. */
  aliases: Map<string, string>
  bonuses: Map<string, Bonus>
  requests: Map<string, BonusRequest>
  draws: NewDraw[]
  counters: Map<string, Counter>
  log: LedgerChange['log']
}

export const emptyStore = ({ revision, customer }: CustomerState): Store => ({
  customer: { revision, customer },
  events: new Map(),
  aliases: new Map(),
  bonuses: new Map(),
  requests: new Map(),
  draws: [],
  counters: new Map(),
  log: [],
})

const spanName = (featureNo: number, { start, end }: Period): string => `${featureNo}/${start}/${end}`

/** The sum of live events in a span, and its draws in runs: what a true counter holds. */
export function computeCounter({ events, draws }: Store, featureNo: number, period: Period): Counter {
  const isOf = (each: { featureNo: number }, at: number) =>
    each.featureNo === featureNo && contains(period, at)
  let total: Amount = 0n
  for (const event of events.values())
    if (event.deletedAt === undefined && isOf(event, event.occurredAt)) total += event.amount
  const runs: Draw[] = []
  for (const draw of draws) {
    const { bonusId, amount } = draw
    if (isOf(draw, draw.drawnAt)) appendDraw(runs, { bonusId, amount })
  }
  return { featureNo, period, total, draws: runs }
}

/** The store after a change, in the order in which storage writes; whatever a table would refuse fails. */
export function save(before: Store, change: LedgerChange): Store {
  if (isEmpty(change)) return before
  const store = structuredClone(before)
  assert.equal(change.revision, store.customer.revision)
  for (const each of change.returned) giveBack(store, each)
  for (const { featureNo, period } of change.overlapped) {
    for (const [name, counter] of store.counters) {
      const { start, end } = counter.period
      const overlaps = counter.featureNo === featureNo && start < period.end && period.start < end
      if (overlaps && name !== spanName(featureNo, period)) store.counters.delete(name)
    }
  }
  for (const event of change.insertedEvents) takeKey(store, keyName(event.featureNo, event.keyHash), event)
  for (const event of change.updatedEvents) {
    const name = keyName(event.featureNo, event.keyHash)
    assert.ok(store.events.has(name), 'an event is updated that is not there')
    store.events.set(name, event)
  }
  for (const { keyHash, event } of change.aliases) {
    const name = keyName(event.featureNo, keyHash)
    assert.ok(!store.events.has(name) && !store.aliases.has(name), 'a further key is taken')
    store.aliases.set(name, keyName(event.featureNo, event.keyHash))
  }
  for (const bonus of change.insertedBonuses) {
    assert.ok(!store.bonuses.has(bonus.bonusId), 'a bonus is there already')
    store.bonuses.set(bonus.bonusId, bonus)
  }
  for (const bonus of [...change.updatedBonuses, ...change.drawnBonuses]) {
    assert.ok(store.bonuses.has(bonus.bonusId), 'a bonus is changed that is not there')
    store.bonuses.set(bonus.bonusId, bonus)
  }
  for (const bonusId of change.deletedBonusIds) store.bonuses.delete(bonusId)
  for (const request of change.requests) {
    assert.ok(!store.requests.has(request.keyHash), 'a request was answered before')
    store.requests.set(request.keyHash, request)
  }
  store.draws.push(...structuredClone(change.drawn))
  for (const { bonusId } of store.draws) assert.ok(store.bonuses.has(bonusId), 'a draw is on no bonus')
  for (const counter of change.counters)
    store.counters.set(spanName(counter.featureNo, counter.period), counter)
  store.log.push(...change.log)
  const { customer } = store.customer
  const { lastEventAt, usedFeatures = customer.usedFeatures, nextRevision } = change
  store.customer = { revision: nextRevision, customer: { ...customer, lastEventAt, usedFeatures } }
  return store
}

function takeKey({ events, aliases }: Store, name: string, event: UsageEvent): void {
  assert.ok(!events.has(name) && !aliases.has(name), 'a key is taken')
  events.set(name, event)
}

/** The latest draws go first, the last of them perhaps in part. */
function giveBack({ draws }: Store, { featureNo, period, amount }: LedgerChange['returned'][number]): void {
  let left = amount
  for (let index = draws.length - 1; index >= 0 && left > 0n; index--) {
    const draw = draws[index] as NewDraw
    if (draw.featureNo !== featureNo || !contains(period, draw.drawnAt)) continue
    const part = draw.amount < left ? draw.amount : left
    draw.amount -= part
    left -= part
    if (draw.amount === 0n) draws.splice(index, 1)
  }
  assert.equal(left, 0n, 'more is given back than was drawn')
}

const findEvent = ({ events, aliases }: Store, name: string): UsageEvent | undefined =>
  events.get(aliases.get(name) ?? name)

const bonusesOf = (store: Store, { draws }: Counter): Bonus[] =>
  [...new Set(draws.map((draw) => draw.bonusId))].map((bonusId) => store.bonuses.get(bonusId) as Bonus)

/** The state as it is loaded: what is not over, bonuses that are open, and those that were drawn on in it. */
export function load(store: Store, held: CustomerState, asOf: number): CustomerState {
  const counters = [...store.counters.values()].filter((counter) => counter.period.end > asOf)
  const drawnOn = counters.flatMap((counter) => bonusesOf(store, counter))
  const open = [...store.bonuses.values()].filter((bonus) => isOpen(bonus, asOf))
  return { ...held, ...store.customer, asOf, counters, bonuses: [...new Set([...open, ...drawnOn])] }
}

export type Known = { state: CustomerState; facts: Facts }

/** What is known, with what was needed. */
export function lookUp(store: Store, known: Known, needs: readonly Need[]): Known {
  const events = new Map(known.facts.events)
  const bonuses = new Map(known.facts.bonuses)
  const requests = new Map(known.facts.requests)
  const instants = new Set(known.facts.instants)
  const computed = new Set(known.facts.computed)
  const found: Counter[] = []
  const isKnown = (counter: Pick<Counter, 'featureNo' | 'period'>) =>
    [...known.state.counters, ...found].some(
      (each) => spanName(each.featureNo, each.period) === spanName(counter.featureNo, counter.period),
    )
  for (const need of needs) {
    if (need.kind === 'event') {
      const event = findEvent(store, keyName(need.featureNo, need.keyHash))
      events.set(keyName(need.featureNo, need.keyHash), event)
      if (event) events.set(keyName(need.featureNo, event.keyHash), event)
    } else if (need.kind === 'bonus') bonuses.set(need.bonusId, store.bonuses.get(need.bonusId))
    else if (need.kind === 'request') requests.set(need.keyHash, store.requests.get(need.keyHash))
    else {
      instants.add(instantName(need.featureNo, need.at))
      for (const counter of store.counters.values())
        if (counter.featureNo === need.featureNo && contains(counter.period, need.at) && !isKnown(counter))
          found.push(counter)
    }
  }
  for (const need of needs) {
    if (need.kind !== 'counter' || isKnown(need)) continue
    const counter = computeCounter(store, need.featureNo, need.period)
    computed.add(counter)
    found.push(counter)
  }
  const drawnOn = found.flatMap((counter) => bonusesOf(store, counter))
  return {
    state: withCounters(known.state, found, drawnOn),
    facts: { events, bonuses, requests, instants, computed },
  }
}
