// Finds one bonus by its id.
import { missing } from '../../domain/errors.ts'
import type { Context } from '../context.ts'
import type { Services } from '../services.ts'
import { type ListedBonus, listBonuses } from './list-bonuses.ts'
import { getBonusOwner } from './update-bonus.ts'

export async function getBonus(
  services: Services,
  context: Context,
  bonusId: string,
): Promise<ListedBonus & { customerId: string }> {
  const { origin, name } = await getBonusOwner(services, context, bonusId)
  const feature = context.catalogue.featuresByNo.get(name.featureNo)
  if (!feature) throw missing('bonus', bonusId)
  const { customerId } = origin
  const bonuses = await listBonuses(services, context, { customerId, featureKey: feature.featureKey })
  const found = bonuses.find((each) => each.bonus.bonusId === bonusId)
  if (!found) throw missing('bonus', bonusId)
  return { ...found, customerId }
}
