// Giving a bonus; with a key of the caller's, once however often it is asked for.
import { getFeature } from '../catalogue/catalogue.ts'
import { conflict, invalid } from '../errors.ts'
import type { Account } from './account.ts'
import { type BonusOutcome, changeBonus, toBonusChange } from './change-bonus.ts'
import { type Facts, Lack } from './facts.ts'
import type { Bonus } from './state.ts'
import type { Decision, LedgerTask, TaskOrigin } from './task.ts'

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
  const outcome = toBonusChange(changed, given)
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
