// What one transaction on ledgers holds: the locked customers' states as they evolve, and all there is to save at its end.
import { computeAllowance, computePeriodRule } from '../../domain/access/allowance.ts'
import { findCounter } from '../../domain/access/feature-access.ts'
import { computeHeldProducts } from '../../domain/access/held-products.ts'
import type { Period } from '../../domain/access/period.ts'
import { type Amount, smaller } from '../../domain/amount.ts'
import {
  contains,
  isKnownEmpty,
  overlapsOther,
  pruneState,
  withCounter,
} from '../../domain/ledger/counters.ts'
import { type Account, type Decision, periodAt } from '../../domain/ledger/decide-usage.ts'
import type { UsageEvent } from '../../domain/ledger/usage-event.ts'
import type { Sql } from '../../storage/database.ts'
import {
  type CounterAsk,
  computeCounters,
  deleteOverlapping,
  findCountersAt,
  type InstantAsk,
} from '../../storage/ledger/counters.ts'
import type { EventPlace } from '../../storage/ledger/event-id.ts'
import {
  insertAlias,
  insertEvents,
  type OwnedEvent,
  placeName,
  updateEvent,
} from '../../storage/ledger/events.ts'
import type { CustomerStates } from '../../storage/ledger/held-states.ts'
import { type DrawReturn, removeDraws } from '../../storage/ledger/returned-draws.ts'
import {
  insertDraws,
  listChangedCounters,
  type NewDraw,
  saveChanges,
} from '../../storage/ledger/save-state.ts'
import { type BookAsk, type Entries, type Entry, lockEntries, type Subject } from './ledger-entries.ts'

export type LedgerBook = ReturnType<typeof createBook>

/** Locks the customers first. */
export const openBook = async (sql: Sql, asks: readonly BookAsk[], states: CustomerStates) =>
  createBook(sql, await lockEntries(sql, asks, states), states)

