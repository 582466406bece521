// The reference model's bonuses: contract section 7. How far they are drawn is decided in reference-access.ts.
import { isDeepStrictEqual } from 'node:util'
import { exact, largestTotal, plain } from './reference-arithmetic.ts'
import { isUnexpired, remainingOf, settledDraws } from './reference-draws.ts'
import { counterRemainingOf, standingOf } from './reference-entry.ts'
import {
  getBonus,
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
  type Bonus,
  type Customer,
  compareIds,
  type Id,
  type Metadata,
  nextId,
  type State,
} from './reference-state.ts'

/** As shown: what is left after the draws that the current need would make. */
function leftOf(state: State, now: number, bonus: Bonus): bigint {
  const [customer, feature] = [getCustomer(state, bonus.customerId), getFeature(state, bonus.featureKey)]
  return remainingOf(bonus, settledDraws(state, customer, feature, now))
}

function shownBonus(state: State, now: number, bonus: Bonus) {
  return {
    bonusId: bonus.id,
    customerId: bonus.customerId,
    featureKey: bonus.featureKey,
    amount: plain(bonus.amount),
    remainingAmount: plain(leftOf(state, now, bonus)),
    createdAt: bonus.createdAt,
    updatedAt: bonus.updatedAt,
    ...(bonus.expiresAt === undefined ? {} : { expiresAt: bonus.expiresAt }),
    ...(bonus.reason === undefined ? {} : { reason: bonus.reason }),
    metadata: bonus.metadata,
  }
}

/** Newest first; those of a feature that tracks no usage are hidden. */
function visibleBonuses(state: State, customerId: string): Bonus[] {
  return state.bonuses
    .filter((bonus) => bonus.customerId === customerId && getFeature(state, bonus.featureKey).tracksUsage)
    .sort((a, b) => b.createdAt - a.createdAt || compareIds(b.id, a.id))
}

export function bonusesThatCanBeDrawn(state: State, customer: Customer, now: number) {
  return visibleBonuses(state, customer.customerId)
    .filter((bonus) => isUnexpired(bonus, now) && leftOf(state, now, bonus) > 0n)
    .map((bonus) => shownBonus(state, now, bonus))
}

/** Makes the shown draws the stored ones. */
export function storeDraws(state: State, now: number, customerId: string, featureKey: string): void {
  state.draws = settledDraws(state, getCustomer(state, customerId), getFeature(state, featureKey), now)
}

/** What the unexpired bonuses of the same customer and feature have left, with what this period drew, may not grow beyond 10^12. */
function requireBonusSum(state: State, now: number, { customerId, featureKey }: Bonus, before: bigint): void {
  const after = bonusSumOf(state, now, customerId, featureKey)
  if (after > largestTotal && after > before)
    throw new Refusal(400, 'the bonuses would exceed 10^12', 'total_out_of_range')
}

function bonusSumOf(state: State, now: number, customerId: string, featureKey: string): bigint {
  const [customer, feature] = [getCustomer(state, customerId), getFeature(state, featureKey)]
  const { bonusRemaining, bonusUsed } = standingOf(state, customer, feature, now)
  return bonusRemaining + bonusUsed
}

function counterRemaining(state: State, now: number, { customerId, featureKey }: Bonus) {
  return counterRemainingOf(state, getCustomer(state, customerId), getFeature(state, featureKey), now)
}

function requirePositive(amount: number): void {
  requireAmount(amount, 'amount')
  require(amount > 0, 400, 'amount is not above zero')
}

function requireFuture(expiresAt: number, now: number): void {
  requireTimestamp(expiresAt, 'expiresAt')
  require(expiresAt > now, 400, 'expiresAt is not in the future')
}

export type BonusBody = {
  customerId: string
  featureKey: string
  amount: number
  expiresAt?: number
  reason?: string
  metadata?: Metadata
}

