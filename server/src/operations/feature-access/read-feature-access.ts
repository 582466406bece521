// The hot read: a customer's feature access, from memory whenever the database has just confirmed its revision.
import { computeAllowance } from '../../domain/access/allowance.ts'
import {
  computeFeatureAccess,
  computeStanding,
  computeValidUntil,
  type FeatureAccess,
} from '../../domain/access/feature-access.ts'
import { type Amount, amountFromNumber } from '../../domain/amount.ts'
import type { Caller } from '../../domain/caller.ts'
import { type Catalogue, getFeature } from '../../domain/catalogue/catalogue.ts'
import { missing } from '../../domain/errors.ts'
import type { CustomerState } from '../../domain/ledger/state.ts'
import { customerUid } from '../../storage/customers/customer-uid.ts'
import { withCounters } from '../customers/read-standing.ts'
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

/** The route must confirm the customer's revision as it lets the request in (`reads`). */
export async function readFeatureAccess(
  services: Services,
  caller: Caller,
  customerId: string,
): Promise<AccessView> {
  const { environment, now, customerRevision } = caller
  if (customerRevision === undefined) throw missing('customer', customerId)
  const uid = caller.customerUid ?? customerUid(environment, customerId)
  const catalogue = await services.catalogues.get(environment, caller.catalogueRevision)
  let state = await services.states.get(uid, customerRevision, now)
  while (state) {
    const view = views.get(state)
    if (view && view.catalogue === catalogue && view.validFrom <= now && now < view.validUntil) return view
    const standing = computeStanding(catalogue, state, now)
    const complete = await withCounters(services, { catalogue, state, standing, now })
    if (complete) {
      const access = computeFeatureAccess(standing, complete, now)
      const fresh = {
        catalogue,
        validFrom: now,
        validUntil: computeValidUntil(access, complete, now),
        access,
      }
      views.set(complete, fresh)
      return fresh
    }
    state = await services.states.load(uid, now)
  }
  throw missing('customer', customerId)
}

export type Check = {
  allowed: boolean
  reason: 'no_access' | 'limit_reached' | undefined
  entry: FeatureAccess
}

export async function checkAccess(
  services: Services,
  caller: Caller,
  { customerId, featureKey, amount }: { customerId: string; featureKey: string; amount: number },
): Promise<Check> {
  const { access, catalogue } = await readFeatureAccess(services, caller, customerId)
  const feature = getFeature(catalogue, featureKey)
  // An archived feature that the customer does not hold is not in the map, but can be asked about.
  const allowance = computeAllowance([], featureKey)
  const entry = access.find((each) => each.feature === feature) ?? { feature, allowance, usage: undefined }
  const reason = findReason(entry, amountFromNumber(amount))
  return { allowed: reason === undefined, reason, entry }
}

function findReason({ feature, allowance, usage }: FeatureAccess, amount: Amount): Check['reason'] {
  if (!allowance.hasAccess) return 'no_access'
  if (feature.type === 'boolean' || allowance.isUnlimited) return undefined
  const left = usage ? (usage.remaining ?? amount) : allowance.limit
  return amount <= left ? undefined : 'limit_reached'
}
