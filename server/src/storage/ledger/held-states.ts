// The states of customers that this process has at hand, each good for as long as the database confirms its revision.
import type { CustomerState } from '../../domain/ledger/state.ts'
import { coalesce } from '../coalesce.ts'
import type { Lane } from '../pipelined-connection.ts'
import { type ComputedCounter, type CounterAsk, computeCounters } from './counters.ts'
import { loadStates } from './load-states.ts'

export type CustomerStates = {
  /** The state at this revision or a later one, held or loaded now; undefined when the customer is gone. */
  get(uid: string, revision: number, now: number): Promise<CustomerState | undefined>
  /** The state as it is in the database now. */
  load(uid: string, now: number): Promise<CustomerState | undefined>
  find(uid: string): CustomerState | undefined
  /** Keeps a state unless a newer one is held: revision and state are one value, so neither can run ahead. */
  keep(uid: string, state: CustomerState): void
  /** A write met a customer that another instance had changed. */
  noteCompany(): void
  /** Whether that was of late: then what is held of any customer may well be old. */
  hasCompany(): boolean
  /** Counters that are not stored, each with the revision of the snapshot it was computed in. */
  computeCounters(asks: CounterAsk[]): Promise<(ComputedCounter | undefined)[]>
}

const heldAtMost = 20_000
const companyForMs = 1_000

/**
 * Holds what was asked for lately, in two generations: when the young one is full it becomes the old one, and what nobody asked
 * for since is let go with the one before. Keeping a Map in the order of use instead cost a read more than finding its state.
 */
function createHeld() {
  let young = new Map<string, CustomerState>()
  let old = new Map<string, CustomerState>()

  function set(uid: string, state: CustomerState): void {
    young.set(uid, state)
    if (young.size < heldAtMost / 2) return
    old = young
    young = new Map()
  }

  function get(uid: string): CustomerState | undefined {
    const state = young.get(uid)
    if (state) return state
    const aged = old.get(uid)
    if (aged) set(uid, aged)
    return aged
  }

  return { get, set }
}

export function createCustomerStates(lane: Lane): CustomerStates {
  const held = createHeld()
  let companyUntil = 0

  type Ask = { uid: string; now: number }
  const ask = coalesce<Ask, CustomerState | undefined>({
    run: async (asks) => {
      const now = Math.min(...asks.map((each) => each.now))
      const uids = [...new Set(asks.map((each) => each.uid))]
      const states = await loadStates(await lane.connect(), uids, now)
      return asks.map(({ uid }) => states.get(uid))
    },
    maxBatch: 128,
    maxQueue: 10_000,
    inFlight: 2,
  })

  async function load(uid: string, now: number): Promise<CustomerState | undefined> {
    const state = await ask({ uid, now })
    if (state) keep(uid, state)
    return state
  }

  async function get(uid: string, revision: number, now: number): Promise<CustomerState | undefined> {
    const state = held.get(uid)
    return state && state.revision >= revision && state.asOf <= now ? state : load(uid, now)
  }

  function keep(uid: string, state: CustomerState): void {
    const current = held.get(uid)
    if (
      current &&
      (current.revision > state.revision ||
        (current.revision === state.revision && current.asOf < state.asOf))
    ) {
      return
    }
    held.set(uid, state)
  }

  return {
    get,
    load,
    find: (uid) => held.get(uid),
    keep,
    noteCompany: () => {
      companyUntil = performance.now() + companyForMs
    },
    hasCompany: () => performance.now() < companyUntil,
    computeCounters: async (asks) => computeCounters(await lane.connect(), asks),
  }
}
