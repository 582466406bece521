// Lets everything happen that has fallen due by now: renewals, trial ends, failed payments, cancellations, expiries.
import { findDueSimulatorObjects } from '../../storage/simulator.ts'
import { expireSession } from './checkout-sessions.ts'
import { computeStep, type DunningPolicy } from './lifecycle.ts'
import type { StoredCustomer, StoredSession, StoredSubscription } from './objects.ts'
import { computeCharge } from './payment-methods.ts'
import { getObject, saveAndEmit, type World } from './world.ts'

const batchSize = 50
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

async function stepSubscription(world: World, subscription: StoredSubscription): Promise<void> {
  const customer = await getObject<StoredCustomer>(world, 'customer', subscription.customer)
  const charge = await computeCharge(world, subscription)
  const step = computeStep(subscription, charge, computePolicy(subscription, customer))
  if (step !== undefined) await saveAndEmit(world, step.event, step.subscription, subscription)
}

export async function hasDue(world: World): Promise<boolean> {
  return (await findDueSimulatorObjects(world.sql, world.environment, world.now, 1)).length > 0
}

/** One step for each of the earliest due objects. */
export async function advanceBatch(world: World): Promise<void> {
  const due = await findDueSimulatorObjects(world.sql, world.environment, world.now, batchSize)
  for (const body of due) {
    if (body.object === 'subscription') await stepSubscription(world, body as unknown as StoredSubscription)
    else await expireSession(world, body as unknown as StoredSession)
  }
}