export function createBook(sql: Sql, { entries, events }: Entries, states: CustomerStates) {
  const accounts = new Map<string, Omit<Account, 'state' | 'now'>>()
  const inserted: OwnedEvent[] = []
  const updated: { owned: OwnedEvent; aliasHash: string | undefined }[] = []
  const drawn = new Map<string, NewDraw[]>()
  const returned = new Map<string, DrawReturn>()
  // Periods beside which counters of other spans may lie, from before the interval or anchor was changed.
  const stale = new Map<string, CounterAsk>()

  /** Undefined when there is no such customer. */
  function findAccount({ customerUid, catalogue, feature, now }: Subject): Account | undefined {
    const entry = entries.get(customerUid)
    if (!entry) return undefined
    const name = `${customerUid}/${feature.featureNo}`
    let account = accounts.get(name)
    if (!account) {
      entry.held ??= computeHeldProducts(catalogue, entry.state, now)
      account = {
        feature,
        allowance: computeAllowance(entry.held, feature.featureKey),
        rule: computePeriodRule(feature, entry.held, entry.state.customer.usageStartedAt),
      }
      accounts.set(name, account)
    }
    return { ...account, state: entry.state, now }
  }

  const isStray = ({ customerUid, at }: Subject & { at: number }) =>
    at < (entries.get(customerUid)?.state.asOf ?? 0)

  /** Whether the counters of the periods around these instants are at hand, or zero without looking. */
  function hasCounters(wanted: readonly (Subject & { at: number })[]): boolean {
    if (wanted.some(isStray)) return false
    const missing = new Map<string, CounterAsk>()
    for (const each of wanted) addMissing(each, missing)
    return missing.size === 0
  }

  /** Brings in the counters of the periods around these instants, stored or computed from the ledger. */
  async function ensureCounters(wanted: readonly (Subject & { at: number })[]): Promise<void> {
    const stray = wanted.filter(isStray)
    if (stray.length > 0) await addStored(stray)
    const missing = new Map<string, CounterAsk>()
    for (const each of wanted) addMissing(each, missing)
    if (missing.size === 0) return
    for (const computed of await computeCounters(sql, [...missing.values()])) {
      if (!computed) continue
      const entry = getEntry(computed.uid)
      entry.state = withCounter(entry.state, computed.counter, computed.bonuses)
    }
  }

  function addMissing(subject: Subject & { at: number }, missing: Map<string, CounterAsk>): void {
    const account = findAccount(subject)
    if (!account) return
    const { featureNo } = subject.feature
    const period = periodAt(account, subject.at)
    if (findCounter(account.state, featureNo, period)) return
    const entry = getEntry(subject.customerUid)
    const { usedFeatures } = entry.stored.customer
    if (isKnownEmpty({ lastEventAt: entry.locked.lastEventAt, usedFeatures }, featureNo, period)) {
      entry.state = withCounter(entry.state, { featureNo, period, total: 0n, draws: [] }, [])
    } else {
      missing.set(`${subject.customerUid}/${featureNo}/${period.start}/${period.end}`, {
        uid: subject.customerUid,
        featureNo,
        period,
      })
    }
  }

  async function addStored(subjects: readonly (Subject & { at: number })[]): Promise<void> {
    const asks: InstantAsk[] = subjects.map(({ customerUid, feature, at }) => ({
      uid: customerUid,
      featureNo: feature.featureNo,
      at,
    }))
    for (const { uid, counter } of await findCountersAt(sql, asks)) {
      const entry = getEntry(uid)
      if (findCounter(entry.state, counter.featureNo, counter.period)) continue
      entry.state = withCounter(entry.state, counter, [])
      entry.stored = withCounter(entry.stored, counter, [])
    }
  }

  function getEntry(uid: string): Entry {
    const entry = entries.get(uid)
    if (!entry) throw new Error(`the customer ${uid} is not in the book`)
    return entry
  }

  /** Takes over what was decided; `aliasHash` is a further key that the updated event takes. */
  function apply(
    subject: Subject,
    decision: Omit<Decision<unknown>, 'outcome'>,
    eventNo: number,
    aliasHash?: string,
  ): void {
    const { customerUid, feature, now } = subject
    const account = findAccount(subject) as Account
    getEntry(customerUid).state = decision.state
    if (decision.inserted) {
      inserted.push({ customerUid, event: decision.inserted })
      setEvent(customerUid, decision.inserted.keyHash, decision.inserted)
    }
    if (decision.updated) {
      updated.push({ owned: { customerUid, event: decision.updated }, aliasHash })
      setEvent(customerUid, decision.updated.keyHash, decision.updated)
      if (aliasHash) setEvent(customerUid, aliasHash, decision.updated)
    }
    if (decision.moves.length === 0) return
    const name = `${customerUid}/${feature.featureNo}`
    const period = periodAt(account, now)
    const isStale = account.state.counters.some((counter) =>
      overlapsOther(counter, feature.featureNo, period),
    )
    if (isStale)
      stale.set(`${name}/${period.start}`, { uid: customerUid, featureNo: feature.featureNo, period })
    for (const { bonusId, amount } of decision.moves) {
      const list = drawn.getOrInsert(name, [])
      if (amount > 0n) {
        list.push({
          customerUid,
          featureNo: feature.featureNo,
          drawnAt: now,
          eventNo,
          position: list.length,
          bonusId,
          amount,
        })
      } else takeBack(name, list, -amount, subject, period)
    }
  }

  /** Draws that this transaction has not written yet go first: they are the latest. */
  function takeBack(
    name: string,
    list: NewDraw[],
    wanted: Amount,
    { customerUid, feature }: Subject,
    period: Period,
  ): void {
    let left = wanted
    for (let index = list.length - 1; index >= 0 && left > 0n; index--) {
      const draw = list[index] as NewDraw
      // Requests of one transaction may stand on both sides of a reset.
      if (!contains(period, draw.drawnAt)) continue
      const part = smaller(draw.amount, left)
      draw.amount -= part
      left -= part
      if (draw.amount === 0n) list.splice(index, 1)
    }
    if (left === 0n) return
    const place = `${name}/${period.start}`
    const before = returned.get(place)?.amount ?? 0n
    returned.set(place, { customerUid, featureNo: feature.featureNo, period, amount: before + left })
    stale.set(place, { uid: customerUid, featureNo: feature.featureNo, period })
  }

  /** An event found by a further key is the one that its first key finds: that one follows the changes made here. */
  function findEvent(place: EventPlace): UsageEvent | undefined {
    const event = events.get(placeName(place))
    return event && (events.get(placeName({ ...place, keyHash: event.keyHash })) ?? event)
  }

  function setEvent(customerUid: string, keyHash: string, event: UsageEvent): void {
    events.set(placeName({ customerUid, featureNo: event.featureNo, keyHash }), event)
  }

  /** Each call gives another number; they end at the customer's new revision. */
  function nextEventNo(uid: string): number {
    const entry = getEntry(uid)
    return entry.locked.revision - entry.numbered--
  }

  /** Sends all that changed; what is returned is under way. */
  async function save(): Promise<Promise<unknown>[]> {
    for (const draws of returned.values()) await removeDraws(sql, draws)
    const newDraws = [...drawn.values()].flat()
    return [
      ...[...stale.values()].map((each) => deleteOverlapping(sql, each)),
      ...(inserted.length > 0 ? [insertEvents(sql, inserted)] : []),
      ...updated.flatMap(({ owned, aliasHash }) => [
        updateEvent(sql, owned),
        ...(aliasHash ? [insertAlias(sql, owned, aliasHash)] : []),
      ]),
      ...saveChanges(
        sql,
        [...entries.values()].map((entry) => ({ before: entry.stored, after: entry.state })),
      ),
      ...(newDraws.length > 0 ? [insertDraws(sql, newDraws)] : []),
    ]
  }

  /** Whether all that changed of a customer are new events and totals. */
  function isPlain(uid: string): boolean {
    const { stored, state } = getEntry(uid)
    if (state.bonuses !== stored.bonuses) return false
    return state.counters.every((each) => each.draws.length === 0 || stored.counters.includes(each))
  }

  const listChanges = (uids: ReadonlySet<string>) => ({
    events: inserted.filter((each) => uids.has(each.customerUid)),
    counters: [...uids].flatMap((uid) => {
      const { stored, state } = getEntry(uid)
      return listChangedCounters({ before: stored, after: state })
    }),
  })

  /** After the commit: this process may answer from these states as long as their revisions are confirmed. */
  function publish(now: number, uids: Iterable<string> = entries.keys()): void {
    for (const uid of uids) {
      const { state, locked, features } = getEntry(uid)
      const { usedFeatures } = state.customer
      const further = features.filter((featureNo) => !usedFeatures.includes(featureNo))
      const customer = {
        ...state.customer,
        lastEventAt: locked.newLastEventAt,
        usedFeatures: further.length > 0 ? [...usedFeatures, ...further] : usedFeatures,
      }
      states.keep(uid, pruneState({ ...state, customer, revision: locked.revision }, now))
    }
  }

  return {
    findAccount,
    findEvent,
    hasCounters,
    ensureCounters,
    apply,
    nextEventNo,
    save,
    isPlain,
    listChanges,
    publish,
  }
}
