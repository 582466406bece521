// The bonuses that can still be drawn on, as they stand when the draws that the current need makes are counted.
import type { Catalogue, Feature } from '../catalogue/catalogue.ts'
import { getCounter } from '../ledger/counters.ts'
import { applyToBonuses, compareDrawOrder, settle } from '../ledger/settle.ts'
import { type Bonus, type CustomerState, isOpen } from '../ledger/state.ts'
import type { Entitlements, TrackedFeature } from './feature-access.ts'

export type OpenBonus = { bonus: Bonus; feature: Feature }

export function computeOpenBonuses(
  catalogue: Catalogue,
  entitlements: Entitlements,
  state: CustomerState,
  now: number,
): OpenBonus[] {
  const settled = entitlements.tracked.flatMap((tracked) =>
    settleBonuses(tracked, state, now).map((bonus) => ({ bonus, feature: tracked.feature })),
  )
  return [...settled, ...findUnshown(catalogue, entitlements, state)]
    .filter(({ bonus }) => isOpen(bonus, now))
    .sort((a, b) => compareDrawOrder(a.bonus, b.bonus))
}

/** Of an archived feature that is not held nothing is drawn or returned: its bonuses stand as they are stored. */
function findUnshown(catalogue: Catalogue, { tracked }: Entitlements, state: CustomerState): OpenBonus[] {
  const shown = new Set(tracked.map(({ feature }) => feature.featureNo))
  return state.bonuses.flatMap((bonus) => {
    const feature = catalogue.featuresByNo.get(bonus.featureNo)
    return feature?.tracksUsage && !shown.has(bonus.featureNo) ? [{ bonus, feature }] : []
  })
}

/** A feature's bonuses with `drawn` as it is after settling. */
export function settleBonuses(
  { feature, allowance, period }: TrackedFeature,
  state: CustomerState,
  now: number,
): readonly Bonus[] {
  const bonuses = state.bonuses.filter((bonus) => bonus.featureNo === feature.featureNo)
  if (bonuses.length === 0) return bonuses
  const counter = getCounter(state, feature.featureNo, period)
  return applyToBonuses(bonuses, settle({ bonuses, ...counter, allowance, now }).moves)
}
