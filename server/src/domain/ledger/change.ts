// What a batch changes of one customer's ledger, as one value: storage writes it, and confirms the revision it was decided on.
import type { Period } from '../access/period.ts'
import { type Amount, smaller } from '../amount.ts'
import type { Environment } from '../environment.ts'
import type { Principal } from '../principal.ts'
import { type Account, periodAt } from './account.ts'
import { contains, overlapsOther } from './counters.ts'
import { type BonusRequest, findEvent } from './facts.ts'
import type { Bonus, Counter, CustomerState, Draw } from './state.ts'
import type { Decision, LogEntry } from './task.ts'
import type { UsageEvent } from './usage-event.ts'

/** A draw with its place among the customer's writes. */
export type NewDraw = Draw & { featureNo: number; drawnAt: number; eventNo: number; position: number }

/** How much of a period's latest stored draws is given back. */
export type DrawReturn = { featureNo: number; period: Period; amount: Amount }

export type LedgerChange = {
  environment: Environment
  customerUid: string
  customerHash: string
  /** The revision it was decided on, and the one after it: each write takes one for its number. */
  revision: number
  nextRevision: number
  lastEventAt: number | undefined
  /** Where the earliest event that is new, changed or deleted lies, or lay; undefined without one. */
  earliestAt: number | undefined
  /** Undefined when they stay as they are. */
  usedFeatures: readonly number[] | undefined
  /** Keys that were taken to be free though they were not looked up, of writes that insert no event. */
  freeKeys: { featureNo: number; keyHash: string }[]
  insertedEvents: UsageEvent[]
  updatedEvents: UsageEvent[]
  aliases: { keyHash: string; event: UsageEvent }[]
  counters: readonly Counter[]
  /** Periods beside which counters of other spans may lie, from before the interval or anchor was changed: those go. */
  overlapped: { featureNo: number; period: Period }[]
  insertedBonuses: Bonus[]
  /** All that can change of them. */
  updatedBonuses: Bonus[]
  /** Those of which only what is drawn has changed. */
  drawnBonuses: readonly Bonus[]
  deletedBonusIds: string[]
  drawn: NewDraw[]
  returned: DrawReturn[]
  requests: BonusRequest[]
  log: { principal: Principal; at: number; entry: LogEntry }[]
}

export const startChange = ({ customer, revision }: CustomerState): LedgerChange => ({
  environment: customer.environment,
  customerUid: customer.customerUid,
  customerHash: customer.customerHash,
  revision,
  nextRevision: revision,
  lastEventAt: customer.lastEventAt,
  earliestAt: undefined,
  usedFeatures: undefined,
  freeKeys: [],
  insertedEvents: [],
  updatedEvents: [],
  aliases: [],
  counters: [],
  overlapped: [],
  insertedBonuses: [],
  updatedBonuses: [],
  drawnBonuses: [],
  deletedBonusIds: [],
  drawn: [],
  returned: [],
  requests: [],
  log: [],
})

/** Adds what one decision writes; the account is the one it was decided on. */
export function addDecision(
  change: LedgerChange,
  account: Account,
  decision: Decision<unknown>,
  principal: Principal,
): void {
  change.nextRevision = account.eventNo
  const { inserted, updated, aliasHash, entry } = decision
  if (inserted) change.insertedEvents.push(inserted)
  if (updated) replaceBy(change.updatedEvents, updated, (event) => `${event.featureNo}/${event.keyHash}`)
  if (updated && aliasHash) change.aliases.push({ keyHash: aliasHash, event: updated })
  if (decision.insertedBonus) change.insertedBonuses.push(decision.insertedBonus)
  if (decision.updatedBonus) replaceBy(change.updatedBonuses, decision.updatedBonus, (bonus) => bonus.bonusId)
  if (decision.deletedBonusId) change.deletedBonusIds.push(decision.deletedBonusId)
  if (decision.request) change.requests.push(decision.request)
  if (entry) change.log.push({ principal, at: account.now, entry })
  if (decision.moves && decision.moves.length > 0) addMoves(change, account, decision.moves)
  noteLatest(change, account, decision)
  noteEarliest(change, account, decision)
}

function noteEarliest(
  change: LedgerChange,
  { facts }: Account,
  { inserted, updated }: Decision<unknown>,
): void {
  const before = updated && findEvent(facts, updated.featureNo, updated.keyHash)
  for (const event of [inserted, updated, before]) {
    if (event && (change.earliestAt === undefined || event.occurredAt < change.earliestAt))
      change.earliestAt = event.occurredAt
  }
}

