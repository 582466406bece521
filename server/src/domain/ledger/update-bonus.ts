// Updating a bonus: also to less than had been drawn from it, where that is no longer needed.
import type { Amount } from '../amount.ts'
import { conflict, invalid } from '../errors.ts'
import { type Account, findBonus } from './account.ts'
import {
  type BonusName,
  type BonusOutcome,
  changeBonus,
  getBonusFeature,
  getStoredBonus,
  toBonusChange,
} from './change-bonus.ts'
import type { Bonus, CustomerState } from './state.ts'
import type { Decision, LedgerTask, TaskOrigin } from './task.ts'

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
  const stored = getStoredBonus(name, account)
  const changed = changeBonus(account, (shown) => {
    const before = findBonus(shown, name.bonusId) ?? stored
    return withBonus(shown.state, applyPatch(before, patch, account.now))
  })
  const outcome = toBonusChange(changed, stored)
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
