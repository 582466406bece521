// The oracle of random histories: one environment of the service, written from the contract alone, naive and
// slow on purpose. Every method takes what the route takes and answers with status and body.
import { createBonus, deleteBonus, listBonuses, readBonus, updateBonus } from './reference-bonuses.ts'
import {
  check,
  createCustomer,
  deleteCustomer,
  featureAccess,
  readCustomer,
  updateCustomer,
} from './reference-customers.ts'
import { archiveFeature, createFeature, deleteFeature, updateFeature } from './reference-features.ts'
import { amendUsage, deleteUsage, listUsage, readUsage } from './reference-ledger.ts'
import {
  archiveProduct,
  createCustomProduct,
  createVersion,
  deleteProduct,
  getLatestProduct,
  linkProduct,
  migrate,
  setFeatureAccess,
  updateProduct,
} from './reference-products.ts'
import { Refusal, requireTimestamp } from './reference-refusal.ts'
import { type Answer, copyState, createState, type State } from './reference-state.ts'
import { syncSubscriptions } from './reference-subscriptions.ts'
import { summariseUsage } from './reference-summary.ts'
import { recordBatch, recordUsage, setUsage } from './reference-usage.ts'

export type ReferenceModel = ReturnType<typeof createReferenceModel>

/** `readTime` says what time it is when nothing froze it; another state than an empty one is changed in place. */
export function createReferenceModel(
  state: State = createState(),
  readTime: () => number = () => state.frozenAt ?? Date.now(),
) {
  // A refusal puts everything back as it was, so that no operation can be half done.
  const route =
    <Input extends unknown[]>(operation: (state: State, now: number, ...input: Input) => Answer) =>
    (...input: Input): Answer => {
      const before = copyState(state)
      try {
        // As on the wire: a copy, without the fields that have no value.
        return JSON.parse(JSON.stringify(operation(state, readTime(), ...input)))
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        Object.assign(state, before)
        return error.code === undefined
          ? { status: error.status }
          : { status: error.status, code: error.code }
      }
    }

  const setClock = (_state: State, _now: number, body: { now: number | null }): Answer => {
    if (body.now !== null) requireTimestamp(body.now, 'now')
    state.frozenAt = body.now
    return { status: 200, body: { now: body.now ?? readTime(), frozen: body.now !== null } }
  }

  return {
    setClock: route(setClock),
    createFeature: route(createFeature),
    updateFeature: route(updateFeature),
    archiveFeature: route(archiveFeature),
    deleteFeature: route(deleteFeature),
    createCustomProduct: route(createCustomProduct),
    linkProduct: route(linkProduct),
    getProduct: route(getLatestProduct),
    updateProduct: route(updateProduct),
    archiveProduct: route(archiveProduct),
    deleteProduct: route(deleteProduct),
    setFeatureAccess: route(setFeatureAccess),
    createVersion: route(createVersion),
    migrate: route(migrate),
    syncSubscriptions: route(syncSubscriptions),
    createCustomer: route(createCustomer),
    getCustomer: route(readCustomer),
    updateCustomer: route(updateCustomer),
    deleteCustomer: route(deleteCustomer),
    featureAccess: route(featureAccess),
    check: route(check),
    recordUsage: route(recordUsage),
    recordBatch: route(recordBatch),
    setUsage: route(setUsage),
    amendUsage: route(amendUsage),
    deleteUsage: route(deleteUsage),
    getUsage: route(readUsage),
    listUsage: route(listUsage),
    summariseUsage: route(summariseUsage),
    createBonus: route(createBonus),
    updateBonus: route(updateBonus),
    deleteBonus: route(deleteBonus),
    getBonus: route(readBonus),
    listBonuses: route(listBonuses),
  }
}
