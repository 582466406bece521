// Giving, updating and taking back a bonus: the draws that answers show are made before it, and those that it needs after.
import type { Amount } from '../amount.ts'
import { type Catalogue, type Feature, getFeature } from '../catalogue/catalogue.ts'
import { conflict, invalid, missing } from '../errors.ts'
import {
  type Account,
  checkTracking,
  computeRemainingAt,
  findBonus,
  settleDraws,
  withPeriods,
} from './account.ts'
import { type Facts, Lack } from './facts.ts'
import type { Bonus, CustomerState } from './state.ts'
import type { Decision, LedgerTask, TaskOrigin } from './task.ts'

/** A bonus after a change, and what the feature has left; undefined while it is unlimited. */
export type BonusOutcome = {
  bonus: Bonus
  customerId: string
  featureKey: string
  counterRemaining: Amount | undefined
}

export type NewBonus = Pick<Bonus, 'amount' | 'expiresAt' | 'reason' | 'metadata'>

export type GiveInput = {
  featureKey: string
  bonus: NewBonus
  /** The id of the bonus that is the customer's n-th write. */
  makeBonusId(customerUid: string, eventNo: number): string
  /** The caller's key for this request, and what was sent with it. */
  request: { keyHash: string; bodyHash: string } | undefined
}

export const giveTask = (origin: TaskOrigin, input: GiveInput): LedgerTask<BonusOutcome> => ({
  ...origin,
  findFirst: (facts) => findGiven(origin, input, facts),
  getFeature: (catalogue) => getFeature(catalogue, input.featureKey),
  decide: (account) => decideGive(input, account),
})

function findGiven(
  { customerId }: TaskOrigin,
  { request, featureKey }: GiveInput,
  facts: Facts,
): BonusOutcome | undefined {
  if (!request) return undefined
  const { keyHash } = request
  if (!facts.requests.has(keyHash)) throw new Lack([{ kind: 'request', keyHash }])
  const known = facts.requests.get(keyHash)
  if (!known) return undefined
  if (known.bodyHash !== request.bodyHash) {
    throw conflict('idempotency_key_reused', 'Idempotency-Key was used for another request.')
  }
  return { bonus: known.bonus, customerId, featureKey, counterRemaining: known.counterRemaining }
}

function decideGive(input: GiveInput, account: Account): Decision<BonusOutcome> {
  const { request } = input
  const { now, feature, eventNo } = account
  if (input.bonus.expiresAt !== undefined && input.bonus.expiresAt <= now)
    throw invalid('expiresAt must lie in the future.')
  const bonusId = input.makeBonusId(account.state.customer.customerUid, eventNo)
  const given: Bonus = {
    ...input.bonus,
    bonusId,
    featureNo: feature.featureNo,
    drawn: 0n,
    createdAt: now,
    updatedAt: now,
  }
  const changed = changeBonus(account, ({ state }) => ({ ...state, bonuses: [...state.bonuses, given] }))
  const outcome = toOutcome(changed, given)
  const { bonus, counterRemaining } = outcome
  return {
    state: changed.account.state,
    moves: changed.moves,
    insertedBonus: bonus,
    outcome,
    entry: { action: 'bonus.create', subject: bonusId, after: given },
    ...(request ? { request: { ...request, bonus, counterRemaining } } : {}),
  }
}

/** Which bonus, and of which feature it is. */
export type BonusName = { bonusId: string; featureNo: number }

/** Absent is left alone, null is cleared. */
export type BonusPatch = {
  amount: Amount | undefined
  expiresAt: number | null | undefined
  reason: string | null | undefined
  metadata: Record<string, string> | null | undefined
}

export const updateBonusTask = (
  origin: TaskOrigin,
  name: BonusName,
  patch: BonusPatch,
): LedgerTask<BonusOutcome> => ({
  ...origin,
  getFeature: (catalogue) => getBonusFeature(catalogue, name),
  decide: (account) => decideUpdate(name, patch, account),
})

