// What a customer has now, current to the latest commit: held products, counters and the map of feature access.

import {
  computeFeatureAccess,
  computeStanding,
  type FeatureAccess,
  findCounter,
  type Standing,
} from '../../domain/access/feature-access.ts'
import type { Caller } from '../../domain/caller.ts'
import type { Catalogue } from '../../domain/catalogue/catalogue.ts'
import { missing } from '../../domain/errors.ts'
import { isKnownEmpty } from '../../domain/ledger/counters.ts'
import type { Counter, CustomerState } from '../../domain/ledger/state.ts'
import { customerUid } from '../../storage/customers/customer-uid.ts'
import type { Services } from '../services.ts'
import { storeCounters } from '../usage/store-counters.ts'

export type CustomerView = {
  catalogue: Catalogue
  state: CustomerState
  standing: Standing
  access: FeatureAccess[]
}

/** Undefined when there is no such customer. */
export async function findCustomerView(
  services: Services,
  caller: Caller,
  customerId: string,
): Promise<CustomerView | undefined> {
  return findViewByUid(services, caller, customerUid(caller.environment, customerId))
}

export async function findViewByUid(
  services: Services,
  caller: Caller,
  uid: string,
): Promise<CustomerView | undefined> {
  const { catalogues, states } = services
  const { environment, now } = caller
  const catalogue = await catalogues.get(environment, caller.catalogueRevision)
  let state = await states.load(uid, now)
  while (state) {
    const standing = computeStanding(catalogue, state, now)
    const complete = await withCounters(services, { catalogue, state, standing, now })
    if (complete)
      return { catalogue, state: complete, standing, access: computeFeatureAccess(standing, complete, now) }
    // The customer changed between the two looks; each turn sees a later commit, and the request's time is bounded.
    state = await states.load(uid, now)
  }
  return undefined
}

// Beyond this many events a sum is stored rather than made again by the next process that needs it.
const summedAtMost = 1_000

type Incomplete = { catalogue: Catalogue; state: CustomerState; standing: Standing; now: number }

/** The state with every counter the map needs; undefined when the customer must be loaded again. */
export async function withCounters(
  services: Services,
  { catalogue, state, standing, now }: Incomplete,
): Promise<CustomerState | undefined> {
  const { states } = services
  const { tracked } = standing
  const { customerUid: uid } = state.customer
  const absent = tracked.filter(({ feature, period }) => !findCounter(state, feature.featureNo, period))
  if (absent.length === 0) return state
  const counters: Counter[] = []
  const asks = []
  for (const { feature, period } of absent) {
    const { featureNo } = feature
    if (isKnownEmpty(state.customer, featureNo, period)) {
      counters.push({ featureNo, period, total: 0n, draws: [] })
    } else asks.push({ uid, featureNo, period })
  }
  const computed = asks.length > 0 ? await states.computeCounters(asks) : []
  if (computed.some((each) => each && each.events > summedAtMost)) {
    const subjects = absent.map(({ feature }) => ({ customerUid: uid, catalogue, feature, now }))
    await storeCounters(services, subjects)
    return undefined
  }
  const bonuses = new Map(state.bonuses.map((bonus) => [bonus.bonusId, bonus]))
  for (const each of computed) {
    if (each?.revision !== state.revision) return undefined
    counters.push(each.counter)
    for (const bonus of each.bonuses) bonuses.set(bonus.bonusId, bonus)
  }
  const complete = { ...state, counters: [...state.counters, ...counters], bonuses: [...bonuses.values()] }
  states.keep(uid, complete)
  return complete
}

export async function getCustomerView(
  services: Services,
  caller: Caller,
  customerId: string,
): Promise<CustomerView> {
  const view = await findCustomerView(services, caller, customerId)
  if (!view) throw missing('customer', customerId)
  return view
}
