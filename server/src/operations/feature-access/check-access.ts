// Whether a customer may use an amount of a feature now: what an enforced write of that amount would meet.
import { type FeatureAccess, findMisfit } from '../../domain/access/feature-access.ts'
import { amountFromNumber } from '../../domain/amount.ts'
import type { Context } from '../context.ts'
import type { Services } from '../services.ts'
import { getEntry, getFeatureAccess } from './get-feature-access.ts'

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
  const entry = getEntry(await getFeatureAccess(services, context, customerId), featureKey)
  const reason = findMisfit(entry.allowance, findLeft(entry), amountFromNumber(amount))
  return { allowed: reason === undefined, reason, entry }
}

/** What of a limit can be used; undefined where there is none. Where nothing is counted, it is the limit each time. */
function findLeft({
  feature,
  allowance,
  usage,
}: FeatureAccess): FeatureAccess['allowance']['limit'] | undefined {
  if (feature.type === 'boolean' || allowance.isUnlimited) return undefined
  return usage ? usage.remaining : allowance.limit
}
