// Deciding one write to a customer's ledger: the account and what the keys have taken come in; the state after it, the rows
// to write and the answer go out.
import type { Allowance } from '../access/allowance.ts'
import { computeUsagePeriod, type Period, type PeriodRule } from '../access/period.ts'
import type { Amount } from '../amount.ts'
import type { Feature } from '../catalogue/catalogue.ts'
import { conflict, invalid, missing, quote } from '../errors.ts'
import { addToCounters, getCounter, type Moved, settleDraws } from './counters.ts'
import type { CustomerState, Draw } from './state.ts'
import type { AmendTask, DeleteTask, EventOutcome, RecordTask, SetTask, UsageOutcome } from './task.ts'
import {
  checkTotal,
  decideOccurredAt,
  findRefusal,
  isRepeatedRecord,
  type UsageEvent,
} from './usage-event.ts'

/** One customer's use of one feature; the counters of all periods asked about must be in the state. */
export type Account = {
  state: CustomerState
  feature: Feature
  allowance: Allowance
  rule: PeriodRule
  now: number
}

export type Decision<Outcome> = {
  state: CustomerState
  moves: Draw[]
  outcome: Outcome
  inserted?: UsageEvent
  updated?: UsageEvent
}

export function decideRecord(
  task: RecordTask,
  account: Account,
  taken: UsageEvent | undefined,
  eventNo: number,
): Decision<UsageOutcome> {
  if (taken) {
    const isRepeated = isRepeatedRecord(taken, task.amount, task.sentOccurredAt)
    return repeat(account, taken, isRepeated, task.eventKey)
  }
  checkTracking(account.feature)
  const occurredAt = decideOccurredAt(task.sentOccurredAt, account.now)
  const refusal = findRefusalAt(account, occurredAt, task.amount, task.enforceLimit)
  if (refusal) return refuse(account, occurredAt, refusal)
  const { amount, sentOccurredAt } = task
  return add(account, {
    ...newEvent(task, account, eventNo),
    occurredAt,
    amount,
    firstAmount: amount,
    sentOccurredAt,
  })
}

/** Under the lock nothing comes between reading the sum and writing the difference. */
export function decideSet(
  task: SetTask,
  account: Account,
  taken: UsageEvent | undefined,
  eventNo: number,
): Decision<UsageOutcome> {
  if (taken) return repeat(account, taken, taken.sentUsed === task.used, task.eventKey)
  checkTracking(account.feature)
  const amount = task.used - totalAt(account, account.now)
  checkTotal(amount)
  const event = { ...newEvent(task, account, eventNo), occurredAt: account.now, amount, firstAmount: amount }
  return add(account, { ...event, sentUsed: task.used })
}

const newEvent = (task: RecordTask | SetTask, account: Account, eventNo: number) => ({
  featureNo: account.feature.featureNo,
  keyHash: task.keyHash,
  eventNo,
  sentUsed: undefined,
  sentOccurredAt: undefined,
  eventKey: task.eventKey,
  metadata: task.metadata,
  deletedAt: undefined,
})

function add(account: Account, event: UsageEvent): Decision<UsageOutcome> {
  const { state, moves } = applyToLedger(account, [{ at: event.occurredAt, delta: event.amount }])
  const used = usedAt({ ...account, state }, event.occurredAt)
  return { state, moves, inserted: event, outcome: { applied: true, used, event, reason: undefined } }
}

function repeat(
  account: Account,
  taken: UsageEvent,
  isRepeated: boolean,
  eventKey: string,
): Decision<UsageOutcome> {
  if (!isRepeated) {
    throw conflict(
      'event_key_reused',
      `eventKey ${quote(eventKey)} was used for another event of this feature.`,
    )
  }
  const used = usedAt(account, taken.occurredAt)
  return {
    state: account.state,
    moves: [],
    outcome: { applied: false, used, event: taken, reason: 'duplicate_event' },
  }
}

function refuse(account: Account, at: number, reason: UsageOutcome['reason']): Decision<UsageOutcome> {
  const outcome = { applied: false, used: usedAt(account, at), event: undefined, reason }
  return { state: account.state, moves: [], outcome }
}

