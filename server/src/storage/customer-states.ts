// The states of customers that this process has at hand, each good for as long as the database confirms its revision.
import type { CustomerState } from '../domain/customer.ts'
import { coalesce } from './coalesce.ts'
import { type ComputedCounter, type CounterAsk, computeCounters } from './counters.ts'
import { loadStates } from './customer-rows.ts'
import type { Lane } from './lane.ts'

export type CustomerStates = {
  /** The state at this revision or a later one, held or loaded now; undefined when the customer is gone. */
  get(uid: string, revision: number, now: number): Promise<CustomerState | undefined>
  /** The state as it is in the database now. */
  load(uid: string, now: number): Promise<CustomerState | undefined>
  find(uid: string): CustomerState | undefined
  /** Keeps a state unless a newer one is held: revision and state are one value, so neither can run ahead. */
  keep(uid: string, state: CustomerState): void
  /** Counters that are not stored, each with the revision of the snapshot it was computed in. */
  computeCounters(asks: CounterAsk[]): Promise<(ComputedCounter | undefined)[]>
}

const heldAtMost = 20_000

export function createCustomerStates(lane: Lane): CustomerStates {
  // A Map iterates in the order of insertion: the first is the one not asked for longest.
  const held = new Map<string, CustomerState>()

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
    if (state && state.revision >= revision && state.asOf <= now) {
      held.delete(uid)
      held.set(uid, state)
      return state
    }
    return load(uid, now)
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
    held.delete(uid)
    held.set(uid, state)
    if (held.size > heldAtMost) held.delete(held.keys().next().value as string)
  }

  return {
    get,
    load,
    find: (uid) => held.get(uid),
    keep,
    computeCounters: async (asks) => computeCounters(await lane.connect(), asks),
  }
}
