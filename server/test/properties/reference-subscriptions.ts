// The reference model's subscriptions: what the provider says of a customer, and which product versions that holds.
import type { Answer, Customer, Product, State, Subscription, SubscriptionItem } from './reference-state.ts'

/** What a customer holds by one subscription, assignment or as the default. */
export type Held = {
  productKey: string
  version: number
  startedAt: number
  status: string
  canceledAt: number | null
  /** Only of a subscription. */
  billingAnchorAt?: number
  items: SubscriptionItem[]
  /** Of the default as a fall-back. */
  fellBackAt?: number | undefined
}

/** A subscription as the provider tells of it. */
export type ProviderSubscription = Omit<Subscription, 'items'> & {
  endedAt?: number | null
  items: SubscriptionItem[]
}

export const givesAccess = ({ status }: { status: string }) =>
  ['trialing', 'active', 'past_due'].includes(status)

/** Ids of the subscriptions by which a main product gives access. */
const mainSubscriptions = (state: State, { subscriptions }: Customer): string[] =>
  subscriptions
    .filter(givesAccess)
    .filter(({ items }) => items.some((item) => findLinked(state, item.providerProductId)?.isAddOn === false))
    .map(({ subscriptionId }) => subscriptionId)

const mainAssignments = (state: State, { assigned }: Customer): string[] =>
  assigned
    .map(({ productKey }) => productKey)
    .filter((key) => state.products.some((product) => product.productKey === key && !product.isAddOn))

/**
 * Runs a change of what a customer holds. If that took the last main product away, the default is held since then; the
 * customer fell back unless the subscription it was of goes on.
 */
export function withFallBack(
  state: State,
  customer: Customer,
  now: number,
  change: () => void,
  endedAts: Map<string, number> = new Map(),
): void {
  const before = [...mainSubscriptions(state, customer), ...mainAssignments(state, customer)]
  change()
  if (mainSubscriptions(state, customer).length + mainAssignments(state, customer).length > 0) return
  const still = [
    ...customer.subscriptions.filter(givesAccess).map(({ subscriptionId }) => subscriptionId),
    ...customer.assigned.map(({ productKey }) => productKey),
  ]
  const endOf = (id: string) => (still.includes(id) ? now : (endedAts.get(id) ?? now))
  if (before.length > 0) customer.mainEndedAt = Math.max(...before.map(endOf))
  const gone = before.filter((id) => !still.includes(id))
  if (gone.length > 0) customer.fellBackAt = Math.max(...gone.map(endOf))
}

const hasEnded = (status: string) => status === 'canceled' || status === 'incomplete_expired'

const findLinked = (state: State, providerProductId: string): Product | undefined =>
  state.products.find((product) => product.providerProductId === providerProductId)

/**
 * Takes what the provider has now: ended ones go; an item keeps its version as long as it is of the same product, a new
 * one gets the latest. A provider customer that is not, or no longer, one of ours changes nothing.
 */
export function syncSubscriptions(
  state: State,
  now: number,
  providerCustomerId: string,
  fetched: ProviderSubscription[],
): Answer {
  const customer = state.customers.find((one) => one.providerCustomerId === providerCustomerId)
  if (customer === undefined) return { status: 200 }
  const endedAts = new Map(
    fetched.flatMap(({ subscriptionId, endedAt }) => (endedAt ? [[subscriptionId, endedAt]] : [])),
  )
  withFallBack(state, customer, now, () => replace(state, customer, fetched), endedAts)
  return { status: 200 }
}

function replace(state: State, customer: Customer, fetched: ProviderSubscription[]): void {
  const before = customer.subscriptions
  customer.subscriptions = fetched
    .filter(({ status }) => !hasEnded(status))
    .map(({ endedAt: _endedAt, ...subscription }) => {
      const held = before.find((one) => one.subscriptionId === subscription.subscriptionId)?.items ?? []
      const versionOf = (providerProductId: string) =>
        held.find((item) => item.providerProductId === providerProductId)?.version ??
        findLinked(state, providerProductId)?.versions.length ??
        1
      const items = subscription.items.map((item) => ({
        ...item,
        version: versionOf(item.providerProductId),
      }))
      return { ...subscription, items }
    })
}

/** One for each subscription and product; items of a product that is not linked are ignored. */
export function heldBySubscription(state: State, customer: Customer): Held[] {
  return customer.subscriptions.flatMap((subscription) => {
    const { status, startedAt, canceledAt, billingAnchorAt } = subscription
    const ids = [...new Set(subscription.items.map((item) => item.providerProductId))]
    return ids.flatMap((providerProductId) => {
      const product = findLinked(state, providerProductId)
      if (product === undefined) return []
      const items = subscription.items.filter((item) => item.providerProductId === providerProductId)
      const version = Math.min(...items.map((item) => item.version))
      const { productKey } = product
      return { productKey, version, startedAt, status, canceledAt, billingAnchorAt, items }
    })
  })
}
