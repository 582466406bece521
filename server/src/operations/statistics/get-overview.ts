// The overview of an environment: today's figures, what needs attention, what was refused, and the first steps done.
import { nearShare } from '../../domain/access/standing.ts'
import { listHottest, type StandingRow } from '../../storage/statistics/customer-rows.ts'
import {
  findBeginnings,
  listFailingEvents,
  listOverdue,
  listUnlinked,
} from '../../storage/statistics/overview.ts'
import { dayMs, hourMs } from '../../storage/statistics/roll-up.ts'
import { listRefusals, type RefusalCount } from '../../storage/statistics/tallies.ts'
import { findAsOf } from '../../storage/statistics/turn.ts'
import { countActive, sumAll } from '../../storage/statistics/usage-series.ts'
import type { Context } from '../context.ts'
import type { Services } from '../services.ts'

export type Notice = {
  kind: 'over_limit' | 'near_limit' | 'overdue' | 'provider_event' | 'unlinked_customer'
  customerId?: string
  customerName?: string | undefined
  featureKey?: string
  used?: number
  allowance?: number | undefined
  at?: number
  text: string
}

const activeDays = 14
const noticesOfLimits = 7
const noticesOfOthers = 3
const noticesAtMost = 20

/** Days and hours are those of UTC, by business time. */
export async function getOverview(services: Services, context: Context) {
  const { pool } = services.database
  const { catalogue, now, principal } = context
  const { environment } = principal
  const today = now - (now % dayMs)
  const featureNos = [...catalogue.featuresByNo.keys()]
  const day = { from: today, to: today + dayMs }
  const active = { from: today - (activeDays - 1) * dayMs, to: today + dayMs }
  const [asOf, sums, activeByDay, refusals, beginnings, attention] = await Promise.all([
    findAsOf(pool, environment),
    sumAll(pool, { ...day, featureNos, productNo: undefined, bucketMs: hourMs }),
    countActive(pool, environment, active),
    listRefusals(pool, featureNos, day),
    findBeginnings(pool, environment),
    listNotices(services, context),
  ])
  const eventsPerHour = perHour(
    today,
    sums.map(({ at, events }) => ({ at, count: events })),
  )
  const refusedPerHour = perHour(
    today,
    refusals.map(({ hourAt, refusals: count }) => ({ at: hourAt, count })),
  )
  const activePerDay = Array.from(
    { length: activeDays },
    (_, index) => activeByDay.get(active.from + index * dayMs) ?? 0,
  )
  return {
    asOf,
    figures: {
      eventsToday: { value: sum(eventsPerHour), perHour: eventsPerHour },
      activeCustomers: { value: activePerDay.at(-1) ?? 0, perDay: activePerDay },
      refusedToday: { value: sum(refusedPerHour), perHour: refusedPerHour },
      customers: { value: beginnings.customers },
    },
    attention,
    refusals: groupRefusals(context, refusals),
    checklist: {
      hasCustomer: beginnings.customers > 0,
      hasKey: beginnings.hasKey,
      hasEvent: beginnings.hasEvent,
      // The simulator is no account of anybody's.
      hasProvider: services.installation.providers[environment].provider === 'account',
    },
  }
}

const sum = (counts: number[]): number => counts.reduce((total, count) => total + count, 0)

function perHour(today: number, counts: { at: number; count: number }[]): number[] {
  const hours = Array.from({ length: 24 }, () => 0)
  for (const { at, count } of counts) {
    const hour = (at - today) / hourMs
    hours[hour] = (hours[hour] ?? 0) + count
  }
  return hours
}

function groupRefusals({ catalogue }: Context, refusals: RefusalCount[]) {
  const groups = Map.groupBy(refusals, ({ featureNo, reason }) => `${featureNo}/${reason}`)
  return [...groups.values()]
    .flatMap((group) => {
      const [first] = group
      const feature = first && catalogue.featuresByNo.get(first.featureNo)
      if (!first || !feature) return []
      const count = sum(group.map((each) => each.refusals))
      return [{ featureKey: feature.featureKey, reason: first.reason, count }]
    })
    .sort((a, b) => b.count - a.count)
}

async function listNotices({ database, providers }: Services, context: Context): Promise<Notice[]> {
  const { pool } = database
  const { environment } = context.principal
  const provider = providers[environment]
  const share = (atLeast: number, below: number) =>
    listHottest(pool, environment, { now: context.now, atLeast, below, limit: noticesOfLimits })
  const [over, near, overdue, events, unlinked] = await Promise.all([
    share(1, Infinity),
    share(nearShare, 1),
    listOverdue(pool, environment, provider?.overdueStatuses ?? [], noticesOfOthers),
    listFailingEvents(pool, environment, noticesOfOthers),
    provider ? listUnlinked(pool, environment, noticesOfOthers) : [],
  ])
  return [
    ...over.flatMap((row) => toLimitNotice(context, 'over_limit', row)),
    ...overdue.map(({ customerId, name, status }) => ({
      kind: 'overdue' as const,
      customerId,
      customerName: name,
      text: `The payment of a subscription failed (${status})`,
    })),
    ...events.map(({ type, receivedAt, attempts, lastError }) => ({
      kind: 'provider_event' as const,
      at: receivedAt,
      text: `${type} could not be worked off in ${attempts} attempts${lastError ? `: ${lastError}` : ''}`,
    })),
    ...unlinked.map(({ customerId, name, attempts }) => ({
      kind: 'unlinked_customer' as const,
      customerId,
      customerName: name,
      text: `The payment provider could not be told in ${attempts} attempts`,
    })),
    ...near.flatMap((row) => toLimitNotice(context, 'near_limit', row)),
  ].slice(0, noticesAtMost)
}

function toLimitNotice({ catalogue }: Context, kind: Notice['kind'], row: StandingRow): Notice[] {
  const feature = catalogue.featuresByNo.get(row.featureNo)
  if (!feature) return []
  const percent = Math.floor((row.share ?? 0) * 100)
  return [
    {
      kind,
      customerId: row.customerId,
      customerName: row.name,
      featureKey: feature.featureKey,
      used: row.used,
      allowance: row.allowance,
      text: `${percent}% of ${feature.name} used`,
    },
  ]
}