export function decideAmend(
  task: AmendTask,
  account: Account,
  event: UsageEvent | undefined,
  newKeyTaken: UsageEvent | undefined,
): Decision<EventOutcome> {
  const before = getLiveEvent(event, task)
  checkTracking(account.feature)
  const { patch } = task
  const after = {
    ...before,
    amount: patch.amount ?? before.amount,
    occurredAt:
      patch.occurredAt === undefined ? before.occurredAt : decideOccurredAt(patch.occurredAt, account.now),
    eventKey: patch.eventKey === undefined ? before.eventKey : patch.eventKey?.eventKey,
    metadata: patch.metadata ?? before.metadata,
  }
  if (newKeyTaken && newKeyTaken.keyHash !== before.keyHash) {
    throw conflict('event_key_reused', `eventKey ${quote(after.eventKey ?? '')} is taken by another event.`)
  }
  const deltas = [
    { at: before.occurredAt, delta: -before.amount },
    { at: after.occurredAt, delta: after.amount },
  ]
  return { ...applyEdit(account, deltas), updated: after, outcome: { before, after } }
}

export function decideDelete(
  task: DeleteTask,
  account: Account,
  event: UsageEvent | undefined,
): Decision<EventOutcome> {
  const before = getLiveEvent(event, task)
  checkTracking(account.feature)
  const after = { ...before, deletedAt: account.now }
  const moved = applyEdit(account, [{ at: before.occurredAt, delta: -before.amount }])
  return { ...moved, updated: after, outcome: { before, after } }
}

/** A customer made anew may have an event of the same key: only its number tells that it is another one. */
function getLiveEvent(event: UsageEvent | undefined, task: AmendTask | DeleteTask): UsageEvent {
  if (!event || event.deletedAt !== undefined || event.eventNo !== task.eventNo)
    throw missing('usage event', task.eventId)
  return event
}

type Delta = { at: number; delta: Amount }

/** An edit may not leave a period below zero that it lowers. */
function applyEdit(account: Account, deltas: Delta[]): Moved {
  const netByPeriod = new Map<number, Amount>()
  for (const { at, delta } of deltas) {
    const { start } = periodAt(account, at)
    netByPeriod.set(start, (netByPeriod.get(start) ?? 0n) + delta)
  }
  for (const { at } of deltas) {
    const net = netByPeriod.get(periodAt(account, at).start) ?? 0n
    const total = getCounter(account.state, account.feature.featureNo, periodAt(account, at)).total + net
    if (net < 0n && total < 0n) {
      throw conflict('below_zero', 'This would take the usage of its period below zero.')
    }
    checkTotal(total)
  }
  return applyToLedger(account, deltas)
}

/** Any applied write first makes the draws that answers showed before it, then those that it needs itself. */
function applyToLedger(account: Account, deltas: Delta[]): Moved {
  const { feature, allowance, now } = account
  const tracked = { feature, allowance, period: periodAt(account, now) }
  const shown = settleDraws(account.state, tracked, now)
  let { state } = shown
  for (const { at, delta } of deltas) state = addToCounters(state, feature.featureNo, at, delta)
  const settled = settleDraws(state, tracked, now)
  return { state: settled.state, moves: [...shown.moves, ...settled.moves] }
}

function findRefusalAt(account: Account, at: number, amount: Amount, enforceLimit: boolean) {
  const { state, feature, allowance, now } = account
  const period = periodAt(account, at)
  const counter = getCounter(state, feature.featureNo, period)
  const isCurrent = period.start <= now && now < period.end
  const bonuses = isCurrent
    ? state.bonuses.filter((bonus) => bonus.featureNo === feature.featureNo)
    : undefined
  return findRefusal({ allowance, counter, bonuses, now }, amount, enforceLimit)
}

export const periodAt = (account: Pick<Account, 'rule'>, at: number): Period =>
  computeUsagePeriod(account.rule, at)

/** As answers show it: re-sorting can leave a sum below zero. */
function usedAt(account: Account, at: number): Amount {
  const total = totalAt(account, at)
  return total > 0n ? total : 0n
}

function totalAt(account: Account, at: number): Amount {
  return getCounter(account.state, account.feature.featureNo, periodAt(account, at)).total
}

export function checkTracking(feature: Feature): void {
  if (feature.tracksUsage) return
  throw invalid(
    `featureKey: the feature ${quote(feature.featureKey)} does not track usage.`,
    'feature_not_tracked',
  )
}