function replaceBy<Item>(list: Item[], item: Item, nameOf: (item: Item) => string): void {
  const index = list.findIndex((each) => nameOf(each) === nameOf(item))
  if (index === -1) list.push(item)
  else list[index] = item
}

/** A period that starts later than all of this, and any of another feature, is empty without a look at the ledger. */
function noteLatest(
  change: LedgerChange,
  { state, feature, now }: Account,
  decision: Decision<unknown>,
): void {
  const event = decision.inserted ?? decision.updated
  const at = Math.max(event?.occurredAt ?? -Infinity, decision.moves?.length ? now : -Infinity)
  if (at === -Infinity) return
  if (change.lastEventAt === undefined || at > change.lastEventAt) change.lastEventAt = at
  const used = change.usedFeatures ?? state.customer.usedFeatures
  if (!used.includes(feature.featureNo)) change.usedFeatures = [...used, feature.featureNo]
}

function addMoves(change: LedgerChange, account: Account, moves: readonly Draw[]): void {
  const { state, feature, now, eventNo } = account
  const { featureNo } = feature
  const period = periodAt(account, now)
  if (state.counters.some((counter) => overlapsOther(counter, featureNo, period)))
    addOverlapped(change, featureNo, period)
  for (const [position, { bonusId, amount }] of moves.entries()) {
    if (amount > 0n) change.drawn.push({ featureNo, drawnAt: now, eventNo, position, bonusId, amount })
    else giveBack(change, featureNo, period, -amount)
  }
}

/** Draws that are not written yet go first: they are the latest. */
function giveBack(change: LedgerChange, featureNo: number, period: Period, wanted: Amount): void {
  let left = wanted
  for (let index = change.drawn.length - 1; index >= 0 && left > 0n; index--) {
    const draw = change.drawn[index] as NewDraw
    if (draw.featureNo !== featureNo || !contains(period, draw.drawnAt)) continue
    const part = smaller(draw.amount, left)
    draw.amount -= part
    left -= part
    if (draw.amount === 0n) change.drawn.splice(index, 1)
  }
  if (left === 0n) return
  const before = change.returned.find((each) => each.featureNo === featureNo)
  if (before) before.amount += left
  else change.returned.push({ featureNo, period, amount: left })
  addOverlapped(change, featureNo, period)
}

function addOverlapped(change: LedgerChange, featureNo: number, period: Period): void {
  if (!change.overlapped.some((each) => each.featureNo === featureNo))
    change.overlapped.push({ featureNo, period })
}

/** States are immutable, so what changed is what is another object now. */
export function finishChange(
  change: LedgerChange,
  before: CustomerState,
  after: CustomerState,
  computed: ReadonlySet<Counter>,
): LedgerChange {
  change.counters = after.counters.filter(
    (counter) => !before.counters.includes(counter) || computed.has(counter),
  )
  if (after.bonuses !== before.bonuses) finishBonuses(change, before, after)
  return change
}

/** Later writes of the batch may have drawn on, changed or taken back what earlier ones made. */
function finishBonuses(change: LedgerChange, before: CustomerState, after: CustomerState): void {
  const current = new Map(after.bonuses.map((bonus) => [bonus.bonusId, bonus]))
  const latest = (bonus: Bonus) => current.get(bonus.bonusId) ?? bonus
  const isKept = ({ bonusId }: Bonus) => !change.deletedBonusIds.includes(bonusId)
  const inserted = new Set(change.insertedBonuses.map((bonus) => bonus.bonusId))
  const updated = new Set(change.updatedBonuses.map((bonus) => bonus.bonusId))
  change.insertedBonuses = change.insertedBonuses.filter(isKept).map(latest)
  change.updatedBonuses = change.updatedBonuses
    .filter((bonus) => isKept(bonus) && !inserted.has(bonus.bonusId))
    .map(latest)
  change.drawnBonuses = after.bonuses.filter(
    (bonus) => !before.bonuses.includes(bonus) && !inserted.has(bonus.bonusId) && !updated.has(bonus.bonusId),
  )
}

/** Whether there is nothing to write: then the decision is only confirmed. */
export const isEmpty = (change: LedgerChange): boolean => change.nextRevision === change.revision

/** Whether all it writes are events, counters and draws: what one statement does for many customers. */
export const isPlain = (change: LedgerChange): boolean =>
  change.updatedEvents.length === 0 &&
  change.insertedBonuses.length === 0 &&
  change.updatedBonuses.length === 0 &&
  change.deletedBonusIds.length === 0 &&
  change.overlapped.length === 0 &&
  change.returned.length === 0 &&
  change.requests.length === 0 &&
  change.log.length === 0
