// The reference model's recording of usage: contract section 6. The order of the checks is the order of the contract:
// form, the subject, the key, tracking, time, below zero, the limit.
import { allowanceOf, periodOf, sumOf } from './reference-access.ts'
import { exact, largestTotal, max, plain } from './reference-arithmetic.ts'
import { storeDraws } from './reference-bonuses.ts'
import { bonusesOf, drawnIn } from './reference-draws.ts'
import { standingOf } from './reference-entry.ts'
import {
  getCustomer,
  getFeature,
  Refusal,
  require,
  requireAmount,
  requireTimestamp,
  requireTracking,
} from './reference-refusal.ts'
import {
  type Answer,
  copyState,
  type Metadata,
  nextId,
  type State,
  type UsageEvent,
} from './reference-state.ts'

const skewMs = 5 * 60 * 1000

type Subject = { customerId: string; featureKey: string }

function subjectOf(state: State, { customerId, featureKey }: Subject) {
  return { customer: getCustomer(state, customerId), feature: getFeature(state, featureKey) }
}

/** The sum of the period around an instant. */
export function sumAround(state: State, subject: Subject, at: number): bigint {
  const { customer, feature } = subjectOf(state, subject)
  return sumOf(state, customer, feature, periodOf(state, customer, feature, at))
}

const usedAround = (state: State, subject: Subject, at: number) =>
  plain(max(0n, sumAround(state, subject, at)))

export function findByKey(
  state: State,
  { customerId, featureKey }: Subject,
  eventKey: string,
): UsageEvent | undefined {
  return state.events.find(
    (event) =>
      event.customerId === customerId &&
      event.featureKey === featureKey &&
      event.keysTaken.includes(eventKey),
  )
}

/** The event that took the key, if it is the same one again; another one is a conflict. */
function findFirst(state: State, subject: Subject, eventKey: string, sent: UsageEvent['sent']) {
  const first = findByKey(state, subject, eventKey)
  if (first === undefined) return undefined
  const bothTimed = first.sent.occurredAt !== undefined && sent.occurredAt !== undefined
  const isSame =
    first.sent.kind === sent.kind &&
    first.sent.amount === sent.amount &&
    (!bothTimed || first.sent.occurredAt === sent.occurredAt)
  if (!isSame) throw new Refusal(409, 'eventKey was used for something else', 'event_key_reused')
  return first
}

export function takenTime(occurredAt: number, now: number): number {
  require(occurredAt <= now + skewMs, 400, 'occurredAt is too far ahead')
  return Math.min(occurredAt, now)
}

function append(state: State, event: Omit<UsageEvent, 'id' | 'keysTaken' | 'isDeleted'>, eventKey: string) {
  const added = { ...event, id: nextId(state), eventKey, keysTaken: [eventKey], isDeleted: false }
  state.events.push(added)
  const total = sumAround(state, event, event.occurredAt)
  require(total <= largestTotal && total >= -largestTotal, 400, 'the total is too large')
  return added
}

export type UsageBody = {
  customerId: string
  featureKey: string
  eventKey: string
  amount?: number
  occurredAt?: number
  metadata?: Metadata
  enforceLimit?: boolean
}

/** Why an enforced amount does not fit into its own period, if it does not. */
function findMisfit(state: State, now: number, subject: Subject, amount: bigint, at: number) {
  const { customer, feature } = subjectOf(state, subject)
  const { hasAccess, isUnlimited, limit } = allowanceOf(state, customer, feature.featureKey)
  if (amount < 0n || isUnlimited) return undefined
  if (!hasAccess) return 'no_access'
  const period = periodOf(state, customer, feature, at)
  const isCurrent = period.start <= now && now < period.end
  const drawn = drawnIn(period, bonusesOf(state, customer, feature), state.draws)
  const used = max(0n, sumOf(state, customer, feature, period))
  const planLeft = max(0n, limit - (used - drawn))
  const left = isCurrent ? (standingOf(state, customer, feature, now).remaining ?? 0n) : planLeft
  return amount <= left ? undefined : 'limit_reached'
}

