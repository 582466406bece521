// Falling back to the default product: when the last main product that gave access has gone.
import { givesAccess } from '../billing/subscription.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import type { CustomerState } from '../ledger/state.ts'

/** What a customer holds of its own; the default product is computed. */
export type Holdings = Pick<CustomerState, 'assignments' | 'subscriptions'>

/**
 * The instant at which a change of holdings made the customer fall back; undefined when it did not. It is the latest at which
 * a main product was lost: `findEndedAt` tells the provider's end of a subscription, where it is known, else it is now.
 * Another product within a subscription that goes on loses nothing.
 */
export function decideFallBack(
  catalogue: Catalogue,
  before: Holdings,
  after: Holdings,
  now: number,
  findEndedAt: (subscriptionId: string) => number | undefined = () => undefined,
): number | undefined {
  if (listMain(catalogue, after).length > 0) return undefined
  const left = new Set([
    ...after.subscriptions.filter(givesAccess).map(({ subscriptionId }) => subscriptionId),
    ...after.assignments.map(({ productId }) => productId),
  ])
  const lost = listMain(catalogue, before).filter((id) => !left.has(id))
  if (lost.length === 0) return undefined
  return Math.max(...lost.map((id) => findEndedAt(id) ?? now))
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
