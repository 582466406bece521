// Ends a subscription of the simulated provider at once.
import { randomUUID } from 'node:crypto'
import type { Context } from '../context.ts'
import type { Services } from '../services.ts'
import { actForOwner, getAccountOwner, getSubscriber } from './get-account-owner.ts'

export async function cancelSubscription(
  services: Services,
  context: Context,
  subscriptionId: string,
): Promise<void> {
  const owner = getAccountOwner(services, context)
  const subscriber = await getSubscriber(services, context, subscriptionId)
  const action = 'simulator.cancel_subscription'
  await actForOwner(services, context, { subscriber, action }, () =>
    owner.cancelSubscription(subscriptionId, randomUUID()),
  )
}
