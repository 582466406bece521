// Falling back to the default product: when the last main product that gave access has gone.
import { givesAccess } from '../billing/subscription.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import type { CustomerState } from '../ledger/state.ts'

/** What a customer holds of its own; the default product is computed. */
export type Holdings = Pick<CustomerState, 'assignments' | 'subscriptions'>

export type FallBack = {
  /** The latest at which a main product ended, was suspended or removed: the default product is held since then. */
  mainEndedAt: number
  /** The latest of those that left no subscription going on; undefined when there was none, and no period is cut. */
  fellBackAt: number | undefined
}

/**
 * How a change of holdings took the last main product that gave access; undefined when it did not. `findEndedAt` tells the
 * provider's end of a subscription, where it is known, else a loss is now.
 */
export function decideFallBack(
  catalogue: Catalogue,
  before: Holdings,
  after: Holdings,
  now: number,
  findEndedAt: (subscriptionId: string) => number | undefined = () => undefined,
): FallBack | undefined {
  const lost = listMain(catalogue, before)
  if (lost.length === 0 || listMain(catalogue, after).length > 0) return undefined
  const left = new Set([
    ...after.subscriptions.filter(givesAccess).map(({ subscriptionId }) => subscriptionId),
    ...after.assignments.map(({ productId }) => productId),
  ])
  const goneAts = lost.filter((id) => !left.has(id)).map((id) => findEndedAt(id) ?? now)
  return {
    mainEndedAt: goneAts.length < lost.length ? Math.max(now, ...goneAts) : Math.max(...goneAts),
    fellBackAt: goneAts.length > 0 ? Math.max(...goneAts) : undefined,
  }
}

/** The subscriptions and assigned products, by id, by which a main product gives access. */
function listMain(catalogue: Catalogue, { assignments, subscriptions }: Holdings): string[] {
  const isMainItem = ({ providerProductId }: { providerProductId: string }) =>
    catalogue.productsByProviderId.get(providerProductId)?.isAddOn === false
  return [
    ...subscriptions
      .filter((each) => givesAccess(each) && each.items.some(isMainItem))
      .map(({ subscriptionId }) => subscriptionId),
    ...assignments
      .filter(({ productId }) => catalogue.productsById.get(productId)?.isAddOn === false)
      .map(({ productId }) => productId),
  ]
}
