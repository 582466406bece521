// What becomes of a subscription whose payment fails: how long it is retried, and what then.
import type { StoredCustomer, StoredSubscription } from '../objects.ts'
import type { DunningPolicy } from './lifecycle.ts'

const defaultDunningDays = 14

/** How long failed payments are retried and what then becomes of the subscription; its metadata, else its customer's. */
export function computePolicy(subscription: StoredSubscription, customer: StoredCustomer): DunningPolicy {
  const find = (key: string) => subscription.metadata[key] ?? customer.metadata?.[key]
  const days = Number(find('simulator_dunning_days') ?? defaultDunningDays)
  const outcome = find('simulator_dunning_outcome')
  return {
    days: days >= 0 ? days : defaultDunningDays,
    outcome: outcome === 'unpaid' || outcome === 'past_due' ? outcome : 'canceled',
  }
}
