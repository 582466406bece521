// Says why a customer has what it has of a feature.
import { type Explanation, explainAccess as explain } from '../../domain/access/explain.ts'
import { getFeature } from '../../domain/catalogue/catalogue.ts'
import { missing } from '../../domain/errors.ts'
import { type Context, toCustomerHash } from '../context.ts'
import { findCompleteSnapshot } from '../customers/read-customer.ts'
import type { Services } from '../services.ts'

export async function explainAccess(
  services: Services,
  context: Context,
  { customerId, featureKey }: { customerId: string; featureKey: string },
): Promise<Explanation> {
  const hash = toCustomerHash(context, customerId)
  const snapshot = await findCompleteSnapshot(services, context, hash, featureKey)
  if (!snapshot) throw missing('customer', customerId)
  const { catalogue, entitlements, state, now } = snapshot
  return explain(getFeature(catalogue, featureKey), entitlements, state, now)
}
