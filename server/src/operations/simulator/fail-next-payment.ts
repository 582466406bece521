// Has a customer's next payment at the simulated provider fail: its card is declined until another is saved.
import { randomUUID } from 'node:crypto'
import type { Context } from '../context.ts'
import type { Services } from '../services.ts'
import { actForOwner, getAccountOwner, getLinked } from './get-account-owner.ts'

export async function failNextPayment(
  services: Services,
  context: Context,
  customerId: string,
): Promise<void> {
  const owner = getAccountOwner(services, context)
  const subscriber = await getLinked(services, context, customerId)
  const action = 'simulator.fail_next_payment'
  await actForOwner(services, context, { subscriber, action }, () =>
    owner.failPayments(subscriber.providerCustomerId, randomUUID()),
  )
}
