// The bonuses that can still be drawn on, as they stand when the draws that the current need makes are counted.
import type { Amount } from '../amount.ts'
import type { Catalogue, Feature } from '../catalogue/catalogue.ts'
import { compareDrawOrder, isExpired, settle } from '../ledger/settle.ts'
import type { Bonus, CustomerState } from '../ledger/state.ts'
import { findCounter, type Standing, type TrackedFeature } from './feature-access.ts'

export type OpenBonus = { bonus: Bonus; feature: Feature }

export function computeOpenBonuses(
  catalogue: Catalogue,
  standing: Standing,
  state: CustomerState,
  now: number,
): OpenBonus[] {
  const settled = standing.tracked.flatMap((tracked) =>
    settleBonuses(tracked, state, now).map((bonus) => ({ bonus, feature: tracked.feature })),
  )
  return [...settled, ...findUnshown(catalogue, standing, state)]
    .filter(({ bonus }) => bonus.drawn < bonus.amount && !isExpired(bonus, now))
    .sort((a, b) => compareDrawOrder(a.bonus, b.bonus))
}

/** Of an archived feature that is not held nothing is drawn or returned: its bonuses stand as they are stored. */
function findUnshown(catalogue: Catalogue, { tracked }: Standing, state: CustomerState): OpenBonus[] {
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
): Bonus[] {
  const bonuses = state.bonuses.filter((bonus) => bonus.featureNo === feature.featureNo)
  const counter = findCounter(state, feature.featureNo, period)
  if (!counter) return bonuses
  const { drawn, returned } = settle({ bonuses, ...counter, allowance, now })
  const moved = new Map<string, Amount>()
  for (const draw of drawn) moved.set(draw.bonusId, (moved.get(draw.bonusId) ?? 0n) + draw.amount)
  for (const draw of returned) moved.set(draw.bonusId, (moved.get(draw.bonusId) ?? 0n) - draw.amount)
  return bonuses.map((bonus) => ({ ...bonus, drawn: bonus.drawn + (moved.get(bonus.bonusId) ?? 0n) }))
}
