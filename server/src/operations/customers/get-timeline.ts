// What happened with a customer, newest first: usage by hour, changes, checkouts and what came from the payment provider.
import { missing } from '../../domain/errors.ts'
import { findCustomerUid } from '../../storage/customers/customers.ts'
import type { Sql } from '../../storage/database.ts'
import {
  type CustomerEntry,
  listCustomerCheckouts,
  listCustomerEntries,
  listUsageGroups,
} from '../../storage/statistics/customer-history.ts'
import { type Context, toCustomerHash } from '../context.ts'
import type { Services } from '../services.ts'
import { changeActions, describeEntry, subscriptionActions } from './describe-entry.ts'

/** In the order in which entries of one instant are shown. */
export const timelineKinds = ['change', 'subscription', 'checkout', 'usage'] as const
export type TimelineKind = (typeof timelineKinds)[number]

export type TimelineEntry = {
  kind: TimelineKind
  at: number
  until?: number
  title: string
  detail?: string
  actor?: string
  featureKey?: string
  amount?: number
  count?: number
  requestId?: string
  before?: unknown
  after?: unknown
}

/** Where a page ends: `no` tells entries of one kind and instant apart. */
export type TimelinePosition = { at: number; kind: TimelineKind; no: string }

type Placed = TimelineEntry & { no: string }

/** Lists entries of one kind before an instant, or at it before a number. */
type Source = (before: { at: number; no: string } | undefined, limit: number) => Promise<Placed[]>

export async function getTimeline(
  services: Services,
  context: Context,
  query: {
    customerId: string
    kinds: readonly TimelineKind[]
    before: TimelinePosition | undefined
    limit: number
  },
): Promise<{ entries: TimelineEntry[]; next: TimelinePosition | undefined }> {
  const { pool } = services.database
  const { before, limit } = query
  const uid = await findCustomerUid(pool, toCustomerHash(context, query.customerId))
  if (uid === undefined) throw missing('customer', query.customerId)
  const sources = createSources(pool, context, uid)
  const lists = await Promise.all(
    query.kinds.map((kind) => sources[kind](before && startOf(kind, before), limit + 1)),
  )
  const merged = lists.flat().sort(compare)
  const listed = merged.slice(0, limit)
  const last = listed.at(-1)
  return {
    entries: listed.map(({ no: _no, ...entry }) => entry),
    next: merged.length > limit && last ? { at: last.at, kind: last.kind, no: last.no } : undefined,
  }
}

const rank = (kind: TimelineKind): number => timelineKinds.indexOf(kind)

const compare = (a: Placed, b: Placed): number =>
  b.at - a.at || rank(a.kind) - rank(b.kind) || compareNumbers(b.no, a.no)

/** Numbers as text, or uuids; both are compared within their kind only. */
const compareNumbers = (a: string, b: string): number => a.length - b.length || (a < b ? -1 : a > b ? 1 : 0)

/** Kinds that come first at one instant are through with it, those that come later have it before them. */
function startOf(kind: TimelineKind, { at, kind: ofKind, no }: TimelinePosition) {
  if (kind === ofKind) return { at, no }
  return rank(kind) < rank(ofKind) ? { at, no: lowest[kind] } : { at: at + 1, no: lowest[kind] }
}

const lowestUuid = '00000000-0000-0000-0000-000000000000'
const lowest: Record<TimelineKind, string> = {
  change: '0',
  subscription: '0',
  checkout: lowestUuid,
  usage: '0',
}

function createSources(sql: Sql, { catalogue }: Context, uid: string): Record<TimelineKind, Source> {
  const ofLog =
    (kind: 'change' | 'subscription', actions: readonly string[]): Source =>
    async (before, limit) => {
      const position = before && { at: before.at, no: Number(before.no) }
      const entries = await listCustomerEntries(sql, uid, { actions, before: position, limit })
      return entries.map((entry) => fromLog(kind, entry))
    }
  const featureNos = [...catalogue.featuresByNo.keys()]
  return {
    change: ofLog('change', changeActions),
    subscription: ofLog('subscription', subscriptionActions),
    checkout: async (before, limit) => {
      const position = before && { at: before.at, key: before.no }
      const rows = await listCustomerCheckouts(sql, uid, { before: position, limit })
      return rows.map(({ checkoutKey, createdAt, supersededAt }) => ({
        kind: 'checkout',
        at: createdAt,
        title: supersededAt === undefined ? 'Checkout opened' : 'Checkout opened, over since',
        ...(supersededAt === undefined ? {} : { until: supersededAt }),
        no: checkoutKey,
      }))
    },
    usage: async (before, limit) => {
      const position = before && { at: before.at, featureNo: Number(before.no) }
      const groups = await listUsageGroups(sql, uid, featureNos, { before: position, limit })
      return groups.flatMap(({ at, until, featureNo, amount, events }) => {
        const feature = catalogue.featuresByNo.get(featureNo)
        const usage = { kind: 'usage' as const, at, until, amount, count: events, no: String(featureNo) }
        return feature ? [{ ...usage, title: `Used ${feature.name}`, featureKey: feature.featureKey }] : []
      })
    },
  }
}

const fromLog = (kind: 'change' | 'subscription', entry: CustomerEntry): Placed => ({
  kind,
  at: entry.at,
  title: describeEntry(entry),
  detail: entry.subject,
  actor: entry.actor,
  ...(entry.requestId === null ? {} : { requestId: entry.requestId }),
  before: entry.before,
  after: entry.after,
  no: String(entry.entryNo),
})
