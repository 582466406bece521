// A customer's bonuses as they stand: with the draws that the current need would make.
import { settleBonuses } from '../../domain/access/open-bonuses.ts'
import { type Feature, getFeature } from '../../domain/catalogue/catalogue.ts'
import { missing, overloaded } from '../../domain/errors.ts'
import type { Bonus } from '../../domain/ledger/state.ts'
import { type BonusPosition, listBonuses as listRows } from '../../storage/ledger/bonuses.ts'
import { type Context, toCustomerHash, withoutSighting } from '../context.ts'
import { findCompleteSnapshot } from '../customers/read-customer.ts'
import type { Services } from '../services.ts'

export type ListedBonus = { bonus: Bonus; feature: Feature }

type Query = {
  customerId: string
  featureKey?: string | undefined
  before?: BonusPosition | undefined
  /** All of them when absent. */
  limit?: number | undefined
}

const attempts = 10

export async function listBonuses(
  services: Services,
  context: Context,
  query: Query,
): Promise<ListedBonus[]> {
  const hash = toCustomerHash(context, query.customerId)
  for (let attempt = 1; attempt <= attempts; attempt++) {
    const before = await findCompleteSnapshot(services, context, hash)
    if (!before) throw missing('customer', query.customerId)
    const { state, catalogue, now, entitlements } = before
    const features =
      query.featureKey === undefined
        ? [...catalogue.features.values()]
        : [getFeature(catalogue, query.featureKey)]
    const featureNos = features.filter((feature) => feature.tracksUsage).map((feature) => feature.featureNo)
    const { customerUid } = state.customer
    const listed = await listRows(services.database.pool, customerUid, {
      featureNos,
      before: query.before,
      limit: query.limit,
    })
    // Rows and state must be of one moment: they are if the customer is still as it was before the rows were read.
    const after = await services.states.load(hash)
    if (after?.customer.customerUid !== customerUid || after.revision !== state.revision) {
      context = withoutSighting(context)
      continue
    }
    const settled = new Map(
      entitlements.tracked
        .flatMap((tracked) => settleBonuses(tracked, state, now))
        .map((bonus) => [bonus.bonusId, bonus]),
    )
    return listed.map((bonus) => ({
      bonus: settled.get(bonus.bonusId) ?? bonus,
      feature: catalogue.featuresByNo.get(bonus.featureNo) as Feature,
    }))
  }
  throw overloaded()
}
