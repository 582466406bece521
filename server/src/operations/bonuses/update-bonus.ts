// Updates a bonus.
import { amountFromNumber } from '../../domain/amount.ts'
import { missing } from '../../domain/errors.ts'
import type { BonusOutcome } from '../../domain/ledger/change-bonus.ts'
import { updateBonusTask } from '../../domain/ledger/update-bonus.ts'
import { findBonusOwner } from '../../storage/ledger/bonuses.ts'
import type { Context } from '../context.ts'
import type { Services } from '../services.ts'

type Patch = {
  amount?: number | undefined
  expiresAt?: number | null | undefined
  reason?: string | null | undefined
  metadata?: Record<string, string> | null | undefined
}

export async function updateBonus(
  services: Services,
  context: Context,
  bonusId: string,
  patch: Patch,
): Promise<BonusOutcome> {
  const { origin, name } = await getBonusOwner(services, context, bonusId)
  const task = updateBonusTask(origin, name, {
    amount: patch.amount === undefined ? undefined : amountFromNumber(patch.amount),
    expiresAt: patch.expiresAt,
    reason: patch.reason,
    metadata: patch.metadata,
  })
  return services.writeLedger(task)
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export async function getBonusOwner({ database }: Services, context: Context, bonusId: string) {
  const { principal, now } = context
  const owner = uuid.test(bonusId)
    ? await findBonusOwner(database.pool, principal.environment, bonusId)
    : undefined
  if (!owner) throw missing('bonus', bonusId)
  const { customerHash, customerId, featureNo } = owner
  return { origin: { principal, now, customerHash, customerId }, name: { bonusId, featureNo } }
}
