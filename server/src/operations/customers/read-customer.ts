// What a customer has now, current to the latest commit: a state and a catalogue of one instant, with the counters that the
// map of feature access needs.
import {
  computeEntitlements,
  computeFeatureAccess,
  type Entitlements,
  type FeatureAccess,
} from '../../domain/access/feature-access.ts'
import type { Catalogue, Feature } from '../../domain/catalogue/catalogue.ts'
import { missing, overloaded } from '../../domain/errors.ts'
import { findCounter, findOrStartCounter, withCounters } from '../../domain/ledger/counters.ts'
import { type Bonus, type Counter, type CustomerState, pruneState } from '../../domain/ledger/state.ts'
import { sumTask } from '../../domain/ledger/sum.ts'
import type { CounterAsk } from '../../storage/ledger/compute-counters.ts'
import { type Context, toCustomerHash, withoutSighting } from '../context.ts'
import type { Services } from '../services.ts'

/** State and catalogue as they were together at one instant, and the business time of an answer made from them. */
export type Snapshot = { catalogue: Catalogue; state: CustomerState; now: number }

export type CustomerView = Snapshot & { entitlements: Entitlements; access: FeatureAccess[] }

// Each turn sees a later commit; a customer that is changed faster than it can be read is not kept waiting for ever.
const attempts = 10

/** Undefined when there is no such customer. */
async function findSnapshot(
  services: Services,
  context: Context,
  hash: string,
): Promise<Snapshot | undefined> {
  const { states, catalogues } = services
  const { environment } = context.principal
  const held = findHeldSnapshot(services, context, hash)
  if (held) return held
  const isGone = context.seen !== undefined && context.seen.customerUid === undefined
  if (isGone && context.named?.customerHash === hash) return undefined
  for (let attempt = 1; attempt <= attempts; attempt++) {
    const state = await states.load(hash)
    if (!state) return undefined
    const catalogue = await catalogues.get(environment, state.catalogueRevision)
    const snapshot = toSnapshot(catalogue, state, context.now)
    if (snapshot) return snapshot
  }
  throw overloaded()
}

/** From memory, when admission has just seen that it is current. */
export function findHeldSnapshot(
  { states, catalogues }: Services,
  { principal, now, named, seen }: Context,
  hash: string,
): Snapshot | undefined {
  const state = states.find(hash)
  if (!state || !seen || named?.customerHash !== hash) return undefined
  if (state.customer.customerUid !== seen.customerUid || state.revision < seen.revision) return undefined
  const catalogue = catalogues.find(principal.environment, seen.catalogueRevision)
  if (!catalogue) return undefined
  if (state.revision === seen.revision && state.catalogueRevision < seen.catalogueRevision) {
    const confirmed = { ...state, catalogueRevision: seen.catalogueRevision }
    states.keep(confirmed)
    return toSnapshot(catalogue, confirmed, now)
  }
  return toSnapshot(catalogue, state, now)
}

/** Undefined when they were not seen together, or the state was loaded after the time that the clock was set back to. */
function toSnapshot(catalogue: Catalogue, state: CustomerState, now: number): Snapshot | undefined {
  if (catalogue.revision !== state.catalogueRevision) return undefined
  const at = catalogue.frozenAt ?? Math.max(now, state.asOf)
  return state.asOf <= at ? { catalogue, state, now: at } : undefined
}

/** The snapshot with every counter that the map, or a feature asked for, needs; undefined when there is no such customer. */
export async function findCompleteSnapshot(
  services: Services,
  context: Context,
  hash: string,
  askedKey?: string,
): Promise<(Snapshot & { entitlements: Entitlements }) | undefined> {
  for (let attempt = 1; attempt <= attempts; attempt++) {
    const snapshot = await findSnapshot(services, attempt === 1 ? context : withoutSighting(context), hash)
    if (!snapshot) return undefined
    const { catalogue, now } = snapshot
    const entitlements = computeEntitlements(catalogue, snapshot.state, now, askedKey)
    const state = await complete(services, context, snapshot, entitlements)
    if (state) return { ...snapshot, state, entitlements }
  }
  throw overloaded()
}

// Beyond this many events a sum is stored rather than made again by the next process that needs it.
const summedAtMost = 1_000

/** Undefined when the customer changed between two looks, or its counters are stored now: it must be read again. */
async function complete(
  services: Services,
  { principal }: Context,
  { state, now }: Snapshot,
  { tracked }: Entitlements,
): Promise<CustomerState | undefined> {
  const { customerUid, customerHash, customerId } = state.customer
  const counters: Counter[] = []
  const asks: (CounterAsk & { feature: Feature })[] = []
  for (const { feature, period } of tracked) {
    const { featureNo } = feature
    const counter = findOrStartCounter(state, featureNo, period)
    if (!counter) asks.push({ customerUid, featureNo, period, feature })
    else if (!findCounter(state, featureNo, period)) counters.push(counter)
  }
  if (asks.length === 0 && counters.length === 0) return state
  const sums = asks.length > 0 ? await services.states.computeCounters(asks) : []
  if (sums.some((sum) => sum && sum.events > summedAtMost)) {
    const origin = { principal, customerHash, customerId, now }
    const long = asks.filter((_, index) => (sums[index]?.events ?? 0) > summedAtMost)
    await Promise.all(long.map(({ feature }) => services.writeLedger(sumTask(origin, feature))))
    return undefined
  }
  const bonuses: Bonus[] = []
  for (const sum of sums) {
    if (sum?.revision !== state.revision) return undefined
    counters.push(sum.counter)
    bonuses.push(...sum.bonuses)
  }
  // Without what is over by now: a customer that is only read would otherwise grow with every reset.
  const whole = pruneState(withCounters(state, counters, bonuses), now)
  services.states.keep(whole)
  return whole
}

/** Undefined when there is no such customer. */
export async function findViewByHash(
  services: Services,
  context: Context,
  hash: string,
): Promise<CustomerView | undefined> {
  const snapshot = await findCompleteSnapshot(services, context, hash)
  if (!snapshot) return undefined
  const { entitlements, state, now } = snapshot
  return { ...snapshot, access: computeFeatureAccess(entitlements, state, now) }
}

/** Of a customer that was just made: nothing was counted yet, so nothing has to be looked up. */
export function toNewView(catalogue: Catalogue, state: CustomerState): CustomerView {
  const now = catalogue.frozenAt ?? state.asOf
  const entitlements = computeEntitlements(catalogue, state, now)
  const counters = entitlements.tracked.flatMap(
    ({ feature, period }) => findOrStartCounter(state, feature.featureNo, period) ?? [],
  )
  const whole = withCounters(state, counters, [])
  return {
    catalogue,
    state: whole,
    now,
    entitlements,
    access: computeFeatureAccess(entitlements, whole, now),
  }
}

/** As it is after a change that the context's admission cannot have seen. */
export async function getCustomerView(
  services: Services,
  context: Context,
  customerId: string,
): Promise<CustomerView> {
  const hash = toCustomerHash(context, customerId)
  const view = await findViewByHash(services, withoutSighting(context), hash)
  if (!view) throw missing('customer', customerId)
  return view
}
