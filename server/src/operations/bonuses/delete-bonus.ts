// Deletes a bonus that has not been consumed.
import type { BonusOutcome } from '../../domain/ledger/change-bonus.ts'
import { deleteBonusTask } from '../../domain/ledger/delete-bonus.ts'
import type { Context } from '../context.ts'
import type { Services } from '../services.ts'
import { getBonusOwner } from './update-bonus.ts'

export async function deleteBonus(
  services: Services,
  context: Context,
  bonusId: string,
): Promise<BonusOutcome> {
  const { origin, name } = await getBonusOwner(services, context, bonusId)
  return services.writeLedger(deleteBonusTask(origin, name))
}
