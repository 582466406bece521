// The reference model's ledger after the fact: editing, deleting and listing usage events, contract section 6.
import { exact, largestTotal, plain } from './reference-arithmetic.ts'
import { storeDraws } from './reference-bonuses.ts'
import {
  getCustomer,
  getEvent,
  getFeature,
  require,
  requireAmount,
  requireTimestamp,
  requireTracking,
} from './reference-refusal.ts'
import {
  type Answer,
  compareIds,
  type Id,
  type Metadata,
  type State,
  type UsageEvent,
} from './reference-state.ts'
import { findByKey, sumAround, takenTime } from './reference-usage.ts'

function shownEvent({
  id,
  customerId,
  featureKey,
  amount,
  occurredAt,
  source,
  eventKey,
  metadata,
}: UsageEvent) {
  const key = eventKey === undefined ? {} : { eventKey }
  return { id, customerId, featureKey, amount: plain(amount), occurredAt, source, ...key, metadata }
}

/** Changes an event, then looks whether a period whose sum fell is now below zero. */
function change(state: State, now: number, event: UsageEvent, changes: Partial<UsageEvent>): void {
  storeDraws(state, now, event.customerId, event.featureKey)
  const instants = [event.occurredAt, changes.occurredAt ?? event.occurredAt]
  const sums = () => instants.map((at) => sumAround(state, event, at))
  const before = sums()
  Object.assign(event, changes)
  sums().forEach((after, i) => {
    const fell = after < (before[i] ?? 0n)
    require(!(fell && after < 0n), 409, 'the period would fall below zero')
    require(after <= largestTotal, 400, 'the total is too large')
  })
  storeDraws(state, now, event.customerId, event.featureKey)
}

export type UsageUpdate = {
  amount?: number
  occurredAt?: number
  eventKey?: string | null
  metadata?: Metadata | null
}

export function amendUsage(state: State, now: number, id: Id, body: UsageUpdate): Answer {
  if (body.amount !== undefined) requireAmount(body.amount, 'amount')
  if (body.occurredAt !== undefined) requireTimestamp(body.occurredAt, 'occurredAt')
  const event = getEvent(state, id)
  requireTracking(getFeature(state, event.featureKey))
  const changes: Partial<UsageEvent> = {}
  if (body.amount !== undefined) changes.amount = exact(body.amount)
  if (body.occurredAt !== undefined) changes.occurredAt = takenTime(body.occurredAt, now)
  if (body.metadata !== undefined) changes.metadata = body.metadata ?? {}
  if (body.eventKey !== undefined) changes.eventKey = body.eventKey ?? undefined
  if (typeof body.eventKey === 'string') {
    const holder = findByKey(state, event, body.eventKey)
    require(holder === undefined || holder === event, 409, 'another event took the eventKey')
    changes.keysTaken = [...event.keysTaken, body.eventKey]
  }
  change(state, now, event, changes)
  return { status: 200, body: shownEvent(event) }
}

export function deleteUsage(state: State, now: number, id: Id): Answer {
  const event = getEvent(state, id)
  requireTracking(getFeature(state, event.featureKey))
  change(state, now, event, { isDeleted: true })
  return { status: 200, body: { deletedCount: 1 } }
}

export function readUsage(state: State, _now: number, id: Id): Answer {
  const event = getEvent(state, id)
  require(getFeature(state, event.featureKey).tracksUsage, 404, 'the usage event is hidden')
  return { status: 200, body: shownEvent(event) }
}

/** All of them on one page: newest first, then by id; those of a feature that tracks no usage are hidden. */
export function listUsage(
  state: State,
  _now: number,
  query: { customerId: string; featureKey?: string; from?: number; to?: number },
): Answer {
  const { customerId, featureKey, from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY } = query
  require(from < to, 400, 'from is not before to')
  getCustomer(state, customerId)
  if (featureKey !== undefined) getFeature(state, featureKey)
  const events = state.events
    .filter((event) => event.customerId === customerId && !event.isDeleted)
    .filter((event) => featureKey === undefined || event.featureKey === featureKey)
    .filter((event) => getFeature(state, event.featureKey).tracksUsage)
    .filter((event) => from <= event.occurredAt && event.occurredAt < to)
    .sort((a, b) => b.occurredAt - a.occurredAt || compareIds(b.id, a.id))
  return { status: 200, body: { events: events.map(shownEvent) } }
}
