// Acting for the account's owner where the payment provider is simulated, and bringing what that changed into force here.
import { conflict, missing, RequestError } from '../../domain/errors.ts'
import type { AccountOwner } from '../../provider/provider.ts'
import { type Acting, insertAuditEntry } from '../../storage/audit/audit-log.ts'
import { findSubscriber } from '../../storage/billing/links.ts'
import { findLink } from '../../storage/billing/provider-customers.ts'
import { findCustomerUid } from '../../storage/customers/customers.ts'
import { callProvider } from '../billing/provider-call.ts'
import { syncCustomer } from '../billing/sync-customer.ts'
import { type Context, toCustomerHash } from '../context.ts'
import type { Services } from '../services.ts'

export function getAccountOwner({ accountOwners }: Services, { principal }: Context): AccountOwner {
  const owner = accountOwners[principal.environment]
  if (owner) return owner
  throw new RequestError(
    'missing',
    'no_simulator',
    `The payment provider of the ${principal.environment} environment is not simulated.`,
  )
}

export type Subscriber = { customerUid: string; customerId: string; providerCustomerId: string }

export async function getSubscriber(
  { database }: Services,
  { principal }: Context,
  subscriptionId: string,
): Promise<Subscriber> {
  const subscriber = await findSubscriber(database.pool, principal.environment, subscriptionId)
  if (!subscriber) throw missing('subscription', subscriptionId)
  return subscriber
}

export async function getLinked(
  { database }: Services,
  context: Context,
  customerId: string,
): Promise<Subscriber> {
  const uid = await findCustomerUid(database.pool, toCustomerHash(context, customerId))
  const link = uid === undefined ? undefined : await findLink(database.pool, uid)
  if (!link) throw missing('customer', customerId)
  const { providerCustomerId } = link
  if (providerCustomerId === undefined)
    throw conflict('customer_not_linked', 'The payment provider has not been told of this customer yet.')
  return { customerUid: link.customerUid, customerId, providerCustomerId }
}

/** Does it, writes it into the log, and fetches what it made of the customer: the answer finds it in force. */
export async function actForOwner<T>(
  services: Services,
  { principal, now }: Context,
  { subscriber, action }: { subscriber: Subscriber; action: string },
  act: () => Promise<T>,
): Promise<T> {
  const acting: Acting = { principal, now }
  return callProvider(async () => {
    const result = await act()
    const { customerUid, customerId, providerCustomerId } = subscriber
    await insertAuditEntry(services.database.pool, acting, { action, subject: customerId }, customerUid)
    await syncCustomer(services, principal.environment, providerCustomerId)
    return result
  }, true)
}
