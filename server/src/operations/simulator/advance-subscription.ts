// Lets a subscription of the simulated provider come to its next renewal now, without moving the clock.
import { randomUUID } from 'node:crypto'
import type { Context } from '../context.ts'
import type { Services } from '../services.ts'
import { actForOwner, getAccountOwner, getSubscriber } from './get-account-owner.ts'

export async function advanceSubscription(
  services: Services,
  context: Context,
  subscriptionId: string,
): Promise<{ currentPeriodEnd: number | null }> {
  const owner = getAccountOwner(services, context)
  const subscriber = await getSubscriber(services, context, subscriptionId)
  const action = 'simulator.advance_subscription'
  return actForOwner(services, context, { subscriber, action }, () =>
    owner.advanceSubscription(subscriptionId, randomUUID()),
  )
}
