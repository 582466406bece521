// Whether a customer may use an amount of a feature now: what an enforced write of that amount would meet.
import { decideCheck, type FeatureAccess } from '../../domain/access/feature-access.ts'
import { amountFromNumber } from '../../domain/amount.ts'
import type { Context } from '../context.ts'
import type { Services } from '../services.ts'
import { getFeatureEntry } from './get-feature-access.ts'

export type Check = {
  allowed: boolean
  reason: 'no_access' | 'limit_reached' | undefined
  entry: FeatureAccess
}

export async function checkAccess(
  services: Services,
  context: Context,
  { customerId, featureKey, amount }: { customerId: string; featureKey: string; amount: number },
): Promise<Check> {
  const entry = await getFeatureEntry(services, context, customerId, featureKey)
  const reason = decideCheck(entry, amountFromNumber(amount))
  if (reason) services.tally.noteRefusal(entry.feature.featureNo, reason, context.now)
  return { allowed: reason === undefined, reason, entry }
}
