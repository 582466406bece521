// Whether a customer may use an amount of a feature now: what an enforced write of that amount would meet.
import { noAllowance } from '../../domain/access/allowance.ts'
import { type FeatureAccess, findMisfit } from '../../domain/access/feature-access.ts'
import { amountFromNumber } from '../../domain/amount.ts'
import { getFeature } from '../../domain/catalogue/catalogue.ts'
import type { Context } from '../context.ts'
import type { Services } from '../services.ts'
import { getFeatureAccess } from './get-feature-access.ts'

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
  const { access, catalogue } = await getFeatureAccess(services, context, customerId)
  const feature = getFeature(catalogue, featureKey)
  // An archived feature that the customer does not hold is not in the map, but can be asked about.
  const entry = access.find((each) => each.feature === feature) ?? {
    feature,
    allowance: noAllowance,
    usage: undefined,
  }
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
