// Reading a customer's subscriptions with all of their items.
import type Stripe from 'stripe'
import type { ProviderSubscription } from '../provider.ts'
import { type Deadline, readAll } from './deadline.ts'
import { toSubscription } from './objects.ts'

const pageSize = 100

async function withItems(
  stripe: Stripe,
  deadline: Deadline,
  subscription: Stripe.Subscription,
): Promise<ProviderSubscription> {
  const filter = { subscription: subscription.id, limit: pageSize }
  const items = subscription.items.has_more
    ? await readAll((after) => stripe.subscriptionItems.list({ ...filter, ...after }, deadline.request()))
    : subscription.items.data
  return toSubscription(subscription, items)
}

/** The call's deadline bounds it, and a partial answer is never given. Without `all` the ended ones would be left out. */
export async function readSubscriptions(
  stripe: Stripe,
  deadline: Deadline,
  customer: string,
): Promise<ProviderSubscription[]> {
  const filter = { customer, status: 'all' as const, limit: pageSize }
  const found = await readAll((after) =>
    stripe.subscriptions.list({ ...filter, ...after }, deadline.request()),
  )
  const subscriptions: ProviderSubscription[] = []
  for (const subscription of found) subscriptions.push(await withItems(stripe, deadline, subscription))
  return subscriptions
}
