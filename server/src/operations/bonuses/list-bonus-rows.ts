// Bonuses of all customers, newest first, as they are stored: draws that a changed limit calls for come with the next write.
import { type Feature, getFeature } from '../../domain/catalogue/catalogue.ts'
import { missing } from '../../domain/errors.ts'
import { findCustomerUid } from '../../storage/customers/customers.ts'
import {
  type BonusState,
  type ListedBonus,
  listEnvironmentBonuses,
} from '../../storage/statistics/bonus-list.ts'
import { type Context, toCustomerHash } from '../context.ts'
import type { Services } from '../services.ts'

type Query = {
  state?: BonusState | undefined
  featureKey?: string | undefined
  customerId?: string | undefined
  before: { createdAt: number; bonusId: string } | undefined
  limit: number
}

export type BonusRow = ListedBonus & { feature: Feature }

export async function listBonusRows(
  { database }: Services,
  context: Context,
  { state, featureKey, customerId, before, limit }: Query,
): Promise<BonusRow[]> {
  const { catalogue, principal, now } = context
  const features =
    featureKey === undefined ? [...catalogue.features.values()] : [getFeature(catalogue, featureKey)]
  const customerUid =
    customerId === undefined
      ? undefined
      : await findCustomerUid(database.pool, toCustomerHash(context, customerId))
  if (customerId !== undefined && customerUid === undefined) throw missing('customer', customerId)
  const listed = await listEnvironmentBonuses(database.pool, {
    environment: principal.environment,
    now,
    state,
    featureNos: features.map((feature) => feature.featureNo),
    customerUid,
    before,
    limit,
  })
  return listed.map((each) => ({
    ...each,
    feature: catalogue.featuresByNo.get(each.bonus.featureNo) as Feature,
  }))
}
