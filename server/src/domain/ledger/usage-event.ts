// What becomes of a request to record, set, amend or delete usage. Pure: the ledger's state comes in, a decision goes out.
import type { Allowance } from '../access/allowance.ts'
import { computeRemaining } from '../access/feature-access.ts'
import { type Amount, maxAmount } from '../amount.ts'
import { invalid } from '../errors.ts'
import { settle, sumOf } from './settle.ts'
import type { Bonus, Counter } from './state.ts'

export type UsageEvent = {
  featureNo: number
  /** Of the key it was first recorded with: with customer and feature, its identity. */
  keyHash: string
  eventNo: number
  occurredAt: number
  amount: Amount
  /** As first recorded, before any edit. */
  firstAmount: Amount
  /** What a set asked for: only adjustments have it. */
  sentUsed: Amount | undefined
  sentOccurredAt: number | undefined
  eventKey: string | undefined
  metadata: Record<string, string>
  deletedAt: number | undefined
}

export type Refusal = 'limit_reached' | 'no_access' | 'below_zero'

/** How far ahead of the clock an event may lie and count as now. */
export const clockSkewMs = 300_000

/** A retry repeats what was first sent, whatever the event has been edited to since. */
export function isRepeatedRecord(
  event: UsageEvent,
  amount: Amount,
  sentOccurredAt: number | undefined,
): boolean {
  if (event.sentUsed !== undefined || event.firstAmount !== amount) return false
  if (event.sentOccurredAt === undefined || sentOccurredAt === undefined) return true
  return event.sentOccurredAt === sentOccurredAt
}

export function decideOccurredAt(sent: number | undefined, now: number): number {
  if (sent === undefined || sent <= now) return sent ?? now
  if (sent <= now + clockSkewMs) return now
  throw invalid('occurredAt must not lie more than 5 minutes ahead of now.')
}

export type PeriodStanding = {
  allowance: Allowance
  counter: Pick<Counter, 'total' | 'draws'>
  /** The feature's bonuses when the period is the current one: a closed period cannot draw on them. */
  bonuses: readonly Bonus[] | undefined
  now: number
}

/** Undefined when the amount may be added to the period; throws when the total would leave the range of amounts. */
export function findRefusal(
  standing: PeriodStanding,
  amount: Amount,
  enforceLimit: boolean,
): Refusal | undefined {
  const { total } = standing.counter
  if (amount < 0n && total + amount < 0n) return 'below_zero'
  const misfit = enforceLimit && amount > 0n ? findMisfit(standing, amount) : undefined
  if (!misfit) checkTotal(total + amount)
  return misfit
}

function findMisfit(standing: PeriodStanding, amount: Amount): Refusal | undefined {
  if (!standing.allowance.hasAccess) return 'no_access'
  return amount <= (computePeriodRemaining(standing) ?? amount) ? undefined : 'limit_reached'
}

function computePeriodRemaining({ allowance, counter, bonuses, now }: PeriodStanding): Amount | undefined {
  const used = counter.total > 0n ? counter.total : 0n
  if (!bonuses) return computeRemaining(allowance, used, sumOf(counter.draws), 0n)
  const { bonusUsed, bonusRemaining } = settle({ bonuses, ...counter, allowance, now })
  return computeRemaining(allowance, used, bonusUsed, bonusRemaining)
}

export function checkTotal(total: Amount): void {
  if (total > maxAmount || total < -maxAmount) {
    throw invalid('amount would take the total of the usage period beyond 10^12.', 'total_out_of_range')
  }
}
