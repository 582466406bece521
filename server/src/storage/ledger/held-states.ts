// The states of customers that this process has at hand, each good for as long as the database confirms its revision.
import type { CustomerState } from '../../domain/ledger/state.ts'
import type { QueueMeter } from '../../telemetry/telemetry.ts'
import { coalesce } from '../coalesce.ts'
import type { PipelinedConnection } from '../pipelined-connection.ts'
import { type ComputedCounter, type CounterAsk, computeCounters } from './compute-counters.ts'
import { loadStatesByHash } from './load-states.ts'

export type HeldStates = {
  find(customerHash: string): CustomerState | undefined
  count(): number
  /** The state as it is in the database now; undefined when there is no such customer. */
  load(customerHash: string): Promise<CustomerState | undefined>
  /** Keeps a state unless a newer one is held: revision and state are one value, so neither can run ahead. */
  keep(state: CustomerState): void
  forget(customerHash: string): void
  /** A write met a customer that another instance had changed. */
  noteSharing(): void
  /** Whether that was of late: then what is held of any customer may well be old. */
  sharesCustomers(): boolean
  /** Counters that are not stored, each with the revision of the snapshot it was computed in. */
  computeCounters(asks: readonly CounterAsk[]): Promise<(ComputedCounter | undefined)[]>
}

const heldAtMost = 20_000
const sharingForMs = 1_000

/**
 * Holds what was asked for lately, in two generations: when the young one is full it becomes the old one, and what nobody asked
 * for since is let go with the one before. Keeping a Map in the order of use instead cost a read more than finding its state.
 */
function createGenerations() {
  let young = new Map<string, CustomerState>()
  let old = new Map<string, CustomerState>()

  function set(hash: string, state: CustomerState): void {
    young.set(hash, state)
    if (young.size < heldAtMost / 2) return
    old = young
    young = new Map()
  }

  function get(hash: string): CustomerState | undefined {
    const state = young.get(hash)
    if (state) return state
    const aged = old.get(hash)
    if (aged) set(hash, aged)
    return aged
  }

  function remove(hash: string): void {
    young.delete(hash)
    old.delete(hash)
  }

  return { get, set, remove, count: () => young.size + old.size }
}

export function createHeldStates(connection: PipelinedConnection, meter?: QueueMeter): HeldStates {
  const held = createGenerations()
  let sharingUntil = 0

  const ask = coalesce<string, CustomerState | undefined>({
    run: async (hashes) => {
      const states = await loadStatesByHash(await connection.connect(), [...new Set(hashes)])
      return hashes.map((hash) => states.get(hash))
    },
    maxBatch: 128,
    maxQueue: 10_000,
    inFlight: 2,
    meter,
  })

  async function load(hash: string): Promise<CustomerState | undefined> {
    const state = await ask(hash)
    if (state) keep(state)
    else held.remove(hash)
    return state
  }

  function keep(state: CustomerState): void {
    const { customerHash, customerUid } = state.customer
    const current = held.get(customerHash)
    if (current && current.customer.customerUid === customerUid && isNewer(current, state)) return
    held.set(customerHash, state)
  }

  return {
    find: held.get,
    count: held.count,
    load,
    keep,
    forget: held.remove,
    noteSharing: () => {
      sharingUntil = performance.now() + sharingForMs
    },
    sharesCustomers: () => performance.now() < sharingUntil,
    computeCounters: async (asks) => computeCounters(await connection.connect(), asks),
  }
}

/** Of one revision, what was confirmed under a later catalogue is newer. */
const isNewer = (a: CustomerState, b: CustomerState): boolean =>
  a.revision === b.revision ? a.catalogueRevision > b.catalogueRevision : a.revision > b.revision
