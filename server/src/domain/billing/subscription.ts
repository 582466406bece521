// From the provider's subscriptions to ours: which are kept, and which product version each item holds.
import { type Catalogue, latestVersion } from '../catalogue/catalogue.ts'
import type { Subscription, SubscriptionItem } from '../ledger/state.ts'

export type FetchedItem = Omit<SubscriptionItem, 'version'>
export type FetchedSubscription = Omit<Subscription, 'items'> & { items: FetchedItem[] }

export const givesAccess = ({ phase }: Pick<Subscription, 'phase'>): boolean => phase === 'granting'

/** Ended ones go. An item keeps the version it holds as long as it is of the same product; a new one gets the latest. */
export function decideSubscriptions(
  catalogue: Catalogue,
  held: readonly Subscription[],
  fetched: readonly FetchedSubscription[],
): Subscription[] {
  return fetched
    .filter((subscription) => subscription.phase !== 'ended')
    .map((subscription) => {
      const before = held.find((each) => each.subscriptionId === subscription.subscriptionId)?.items ?? []
      return {
        ...subscription,
        items: subscription.items.map((item) => withVersion(catalogue, before, item)),
      }
    })
}

function withVersion(
  catalogue: Catalogue,
  before: readonly SubscriptionItem[],
  item: FetchedItem,
): SubscriptionItem {
  const held = before.find((each) => each.providerProductId === item.providerProductId)
  if (held) return { ...item, version: held.version }
  const product = catalogue.productsByProviderId.get(item.providerProductId)
  return { ...item, version: product && latestVersion(product).version }
}
