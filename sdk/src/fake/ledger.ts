// Ledgers in memory: what the service's own rules decide is looked up for them, and what they decided is kept.
import {
  computeEntitlements,
  computeFeatureAccess,
} from '../../../server/src/domain/access/feature-access.ts'
import type { Period } from '../../../server/src/domain/access/period.ts'
import { RequestError } from '../../../server/src/domain/errors.ts'
import type { LedgerChange } from '../../../server/src/domain/ledger/change.ts'
import { contains, findCounter, withCounters } from '../../../server/src/domain/ledger/counters.ts'
import { decideBatch } from '../../../server/src/domain/ledger/decide-batch.ts'
import { type Facts, keyName, type Need } from '../../../server/src/domain/ledger/facts.ts'
import { appendDraw } from '../../../server/src/domain/ledger/settle.ts'
import type { Counter, CustomerState, Draw } from '../../../server/src/domain/ledger/state.ts'
import type { LedgerTask, TaskOrigin } from '../../../server/src/domain/ledger/task.ts'
import { servicePrincipal } from '../../../server/src/domain/principal.ts'
import { type FakeCustomer, type FakeStore, getCustomer } from './store.ts'

const beginningOfTime = -8.64e15

export const originOf = (store: FakeStore, customerId: string): TaskOrigin => ({
  principal: servicePrincipal('test', 'fake'),
  customerHash: customerId,
  customerId,
  now: store.now(),
})

/** With all bonuses and no counters: those are computed from the events when they are asked for. */
function toState(owner: FakeCustomer): CustomerState {
  const { customer, revision, assignments, subscriptions, bonuses } = owner
  const asOf = beginningOfTime
  return { revision, catalogueRevision: 0, asOf, customer, assignments, subscriptions, bonuses, counters: [] }
}

function computeCounter(owner: FakeCustomer, featureNo: number, period: Period): Counter {
  let total = 0n
  for (const event of owner.events)
    if (event.featureNo === featureNo && event.deletedAt === undefined && contains(period, event.occurredAt))
      total += event.amount
  const draws: Draw[] = []
  for (const { featureNo: of, drawnAt, bonusId, amount } of owner.draws)
    if (of === featureNo && contains(period, drawnAt)) appendDraw(draws, { bonusId, amount })
  return { featureNo, period, total, draws }
}

/** What a customer holds and may use now, with the state it was computed from; and of a feature that is asked for. */
export function readAccess(store: FakeStore, owner: FakeCustomer, askedKey?: string) {
  const catalogue = store.catalogue()
  const now = store.now()
  const bare = toState(owner)
  const entitlements = computeEntitlements(catalogue, bare, now, askedKey)
  const counters = entitlements.tracked.map(({ feature, period }) =>
    computeCounter(owner, feature.featureNo, period),
  )
  const state = withCounters(bare, counters, [])
  return { catalogue, now, state, entitlements, access: computeFeatureAccess(entitlements, state, now) }
}

/** Decides one write and keeps what it changed. */
export function write<Outcome>(store: FakeStore, task: LedgerTask<Outcome>): Outcome {
  const owner = getCustomer(store, task.customerId)
  const moment = { catalogue: store.catalogue(), now: store.now() }
  const facts = readFacts(owner)
  let state = toState(owner)
  for (;;) {
    const result = decideBatch({ state, facts, tasks: [task] }, moment)
    if ('lacks' in result) {
      for (const need of result.lacks) state = bring(owner, state, facts, need)
      continue
    }
    const { decided } = result
    keep(owner, decided.change, decided.state)
    const [outcome] = decided.outcomes
    if (outcome instanceof RequestError) throw outcome
    return outcome as Outcome
  }
}

type OwnFacts = {
  [Name in keyof Facts]: Facts[Name] extends ReadonlyMap<infer K, infer V> ? Map<K, V> : Facts[Name]
}

function readFacts({ events, aliases, requests }: FakeCustomer): OwnFacts {
  const own = events.map((event) => [keyName(event.featureNo, event.keyHash), event] as const)
  return {
    events: new Map([...aliases, ...own]),
    bonuses: new Map(),
    requests: new Map(requests),
    computed: new Set(),
    instants: new Set(),
  }
}

/** Everything is at hand but counters; whatever else is looked up and not there leads nowhere. */
function bring(owner: FakeCustomer, state: CustomerState, facts: OwnFacts, need: Need): CustomerState {
  switch (need.kind) {
    case 'counter':
      if (findCounter(state, need.featureNo, need.period)) return state
      return withCounters(state, [computeCounter(owner, need.featureNo, need.period)], [])
    case 'event':
      facts.events.set(keyName(need.featureNo, need.keyHash), undefined)
      return state
    case 'bonus':
      facts.bonuses.set(need.bonusId, undefined)
      return state
    case 'request':
      facts.requests.set(need.keyHash, undefined)
      return state
  }
}

function keep(owner: FakeCustomer, change: LedgerChange, state: CustomerState): void {
  for (const { featureNo, period, amount } of change.returned) giveBack(owner, featureNo, period, amount)
  owner.draws.push(...change.drawn)
  const updated = new Map(
    change.updatedEvents.map((event) => [keyName(event.featureNo, event.keyHash), event]),
  )
  owner.events = [...owner.events, ...change.insertedEvents].map(
    (event) => updated.get(keyName(event.featureNo, event.keyHash)) ?? event,
  )
  for (const { keyHash, event } of change.aliases) owner.aliases.set(keyName(event.featureNo, keyHash), event)
  for (const request of change.requests) owner.requests.set(request.keyHash, request)
  owner.bonuses = state.bonuses
  owner.customer = state.customer
  owner.revision = state.revision
}

/** The latest draws of the period are returned first. */
function giveBack(owner: FakeCustomer, featureNo: number, period: Period, wanted: bigint): void {
  let left = wanted
  for (const draw of owner.draws.toReversed()) {
    if (draw.featureNo !== featureNo || !contains(period, draw.drawnAt)) continue
    const part = draw.amount < left ? draw.amount : left
    draw.amount -= part
    left -= part
  }
  owner.draws = owner.draws.filter(({ amount }) => amount > 0n)
}
