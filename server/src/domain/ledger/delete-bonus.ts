// Taking back a bonus that has not been consumed.
import { conflict } from '../errors.ts'
import { type Account, findBonus } from './account.ts'
import {
  type BonusName,
  type BonusOutcome,
  changeBonus,
  getBonusFeature,
  getStoredBonus,
  toBonusChange,
} from './change-bonus.ts'
import type { Decision, LedgerTask, TaskOrigin } from './task.ts'

export const deleteBonusTask = (origin: TaskOrigin, name: BonusName): LedgerTask<BonusOutcome> => ({
  ...origin,
  getFeature: (catalogue) => getBonusFeature(catalogue, name),
  decide: (account) => decideDelete(name, account),
})

/** Drawn as stored or as shown: either way it was consumed. */
function decideDelete(name: BonusName, account: Account): Decision<BonusOutcome> {
  const stored = getStoredBonus(name, account)
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
    outcome: toBonusChange(changed, stored),
    entry: { action: 'bonus.delete', subject: name.bonusId, before: stored },
  }
}