function decideUpdate(name: BonusName, patch: BonusPatch, account: Account): Decision<BonusOutcome> {
  const stored = getStored(name, account)
  const changed = changeBonus(account, (shown) => {
    const before = findBonus(shown, name.bonusId) ?? stored
    return withBonus(shown.state, applyPatch(before, patch, account.now))
  })
  const outcome = toOutcome(changed, stored)
  const { bonus } = outcome
  return {
    state: changed.account.state,
    moves: changed.moves,
    updatedBonus: bonus,
    outcome,
    entry: { action: 'bonus.update', subject: name.bonusId, before: stored, after: bonus },
  }
}

/** `before` is the bonus with the draws that answers show. */
function applyPatch(before: Bonus, patch: BonusPatch, now: number): Bonus {
  const amount = patch.amount ?? before.amount
  if (typeof patch.expiresAt === 'number' && patch.expiresAt <= now) {
    throw invalid('expiresAt must lie in the future, or be null.')
  }
  if (amount < before.drawn) {
    throw conflict('bonus_drawn', 'amount must not be below what has been drawn from the bonus.')
  }
  return {
    ...before,
    amount,
    updatedAt: now,
    expiresAt: patch.expiresAt === undefined ? before.expiresAt : (patch.expiresAt ?? undefined),
    reason: patch.reason === undefined ? before.reason : (patch.reason ?? undefined),
    metadata: patch.metadata === undefined ? before.metadata : (patch.metadata ?? {}),
  }
}

const withBonus = (state: CustomerState, bonus: Bonus): CustomerState => ({
  ...state,
  bonuses: [...state.bonuses.filter((each) => each.bonusId !== bonus.bonusId), bonus],
})

export const deleteBonusTask = (origin: TaskOrigin, name: BonusName): LedgerTask<BonusOutcome> => ({
  ...origin,
  getFeature: (catalogue) => getBonusFeature(catalogue, name),
  decide: (account) => decideDelete(name, account),
})

/** Drawn as stored or as shown: either way it was consumed. */
function decideDelete(name: BonusName, account: Account): Decision<BonusOutcome> {
  const stored = getStored(name, account)
  const changed = changeBonus(account, (shown) => {
    const bonus = findBonus(shown, name.bonusId) ?? stored
    if (stored.drawn > 0n || bonus.drawn > 0n) {
      throw conflict(
        'bonus_drawn',
        'The bonus has been drawn on; it can be deleted once all of it is returned.',
      )
    }
    const bonuses = shown.state.bonuses.filter((each) => each.bonusId !== name.bonusId)
    return { ...shown.state, bonuses }
  })
  return {
    state: changed.account.state,
    moves: changed.moves,
    deletedBonusId: name.bonusId,
    outcome: toOutcome(changed, stored),
    entry: { action: 'bonus.delete', subject: name.bonusId, before: stored },
  }
}

function getStored({ bonusId }: BonusName, account: Account): Bonus {
  const bonus = findBonus(account, bonusId)
  if (!bonus) throw missing('bonus', bonusId)
  return bonus
}

function getBonusFeature(catalogue: Catalogue, { bonusId, featureNo }: BonusName): Feature {
  const feature = catalogue.featuresByNo.get(featureNo)
  if (!feature) throw missing('bonus', bonusId)
  return feature
}

type Changed = { account: Account; moves: Decision<never>['moves'] & object }

/** The change sees the draws that answers show, and returns the state with the bonus as it shall be. */
function changeBonus(account: Account, change: (shown: Account) => CustomerState): Changed {
  checkTracking(account)
  const ready = withPeriods(account, [account.now])
  const shown = settleDraws(ready)
  const state = change({ ...ready, state: shown.state })
  const settled = settleDraws({ ...ready, state })
  return { account: { ...ready, state: settled.state }, moves: [...shown.moves, ...settled.moves] }
}

const toOutcome = ({ account }: Changed, otherwise: Bonus): BonusOutcome => ({
  bonus: account.state.bonuses.find((bonus) => bonus.bonusId === otherwise.bonusId) ?? otherwise,
  customerId: account.state.customer.customerId,
  featureKey: account.feature.featureKey,
  counterRemaining: computeRemainingAt(account, account.now),
})
