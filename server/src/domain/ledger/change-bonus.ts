// What giving, updating and taking back a bonus have in common: the draws that answers show are made before the change, and those
// that it needs after it.
import type { Amount } from '../amount.ts'
import type { Catalogue, Feature } from '../catalogue/catalogue.ts'
import { missing } from '../errors.ts'
import {
  type Account,
  checkTracking,
  computeRemainingAt,
  findBonus,
  type Moved,
  settleDraws,
  withPeriods,
} from './account.ts'
import { getCounter } from './counters.ts'
import { sumOf } from './settle.ts'
import { type Bonus, type CustomerState, isExpired } from './state.ts'
import { checkTotal } from './usage-event.ts'

/** A bonus after a change, and what the feature has left; undefined while it is unlimited. */
export type BonusOutcome = {
  bonus: Bonus
  customerId: string
  featureKey: string
  counterRemaining: Amount | undefined
}

/** Which bonus, and of which feature it is. */
export type BonusName = { bonusId: string; featureNo: number }

export function getStoredBonus({ bonusId }: BonusName, account: Account): Bonus {
  const bonus = findBonus(account, bonusId)
  if (!bonus) throw missing('bonus', bonusId)
  return bonus
}

export function getBonusFeature(catalogue: Catalogue, { bonusId, featureNo }: BonusName): Feature {
  const feature = catalogue.featuresByNo.get(featureNo)
  if (!feature) throw missing('bonus', bonusId)
  return feature
}

export type Changed = { account: Account; moves: Moved['moves'] }

/**
 * The change sees the draws that answers show, and returns the state with the bonus as it shall be. What the feature's bonuses
 * have left may not leave the range of amounts, also when this period's draws are returned.
 */
export function changeBonus(account: Account, change: (shown: Account) => CustomerState): Changed {
  checkTracking(account)
  const ready = withPeriods(account, [account.now])
  const shown = settleDraws(ready)
  const state = change({ ...ready, state: shown.state })
  const sumAfter = (after: CustomerState) => sumLeft({ ...ready, state: after })
  checkTotal(sumAfter(shown.state), sumAfter(state), 'sum of the bonuses')
  const settled = settleDraws({ ...ready, state })
  return { account: { ...ready, state: settled.state }, moves: [...shown.moves, ...settled.moves] }
}

/** What unexpired bonuses have left, and what the current period has drawn. */
function sumLeft({ state, feature, current, now }: Account): Amount {
  let sum = sumOf(getCounter(state, feature.featureNo, current).draws)
  for (const bonus of state.bonuses)
    if (bonus.featureNo === feature.featureNo && !isExpired(bonus, now)) sum += bonus.amount - bonus.drawn
  return sum
}

export const toBonusChange = ({ account }: Changed, otherwise: Bonus): BonusOutcome => ({
  bonus: account.state.bonuses.find((bonus) => bonus.bonusId === otherwise.bonusId) ?? otherwise,
  customerId: account.state.customer.customerId,
  featureKey: account.feature.featureKey,
  counterRemaining: computeRemainingAt(account, account.now),
})
