// A customer's bonuses as they stand: with the draws that the current need would make.

import { settleBonuses } from '../../domain/access/open-bonuses.ts'
import type { Caller } from '../../domain/caller.ts'
import { type Feature, getFeature } from '../../domain/catalogue/catalogue.ts'
import { missing } from '../../domain/errors.ts'
import type { Bonus } from '../../domain/ledger/state.ts'
import { customerUid } from '../../storage/customers/customer-uid.ts'
import { type BonusPosition, listBonuses as listRows } from '../../storage/ledger/bonuses.ts'
import { findViewByUid } from '../customers/read-standing.ts'
import type { Services } from '../services.ts'
import { getBonusSubject } from './edit-bonus.ts'

export type ListedBonus = { bonus: Bonus; feature: Feature }

type Query = {
  customerId: string
  featureKey?: string | undefined
  before?: BonusPosition | undefined
  /** All of them when absent. */
  limit?: number | undefined
}

export async function listBonuses(services: Services, caller: Caller, query: Query): Promise<ListedBonus[]> {
  const catalogue = await services.catalogues.get(caller.environment, caller.catalogueRevision)
  const features =
    query.featureKey === undefined
      ? [...catalogue.features.values()]
      : [getFeature(catalogue, query.featureKey)]
  const featureNos = features.filter((feature) => feature.tracksUsage).map((feature) => feature.featureNo)
  const uid = customerUid(caller.environment, query.customerId)
  for (;;) {
    const listed = await listRows(services.database.pool, uid, {
      featureNos,
      before: query.before,
      limit: query.limit,
    })
    const view = listed && (await findViewByUid(services, caller, uid))
    if (!listed || !view) throw missing('customer', query.customerId)
    // Rows and state must be of one moment; each turn sees a later commit, and the request's time is bounded.
    if (view.state.revision !== listed.revision) continue
    const settled = new Map(
      view.standing.tracked
        .flatMap((tracked) => settleBonuses(tracked, view.state, caller.now))
        .map((bonus) => [bonus.bonusId, bonus]),
    )
    return listed.bonuses.map((bonus) => ({
      bonus: settled.get(bonus.bonusId) ?? bonus,
      feature: catalogue.featuresByNo.get(bonus.featureNo) as Feature,
    }))
  }
}

export async function getBonus(services: Services, caller: Caller, bonusId: string): Promise<ListedBonus> {
  const { customerId, feature } = await getBonusSubject(services, caller, bonusId)
  const bonuses = await listBonuses(services, caller, { customerId, featureKey: feature.featureKey })
  const found = bonuses.find((each) => each.bonus.bonusId === bonusId)
  if (!found) throw missing('bonus', bonusId)
  return found
}
