// Feature access as flags, for callers that ask by OpenFeature's protocol.
import { computeFlags, type Flag, featureKeyOf } from '../../domain/access/flags.ts'
import { quote, RequestError } from '../../domain/errors.ts'
import type { Context } from '../context.ts'
import type { Services } from '../services.ts'
import { type AccessView, findFeatureEntry, getFeatureAccess } from './get-feature-access.ts'

/** One flag; also of an archived feature that the customer does not hold. */
export async function evaluateFlag(
  services: Services,
  context: Context,
  { customerId, flagKey }: { customerId: string; flagKey: string },
): Promise<Flag> {
  const entry = await findFeatureEntry(services, context, customerId, featureKeyOf(flagKey))
  const flag = entry && computeFlags(entry).find((each) => each.flagKey === flagKey)
  if (!flag) throw new RequestError('missing', 'flag_not_found', `There is no flag ${quote(flagKey)}.`)
  return flag
}

/** All flags of what a customer has; the view is one object for as long as they stay as they are. */
export async function evaluateFlags(
  services: Services,
  context: Context,
  customerId: string,
): Promise<{ view: AccessView; flags(): Flag[] }> {
  const view = await getFeatureAccess(services, context, customerId)
  return { view, flags: () => view.access.flatMap(computeFlags) }
}
