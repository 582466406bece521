// The reference model's summaries of usage: contract section 6, span by span from the first.
import { type Interval, periodOfCalendar, plain, sum } from './reference-arithmetic.ts'
import { getCustomer, getFeature, require, requireTracking } from './reference-refusal.ts'
import type { Answer, State } from './reference-state.ts'

export type SummaryQuery = {
  customerId: string
  featureKey: string
  interval: Interval
  from: number
  to: number
}

export function summariseUsage(state: State, _now: number, query: SummaryQuery): Answer {
  const { customerId, featureKey, interval, from, to } = query
  const feature = getFeature(state, featureKey)
  require(from < to, 400, 'from is not before to')
  const buckets = []
  for (let start = from; start < to; ) {
    const end = Math.min(periodOfCalendar(interval, start).end, to)
    const events = state.events.filter(
      (event) =>
        event.customerId === customerId &&
        event.featureKey === featureKey &&
        !event.isDeleted &&
        event.occurredAt >= start &&
        event.occurredAt < end,
    )
    buckets.push({ start, end, used: plain(sum(events.map(({ amount }) => amount))), events: events.length })
    start = end
  }
  require(buckets.length <= 400, 400, 'too many spans')
  getCustomer(state, customerId)
  requireTracking(feature)
  return { status: 200, body: { buckets } }
}
