// A usage event: what a retry must repeat, when it may lie, and what totals it may lead to.
import { type Amount, maxAmount } from '../amount.ts'
import { invalid } from '../errors.ts'

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

/** How far ahead of the clock an event may lie and count as now. */
const clockSkewMs = 300_000

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

/** Of lists and summaries: from ≤ occurredAt < to. */
export function checkRange(from: number | undefined, to: number | undefined): void {
  if (from !== undefined && to !== undefined && from >= to) throw invalid('from must lie before to.')
}

/** A total may not leave the range of amounts; one that re-sorting has put beyond it may stay there or come closer. */
export function checkTotal(before: Amount, after: Amount, of = 'total of the usage period'): void {
  if (isInRange(after) || after === before || magnitude(after) < magnitude(before)) return
  throw invalid(`amount would take the ${of} beyond 10^12.`, 'total_out_of_range')
}

export const isInRange = (amount: Amount): boolean => magnitude(amount) <= maxAmount

const magnitude = (amount: Amount): Amount => (amount < 0n ? -amount : amount)
