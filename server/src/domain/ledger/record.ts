// Recording usage, exactly once per event key.
import { findMisfit } from '../access/feature-access.ts'
import type { Amount } from '../amount.ts'
import { getFeature } from '../catalogue/catalogue.ts'
import { conflict, quote } from '../errors.ts'
import { type Account, checkTracking, computeRemainingAt, totalAt, usedAt, withPeriods } from './account.ts'
import { applyDeltas } from './apply-deltas.ts'
import { findEvent } from './facts.ts'
import type { Decision, LedgerTask, TaskOrigin } from './task.ts'
import { checkTotal, decideOccurredAt, isRepeatedRecord, type UsageEvent } from './usage-event.ts'

export type Refusal = 'limit_reached' | 'no_access' | 'below_zero'

export type UsageOutcome = {
  applied: boolean
  used: Amount
  customerUid: string
  /** Absent when refused. */
  event: UsageEvent | undefined
  reason: 'duplicate_event' | Refusal | undefined
}

/** What a new event is recorded under. */
export type EventInput = {
  featureKey: string
  keyHash: string
  eventKey: string
  metadata: Record<string, string>
}

export type RecordInput = EventInput & {
  amount: Amount
  sentOccurredAt: number | undefined
  enforceLimit: boolean
}

export const recordTask = (origin: TaskOrigin, input: RecordInput): LedgerTask<UsageOutcome> => ({
  ...origin,
  keyHash: input.keyHash,
  getFeature: (catalogue) => getFeature(catalogue, input.featureKey),
  decide: (account) => decideRecord(input, account),
})

function decideRecord(input: RecordInput, account: Account): Decision<UsageOutcome> {
  const { amount, sentOccurredAt } = input
  const taken = findTaken(account, input)
  if (taken) return repeat(account, taken, isRepeatedRecord(taken, amount, sentOccurredAt), input.eventKey)
  checkTracking(account)
  const occurredAt = decideOccurredAt(sentOccurredAt, account.now)
  const ready = withPeriods(account, [account.now, occurredAt])
  const refusal = findRefusal(ready, occurredAt, amount, input.enforceLimit)
  if (refusal) return refuse(ready, occurredAt, refusal)
  return addEvent(ready, {
    ...newEvent(input, ready),
    occurredAt,
    amount,
    firstAmount: amount,
    sentOccurredAt,
  })
}

/** A key that was not looked up counts as free: the write that inserts the event, or refuses it, proves that it is. */
export const findTaken = ({ facts, feature }: Account, { keyHash }: EventInput): UsageEvent | undefined =>
  findEvent(facts, feature.featureNo, keyHash)

/** Throws when the total would leave the range of amounts. */
function findRefusal(
  account: Account,
  at: number,
  amount: Amount,
  enforceLimit: boolean,
): Refusal | undefined {
  const total = totalAt(account, at)
  if (amount < 0n && total + amount < 0n) return 'below_zero'
  const misfit = enforceLimit
    ? findMisfit(account.allowance, computeRemainingAt(account, at), amount)
    : undefined
  if (!misfit) checkTotal(total, total + amount)
  return misfit
}

export const newEvent = (input: EventInput, { feature, eventNo }: Account) => ({
  featureNo: feature.featureNo,
  keyHash: input.keyHash,
  eventNo,
  sentUsed: undefined,
  sentOccurredAt: undefined,
  eventKey: input.eventKey,
  metadata: input.metadata,
  deletedAt: undefined,
})

export function addEvent(account: Account, event: UsageEvent): Decision<UsageOutcome> {
  const { state, moves } = applyDeltas(account, [{ at: event.occurredAt, delta: event.amount }])
  const used = usedAt({ ...account, state }, event.occurredAt)
  const { customerUid } = state.customer
  return {
    state,
    moves,
    inserted: event,
    outcome: { applied: true, used, customerUid, event, reason: undefined },
  }
}

export function repeat(
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
  const { state } = withPeriods(account, [taken.occurredAt])
  const used = usedAt({ ...account, state }, taken.occurredAt)
  const { customerUid } = state.customer
  return { state, outcome: { applied: false, used, customerUid, event: taken, reason: 'duplicate_event' } }
}

function refuse(account: Account, at: number, reason: Refusal): Decision<UsageOutcome> {
  const { state } = account
  const { customerUid } = state.customer
  return {
    state,
    outcome: { applied: false, used: usedAt(account, at), customerUid, event: undefined, reason },
  }
}