export function recordUsage(state: State, now: number, body: UsageBody): Answer {
  const { amount: sentAmount = 1, occurredAt: sentAt, eventKey, metadata = {}, enforceLimit = false } = body
  const { customerId, featureKey } = body
  requireAmount(sentAmount, 'amount')
  if (sentAt !== undefined) requireTimestamp(sentAt, 'occurredAt')
  const { feature } = subjectOf(state, body)
  const amount = exact(sentAmount)
  const sent = { kind: 'record', amount, occurredAt: sentAt } as const
  const first = findFirst(state, body, eventKey, sent)
  if (first !== undefined) {
    const used = usedAround(state, first, first.occurredAt)
    return { status: 200, body: { applied: false, used, eventId: first.id, reason: 'duplicate_event' } }
  }
  requireTracking(feature)
  const occurredAt = takenTime(sentAt ?? now, now)
  const isBelowZero = amount < 0n && sumAround(state, body, occurredAt) + amount < 0n
  const misfit = enforceLimit ? findMisfit(state, now, body, amount, occurredAt) : undefined
  const reason = isBelowZero ? 'below_zero' : misfit
  if (reason !== undefined)
    return { status: 200, body: { applied: false, used: usedAround(state, body, occurredAt), reason } }
  storeDraws(state, now, customerId, featureKey)
  const event = { customerId, featureKey, amount, occurredAt, source: 'usage', metadata, sent } as const
  const { id } = append(state, { ...event, firstAdjustment: 0n }, eventKey)
  storeDraws(state, now, customerId, featureKey)
  return { status: 200, body: { applied: true, used: usedAround(state, body, occurredAt), eventId: id } }
}

/** Items are independent and in order; the text of a failed one is not modelled. */
export function recordBatch(state: State, now: number, body: { events: UsageBody[] }): Answer {
  require(body.events.length >= 1 && body.events.length <= 100, 400, 'events takes 1 to 100 items')
  const results = body.events.map((item) => {
    const before = copyState(state)
    try {
      return { success: true, result: recordUsage(state, now, item).body }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      Object.assign(state, before)
      return { success: false }
    }
  })
  return { status: 200, body: { results, hasErrors: results.some((result) => !result.success) } }
}

export type SetBody = {
  customerId: string
  featureKey: string
  used: number
  eventKey: string
  metadata?: Metadata
}

export function setUsage(state: State, now: number, body: SetBody): Answer {
  const { customerId, featureKey, eventKey, metadata = {} } = body
  requireAmount(body.used, 'used')
  require(body.used >= 0, 400, 'used is below zero')
  const { feature } = subjectOf(state, body)
  const sent = { kind: 'set', amount: exact(body.used) } as const
  const first = findFirst(state, body, eventKey, sent)
  if (first !== undefined) {
    const used = usedAround(state, first, first.occurredAt)
    const repeated = {
      adjustment: plain(first.firstAdjustment),
      eventId: first.id,
      reason: 'duplicate_event',
    }
    return { status: 200, body: { applied: false, used, ...repeated } }
  }
  requireTracking(feature)
  storeDraws(state, now, customerId, featureKey)
  const adjustment = sent.amount - sumAround(state, body, now)
  // A change of the interval can bring together more than one event could take back.
  require(adjustment <= largestTotal && adjustment >= -largestTotal, 400, 'the adjustment is too large')
  const source = 'usage_set_adjustment' as const
  const event = { customerId, featureKey, amount: adjustment, occurredAt: now, source, metadata, sent }
  const { id } = append(state, { ...event, firstAdjustment: adjustment }, eventKey)
  storeDraws(state, now, customerId, featureKey)
  const used = usedAround(state, body, now)
  return { status: 200, body: { applied: true, used, adjustment: plain(adjustment), eventId: id } }
}
