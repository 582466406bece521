// Reading a customer's subscriptions with all of their items.
import type Stripe from 'stripe'
import type { ProviderPage, ProviderSubscription } from '../provider.ts'
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

export async function readSubscriptionPage(
  stripe: Stripe,
  deadline: Deadline,
  { customer, cursor }: { customer: string; cursor?: string },
): Promise<ProviderPage<ProviderSubscription>> {
  const page = await stripe.subscriptions.list(
    {
      // Without it the listing leaves out the ended ones.
      status: 'all',
      limit: pageSize,
      customer,
      ...(cursor === undefined ? {} : { starting_after: cursor }),
    },
    deadline.request(),
  )
  const items: ProviderSubscription[] = []
  for (const subscription of page.data) items.push(await withItems(stripe, deadline, subscription))
  return { items, nextCursor: page.has_more ? (page.data.at(-1)?.id ?? null) : null }
}
