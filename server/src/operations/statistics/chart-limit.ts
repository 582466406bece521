// One customer's use of one feature against its limit, over the last periods, exactly.
import { computePeriodRule } from '../../domain/access/allowance.ts'
import { computeUsagePeriod, type Period } from '../../domain/access/period.ts'
import { amountToNumber } from '../../domain/amount.ts'
import { type Feature, getFeature } from '../../domain/catalogue/catalogue.ts'
import { checkTracking } from '../../domain/ledger/account.ts'
import { cutIntoBuckets, sumWithinPeriods } from '../../domain/statistics/running-total.ts'
import { listCustomerEntries, listLimits } from '../../storage/statistics/customer-history.ts'
import { dayMs, hourMs } from '../../storage/statistics/roll-up.ts'
import { sumSpans } from '../../storage/statistics/usage-series.ts'
import type { Context } from '../context.ts'
import { describeEntry, limitActions } from '../customers/describe-entry.ts'
import { type CustomerView, getCustomerView } from '../customers/read-customer.ts'
import type { Services } from '../services.ts'

export type LimitChart = {
  points: { at: number; used: number }[]
  resets: number[]
  changes: { at: number; text: string }[]
  limit: { from: number; to: number; limit: number | null }[]
}

/** Of a feature that never resets so much is shown. */
const withoutResetsMs = 90 * dayMs
const byHourUntilMs = 14 * dayMs
const changesAtMost = 50

export async function chartLimit(
  services: Services,
  context: Context,
  { customerId, featureKey, periods }: { customerId: string; featureKey: string; periods: number },
): Promise<LimitChart> {
  const view = await getCustomerView(services, context, customerId)
  const feature = getFeature(view.catalogue, featureKey)
  checkTracking({ feature })
  const { pool } = services.database
  const { customerUid } = view.state.customer
  const spans = listPeriods(view, feature, periods)
  const from = spans[0]?.start ?? view.now
  const bucketMs = view.now - from > byHourUntilMs ? 6 * hourMs : hourMs
  const buckets = cutIntoBuckets(spans, bucketMs, view.now)
  const changes = { actions: limitActions, before: undefined, limit: changesAtMost }
  const [sums, limits, entries] = await Promise.all([
    sumSpans(pool, customerUid, feature.featureNo, buckets),
    listLimits(pool, customerUid, feature.featureNo, changesAtMost),
    listCustomerEntries(pool, customerUid, changes),
  ])
  const access = view.access.find((each) => each.feature.featureKey === featureKey)
  const used = amountToNumber(access?.usage?.used ?? 0n)
  const isNever = feature.usageResetInterval === 'never'
  const base = isNever ? used - sums.reduce((total, sum) => total + sum, 0) : 0
  const current = access?.allowance.isUnlimited ? null : amountToNumber(access?.allowance.limit ?? 0n)
  return {
    points: sumWithinPeriods(spans, buckets, sums, { base, now: view.now }),
    resets: spans.slice(1).map((span) => span.start),
    changes: entries
      .filter((entry) => entry.at >= from)
      .map((entry) => ({ at: entry.at, text: describeEntry(entry) }))
      .reverse(),
    limit: toLimitSpans(limits, current, from, view.now),
  }
}

/** Oldest first; the last contains now. */
function listPeriods({ entitlements, state, now }: CustomerView, feature: Feature, count: number): Period[] {
  const rule = computePeriodRule(feature, entitlements.held, state.customer.usageStartedAt)
  if (rule.interval === 'never') return [{ start: now - withoutResetsMs, end: now + 1 }]
  const spans: Period[] = []
  for (let at = now; spans.length < count; at = (spans[0] as Period).start - 1)
    spans.unshift(computeUsagePeriod(rule, at))
  return spans
}

/** Before the first limit that was noted, that one is shown; the last span ends now, and has the limit of now. */
function toLimitSpans(
  limits: readonly { changedAt: number; limit: number | null }[],
  current: number | null,
  from: number,
  now: number,
): LimitChart['limit'] {
  const last = limits.at(-1)
  const known = last && last.limit === current ? limits : [...limits, { changedAt: now, limit: current }]
  return known.flatMap(({ changedAt, limit }, index) => {
    const start = index === 0 ? from : Math.max(changedAt, from)
    const end = known[index + 1]?.changedAt ?? now
    return start < end || index === known.length - 1 ? [{ from: Math.min(start, end), to: end, limit }] : []
  })
}
