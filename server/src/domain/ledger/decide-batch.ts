// Deciding the writes to a customer's ledger: its state and what was looked up come in; the change and the outcomes go out. One
// batch, one instant, one catalogue. It is the only way a write is decided, on states held in memory or under locks.
import { computeHeldProducts, type HeldProduct } from '../access/held-products.ts'
import type { Catalogue, Feature } from '../catalogue/catalogue.ts'
import { RequestError } from '../errors.ts'
import { type Account, computeTerms, type Moment, type Terms } from './account.ts'
import { addDecision, finishChange, type LedgerChange, startChange } from './change.ts'
import { type BonusRequest, type Facts, keyName, Lack, type Need } from './facts.ts'
import type { Bonus, CustomerState } from './state.ts'
import type { Decision, LedgerTask } from './task.ts'
import type { UsageEvent } from './usage-event.ts'

export type Batch<Outcome> = {
  state: CustomerState
  facts: Facts
  /** In the order in which they are to be decided. */
  tasks: readonly LedgerTask<Outcome>[]
}

export type Decided<Outcome> = {
  change: LedgerChange
  /** As it will be once the change is written. */
  state: CustomerState
  /** One a task, in order; an error is that task's own failure. */
  outcomes: (Outcome | RequestError)[]
}

/** Either all of the customer's tasks are decided, or what they lack is told. */
export type BatchResult<Outcome> = { decided: Decided<Outcome> } | { lacks: Need[] }

/** The event keys that tasks want to take, for whoever looks them up before deciding. */
export const listKeys = (tasks: readonly LedgerTask<unknown>[], catalogue: Catalogue): Need[] =>
  tasks.flatMap((task) => {
    const { keyHash } = task
    const featureNo = keyHash === undefined ? undefined : findFeatureNo(task, catalogue)
    return keyHash === undefined || featureNo === undefined ? [] : [{ kind: 'event', featureNo, keyHash }]
  })

function findFeatureNo(task: LedgerTask<unknown>, catalogue: Catalogue): number | undefined {
  try {
    return task.getFeature(catalogue).featureNo
  } catch (error) {
    if (error instanceof RequestError) return undefined
    throw error
  }
}

export function decideBatch<Outcome>(
  { state: before, facts, tasks }: Batch<Outcome>,
  moment: Moment,
): BatchResult<Outcome> {
  const { catalogue, now } = moment
  if (before.asOf > now) throw new Error(`a state of ${before.asOf} cannot decide at ${now}`)
  const termsOf = createTerms(before, moment)
  const change = startChange(before)
  const known = toBatchFacts(facts)
  const lacks: Need[] = []
  const outcomes: (Outcome | RequestError)[] = []
  let state = before
  for (const task of tasks) {
    let account: Account | undefined
    try {
      const first = task.findFirst?.(known)
      if (first !== undefined) {
        outcomes.push(first)
        continue
      }
      const terms = termsOf(task.getFeature(catalogue))
      account = { ...terms, state, facts: known, now, eventNo: change.nextRevision + 1 }
      const decision = task.decide(account)
      if (isWrite(decision)) addDecision(change, account, decision, task.principal)
      if (!decision.inserted) noteFreeKey(change, task, account)
      noteFacts(known, decision)
      state = decision.state
      outcomes.push(decision.outcome)
    } catch (error) {
      if (error instanceof Lack) lacks.push(...error.needs)
      else if (error instanceof RequestError) {
        if (account) noteFreeKey(change, task, account)
        outcomes.push(error)
      } else throw error
    }
  }
  if (lacks.length > 0) return { lacks }
  const finished = finishChange(change, before, state, facts.computed)
  return { decided: { change: finished, state: applyChange(state, finished, catalogue.revision), outcomes } }
}

/** Terms do not change within a batch: writes to the ledger leave what is held alone. */
function createTerms(state: CustomerState, { catalogue, now }: Moment): (feature: Feature) => Terms {
  let held: HeldProduct[] | undefined
  const known = new Map<Feature, Terms>()
  return (feature) => {
    let terms = known.get(feature)
    if (!terms) {
      held ??= computeHeldProducts(catalogue, state, now)
      terms = computeTerms(feature, held, state.customer.usageStartedAt, now)
      known.set(feature, terms)
    }
    return terms
  }
}

const isWrite = ({ inserted, entry, stores }: Decision<unknown>): boolean =>
  inserted !== undefined || entry !== undefined || stores === true

/** Whatever inserts no event does not meet the ledger's unique key: that its own key is free is confirmed apart. */
function noteFreeKey(
  change: LedgerChange,
  { keyHash }: LedgerTask<unknown>,
  { facts, feature: { featureNo } }: Account,
): void {
  if (keyHash === undefined || facts.events.has(keyName(featureNo, keyHash))) return
  change.freeKeys.push({ featureNo, keyHash })
}

/** Later tasks of the batch meet what earlier ones made. */
function noteFacts({ events, bonuses, requests }: BatchFacts, decision: Decision<unknown>): void {
  const { inserted, updated, aliasHash, deletedBonusId, request } = decision
  const event = inserted ?? updated
  if (event) events.set(keyName(event.featureNo, event.keyHash), event)
  if (event && aliasHash) events.set(keyName(event.featureNo, aliasHash), event)
  if (deletedBonusId) bonuses.set(deletedBonusId, undefined)
  if (request) requests.set(request.keyHash, request)
}

const toBatchFacts = (facts: Facts) => ({
  ...facts,
  events: new Map(facts.events),
  bonuses: new Map(facts.bonuses),
  requests: new Map(facts.requests),
})

type BatchFacts = {
  events: Map<string, UsageEvent | undefined>
  bonuses: Map<string, Bonus | undefined>
  requests: Map<string, BonusRequest | undefined>
}

/** The state as it is once the change is written. */
function applyChange(state: CustomerState, change: LedgerChange, catalogueRevision: number): CustomerState {
  const { lastEventAt, usedFeatures = state.customer.usedFeatures, nextRevision: revision } = change
  const customer = { ...state.customer, lastEventAt, usedFeatures }
  return { ...state, customer, revision, catalogueRevision }
}
