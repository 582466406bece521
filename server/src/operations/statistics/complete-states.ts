// What many customers have now, for statistics and previews: loaded beside what is held in memory, which is for those who ask.
import {
  computeEntitlements,
  computeFeatureAccess,
  type Entitlements,
} from '../../domain/access/feature-access.ts'
import { findCounter, findOrStartCounter, withCounters } from '../../domain/ledger/counters.ts'
import type { Counter, CustomerState } from '../../domain/ledger/state.ts'
import type { Sql } from '../../storage/database.ts'
import {
  type ComputedCounter,
  type CounterAsk,
  computeCounters,
} from '../../storage/ledger/compute-counters.ts'
import { loadStatesByUid } from '../../storage/ledger/load-states.ts'
import type { CustomerView, Snapshot } from '../customers/read-customer.ts'
import type { Services } from '../services.ts'

/** The views of those that are there and did not change while they were looked at, by uid. */
export async function loadViews(
  { database, catalogues }: Pick<Services, 'database' | 'catalogues'>,
  uids: readonly string[],
): Promise<Map<string, CustomerView>> {
  const snapshots: Snapshot[] = []
  for (const state of (await loadStatesByUid(database.pool, uids)).values()) {
    const catalogue = await catalogues.get(state.customer.environment, state.catalogueRevision)
    const now = catalogue.frozenAt ?? state.asOf
    // The catalogue or the clock was changed since.
    if (catalogue.revision === state.catalogueRevision && state.asOf <= now)
      snapshots.push({ state, catalogue, now })
  }
  return completeViews(database.pool, snapshots)
}

/** With the counters that the maps need; whoever changed since its snapshot is left out. */
export async function completeViews(
  sql: Sql,
  snapshots: readonly Snapshot[],
): Promise<Map<string, CustomerView>> {
  const started = snapshots.map((snapshot) => ({
    ...snapshot,
    entitlements: computeEntitlements(snapshot.catalogue, snapshot.state, snapshot.now),
  }))
  const asks = started.flatMap(({ state, entitlements }) => listAsks(state, entitlements))
  const sums = asks.length > 0 ? await computeCounters(sql, asks) : []
  const byCustomer = Map.groupBy(
    asks.map((ask, index) => ({ uid: ask.customerUid, sum: sums[index] })),
    ({ uid }) => uid,
  )
  const views = new Map<string, CustomerView>()
  for (const { state, ...rest } of started) {
    const { customerUid } = state.customer
    const found = (byCustomer.get(customerUid) ?? []).map(({ sum }) => sum)
    const whole = complete(state, rest.entitlements, found)
    if (!whole) continue
    const access = computeFeatureAccess(rest.entitlements, whole, rest.now)
    views.set(customerUid, { ...rest, state: whole, access })
  }
  return views
}

function listAsks(state: CustomerState, { tracked }: Entitlements): CounterAsk[] {
  const { customerUid } = state.customer
  return tracked.flatMap(({ feature: { featureNo }, period }) =>
    findOrStartCounter(state, featureNo, period) ? [] : [{ customerUid, featureNo, period }],
  )
}

/** Undefined when the customer changed between two looks. */
function complete(
  state: CustomerState,
  { tracked }: Entitlements,
  sums: readonly (ComputedCounter | undefined)[],
): CustomerState | undefined {
  const counters: Counter[] = []
  for (const sum of sums) {
    if (sum?.revision !== state.revision) return undefined
    counters.push(sum.counter)
  }
  for (const { feature, period } of tracked) {
    const { featureNo } = feature
    const empty = findOrStartCounter(state, featureNo, period)
    if (empty && !findCounter(state, featureNo, period)) counters.push(empty)
  }
  return withCounters(
    state,
    counters,
    sums.flatMap((sum) => sum?.bonuses ?? []),
  )
}
