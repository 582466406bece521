// The hot read: a customer's feature access, from memory whenever the database has just confirmed its revision.
import {
  computeFeatureAccess,
  computeValidUntil,
  type FeatureAccess,
} from '../../domain/access/feature-access.ts'
import type { Catalogue } from '../../domain/catalogue/catalogue.ts'
import { missing } from '../../domain/errors.ts'
import type { CustomerState } from '../../domain/ledger/state.ts'
import { type Context, toCustomerHash } from '../context.ts'
import { findCompleteSnapshot, findHeldSnapshot } from '../customers/read-customer.ts'
import type { Services } from '../services.ts'

/** The map of one state, and the span of time over which it stays as it is. */
export type AccessView = {
  catalogue: Catalogue
  validFrom: number
  validUntil: number
  access: FeatureAccess[]
}

// Kept as long as the state itself; a newer state is another object.
const views = new WeakMap<CustomerState, AccessView>()

export async function getFeatureAccess(
  services: Services,
  context: Context,
  customerId: string,
): Promise<AccessView> {
  const hash = toCustomerHash(context, customerId)
  const held = findHeldSnapshot(services, context, hash)
  const known = held && findView(held.state, held.catalogue, held.now)
  if (known) return known
  const snapshot = await findCompleteSnapshot(services, context, hash)
  if (!snapshot) throw missing('customer', customerId)
  const { catalogue, state, now, entitlements } = snapshot
  const access = computeFeatureAccess(entitlements, state, now)
  const view = { catalogue, validFrom: now, validUntil: computeValidUntil(access, state, now), access }
  views.set(state, view)
  return view
}

/** One entry of the map. An archived feature that the customer does not hold is not in it, but can be asked about. */
export async function getFeatureEntry(
  services: Services,
  context: Context,
  customerId: string,
  featureKey: string,
): Promise<FeatureAccess> {
  const entry = await findFeatureEntry(services, context, customerId, featureKey)
  if (!entry) throw missing('feature', featureKey)
  return entry
}

/** Undefined when there is no such feature. */
export async function findFeatureEntry(
  services: Services,
  context: Context,
  customerId: string,
  featureKey: string,
): Promise<FeatureAccess | undefined> {
  const isAsked = ({ feature }: FeatureAccess) => feature.featureKey === featureKey
  const view = await getFeatureAccess(services, context, customerId)
  const known = view.access.find(isAsked)
  if (known || !view.catalogue.features.has(featureKey)) return known
  const hash = toCustomerHash(context, customerId)
  const snapshot = await findCompleteSnapshot(services, context, hash, featureKey)
  if (!snapshot) throw missing('customer', customerId)
  const { state, now, entitlements } = snapshot
  return computeFeatureAccess(entitlements, state, now).find(isAsked)
}

function findView(state: CustomerState, catalogue: Catalogue, now: number): AccessView | undefined {
  const view = views.get(state)
  return view?.catalogue === catalogue && view.validFrom <= now && now < view.validUntil ? view : undefined
}
