// The customers that a transaction on ledgers works on, each with its state: locked and loaded, or taken from memory on trust.

import type { HeldProduct } from '../../domain/access/held-products.ts'
import type { Catalogue, Feature } from '../../domain/catalogue/catalogue.ts'
import type { CustomerState } from '../../domain/ledger/state.ts'
import type { UsageEvent } from '../../domain/ledger/usage-event.ts'
import type { Sql } from '../../storage/database.ts'
import type { EventPlace } from '../../storage/ledger/event-id.ts'
import { findEvents } from '../../storage/ledger/events.ts'
import type { CustomerStates } from '../../storage/ledger/held-states.ts'
import { loadStates } from '../../storage/ledger/load-states.ts'
import { type LedgerLock, type LockedCustomer, lockForLedger } from '../../storage/ledger/lock-customers.ts'

/** One request's subject. */
export type Subject = { customerUid: string; catalogue: Catalogue; feature: Feature; now: number }

/** What to have at hand for it: the events that took these keys. */
export type BookAsk = Subject & { keys: readonly EventPlace[] }

export type Entry = {
  state: CustomerState
  stored: CustomerState
  locked: LockedCustomer
  held: HeldProduct[] | undefined
  numbered: number
  /** Of the features that are written to. */
  features: readonly number[]
}

export type Entries = { entries: Map<string, Entry>; events: Map<string, UsageEvent> }

/** In the order of uids, in which customers are locked. */
export function toLocks(subjects: readonly Subject[]): LedgerLock[] {
  const locks = new Map<string, LedgerLock>()
  for (const { customerUid, now, feature } of subjects) {
    const lock = locks.getOrInsert(customerUid, { customerUid, events: 0, latestAt: now, features: [] })
    lock.events++
    lock.latestAt = Math.max(lock.latestAt, now)
    if (!lock.features.includes(feature.featureNo)) lock.features.push(feature.featureNo)
  }
  return [...locks.values()].sort((a, b) => (a.customerUid < b.customerUid ? -1 : 1))
}

const toEntry = (state: CustomerState, locked: LockedCustomer, lock: LedgerLock): Entry => ({
  state,
  stored: state,
  locked,
  held: undefined,
  numbered: lock.events - 1,
  features: lock.features,
})

/**
 * Nobody is locked, and no event key looked up: what is decided on these entries holds only for customers whose revision
 * the write itself confirms (storage/save-confirmed.ts). Customers not in memory are left out.
 */
export function guessEntries(locks: readonly LedgerLock[], states: CustomerStates): Entries {
  const entries = new Map<string, Entry>()
  for (const lock of locks) {
    const { customerUid, events, latestAt } = lock
    const state = states.find(customerUid)
    if (!state) continue
    const { lastEventAt } = state.customer
    const newLastEventAt = Math.max(lastEventAt ?? latestAt, latestAt)
    const locked = { revision: state.revision + events, lastEventAt, newLastEventAt }
    entries.set(customerUid, toEntry(state, locked, lock))
  }
  return { entries, events: new Map() }
}

/** One round trip when this process knows the customers, two when another instance wrote them last. */
export async function lockEntries(
  sql: Sql,
  asks: readonly BookAsk[],
  states: CustomerStates,
): Promise<Entries> {
  const locks = toLocks(asks)
  const now = Math.min(...asks.map((ask) => ask.now))
  const keys = asks.flatMap((ask) => ask.keys)
  const unknown = locks.map((lock) => lock.customerUid).filter((uid) => !isAtHand(states, uid, now))
  const [locked, events, loaded] = await Promise.all([
    lockForLedger(sql, locks),
    keys.length > 0 ? findEvents(sql, keys) : new Map<string, UsageEvent>(),
    unknown.length > 0 ? loadStates(sql, unknown, now) : new Map<string, CustomerState>(),
  ])
  const stale = locks.flatMap(({ customerUid, events }) => {
    const lock = locked.get(customerUid)
    const isKnown =
      loaded.has(customerUid) || states.find(customerUid)?.revision === (lock?.revision ?? 0) - events
    return lock && !isKnown ? customerUid : []
  })
  for (const [uid, state] of stale.length > 0 ? await loadStates(sql, stale, now) : []) loaded.set(uid, state)
  const entries = new Map<string, Entry>()
  for (const lock of locks) {
    const { customerUid } = lock
    const own = locked.get(customerUid)
    if (!own) continue
    const state = loaded.get(customerUid) ?? states.find(customerUid)
    if (!state) throw new Error(`the customer ${customerUid} was locked but not loaded`)
    entries.set(customerUid, toEntry(state, own, lock))
  }
  return { entries, events }
}

/** A state that has dropped what was over at its own time cannot serve an earlier one. */
export const isAtHand = (states: CustomerStates, uid: string, now: number): boolean =>
  (states.find(uid)?.asOf ?? Infinity) <= now