export function createBonus(state: State, now: number, body: BonusBody, idempotencyKey?: string): Answer {
  requirePositive(body.amount)
  const taken = state.idempotencyKeys.find(
    (one) => one.key === idempotencyKey && one.customerId === body.customerId,
  )
  if (taken !== undefined) {
    if (isDeepStrictEqual(JSON.parse(taken.body), JSON.parse(JSON.stringify(body)))) return taken.answer
    throw new Refusal(409, 'the idempotency key was used with another body')
  }
  const { customerId, featureKey, expiresAt, reason, metadata = {} } = body
  getCustomer(state, customerId)
  requireTracking(getFeature(state, featureKey))
  if (expiresAt !== undefined) requireFuture(expiresAt, now)
  storeDraws(state, now, customerId, featureKey)
  const times = { createdAt: now, updatedAt: now, expiresAt }
  const id = nextId(state)
  const bonus: Bonus = { id, customerId, featureKey, amount: exact(body.amount), ...times, reason, metadata }
  const before = bonusSumOf(state, now, customerId, featureKey)
  state.bonuses.push(bonus)
  requireBonusSum(state, now, bonus, before)
  storeDraws(state, now, customerId, featureKey)
  const shown = { bonus: shownBonus(state, now, bonus), ...counterRemaining(state, now, bonus) }
  const answer: Answer = { status: 201, body: shown }
  if (idempotencyKey !== undefined)
    state.idempotencyKeys.push({ key: idempotencyKey, customerId, body: JSON.stringify(body), answer })
  return answer
}

export type BonusUpdate = {
  amount?: number
  expiresAt?: number | null
  reason?: string | null
  metadata?: Metadata | null
}

export function updateBonus(state: State, now: number, bonusId: Id, body: BonusUpdate): Answer {
  if (body.amount !== undefined) requirePositive(body.amount)
  const bonus = getBonus(state, bonusId)
  if (typeof body.expiresAt === 'number') requireFuture(body.expiresAt, now)
  requireTracking(getFeature(state, bonus.featureKey))
  storeDraws(state, now, bonus.customerId, bonus.featureKey)
  const drawn = bonus.amount - remainingOf(bonus, state.draws)
  const amount = body.amount === undefined ? bonus.amount : exact(body.amount)
  require(amount >= drawn, 409, 'amount is below what is drawn')
  const before = bonusSumOf(state, now, bonus.customerId, bonus.featureKey)
  bonus.amount = amount
  if (body.expiresAt !== undefined) bonus.expiresAt = body.expiresAt ?? undefined
  if (body.reason !== undefined) bonus.reason = body.reason ?? undefined
  if (body.metadata !== undefined) bonus.metadata = body.metadata ?? {}
  bonus.updatedAt = now
  requireBonusSum(state, now, bonus, before)
  storeDraws(state, now, bonus.customerId, bonus.featureKey)
  const shown = { bonus: shownBonus(state, now, bonus), ...counterRemaining(state, now, bonus) }
  return { status: 200, body: shown }
}

export function deleteBonus(state: State, now: number, bonusId: Id): Answer {
  const bonus = getBonus(state, bonusId)
  requireTracking(getFeature(state, bonus.featureKey))
  const isWhole = () => remainingOf(bonus, state.draws) === bonus.amount
  require(isWhole(), 409, 'something of it is drawn, as stored')
  storeDraws(state, now, bonus.customerId, bonus.featureKey)
  require(isWhole(), 409, 'something of it is drawn, as shown')
  state.bonuses = state.bonuses.filter((one) => one !== bonus)
  storeDraws(state, now, bonus.customerId, bonus.featureKey)
  return { status: 200, body: { deleted: true, bonusId, ...counterRemaining(state, now, bonus) } }
}

export function listBonuses(
  state: State,
  now: number,
  query: { customerId: string; featureKey?: string },
): Answer {
  getCustomer(state, query.customerId)
  if (query.featureKey !== undefined) getFeature(state, query.featureKey)
  const bonuses = visibleBonuses(state, query.customerId)
    .filter((bonus) => query.featureKey === undefined || bonus.featureKey === query.featureKey)
    .map((bonus) => shownBonus(state, now, bonus))
  return { status: 200, body: { bonuses } }
}

export function readBonus(state: State, now: number, bonusId: Id): Answer {
  const bonus = getBonus(state, bonusId)
  require(getFeature(state, bonus.featureKey).tracksUsage, 404, 'the bonus is hidden')
  return { status: 200, body: { bonus: shownBonus(state, now, bonus) } }
}
