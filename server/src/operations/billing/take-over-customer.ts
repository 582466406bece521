// Taking over a customer that the provider already has, with its subscriptions.
import { randomUUID } from 'node:crypto'
import { decideSubscriptions } from '../../domain/billing/subscription.ts'
import type { Environment } from '../../domain/environment.ts'
import { conflict, invalid, quote } from '../../domain/errors.ts'
import type { Moment } from '../../domain/ledger/account.ts'
import type { Subscription } from '../../domain/ledger/state.ts'
import type { ProviderCustomerState } from '../../provider/provider.ts'
import { findLink, setPaymentMethod, takeOverLink } from '../../storage/billing/provider-customers.ts'
import { insertProviderEvents } from '../../storage/billing/provider-events.ts'
import { replaceSubscriptions } from '../../storage/billing/subscriptions.ts'
import { findCustomerUid } from '../../storage/customers/customers.ts'
import type { Sql } from '../../storage/database.ts'
import type { Services } from '../services.ts'
import { getProvider } from './get-provider.ts'
import { callProvider } from './provider-call.ts'
import { toFetched } from './sync-customer.ts'

/** As the provider has it now; asked before anything is stored, so that nothing is if it fails. */
export async function fetchTakeover(
  services: Services,
  environment: Environment,
  providerCustomerId: string,
): Promise<ProviderCustomerState> {
  const provider = getProvider(services, environment)
  const state = await callProvider(() => provider.getCustomerState(providerCustomerId))
  if (state.presence === 'known') return state
  throw invalid(`providerCustomerId: the payment provider has no customer ${quote(providerCustomerId)}.`)
}

/** Undefined when the customer has it already; another customer's is refused without asking the provider. */
export async function fetchTakeoverOf(
  services: Services,
  environment: Environment,
  customerHash: string,
  providerCustomerId: string,
): Promise<ProviderCustomerState | undefined> {
  const { pool } = services.database
  const customerUid = await findCustomerUid(pool, customerHash)
  const link = customerUid === undefined ? undefined : await findLink(pool, customerUid)
  checkTakeover(link?.providerCustomerId, providerCustomerId)
  if (link?.providerCustomerId === providerCustomerId) return undefined
  return fetchTakeover(services, environment, providerCustomerId)
}

/** Links and saves in the caller's transaction, under the customer's lock. Returns what the customer subscribes to now. */
export async function saveTakeover(
  sql: Sql,
  { catalogue }: Moment,
  customer: { customerUid: string; environment: Environment },
  { providerCustomerId, subscriptions, hasPaymentMethod }: ProviderCustomerState,
): Promise<Subscription[]> {
  const { customerUid, environment } = customer
  if (!(await takeOverLink(sql, customerUid, providerCustomerId))) throw takenByAnother(providerCustomerId)
  const taken = decideSubscriptions(catalogue, [], subscriptions.map(toFetched))
  await replaceSubscriptions(sql, customerUid, taken)
  await setPaymentMethod(sql, customerUid, hasPaymentMethod)
  // What happened since it was fetched told nobody, for the customer was not linked: it is fetched once more.
  const now = Date.now()
  const subject = { subjectKind: 'customer' as const, subjectId: providerCustomerId }
  const event = { environment, eventId: randomUUID(), type: 'takeover', createdAt: now, ...subject }
  await insertProviderEvents(sql, [event], now)
  return taken
}

const takenByAnother = (providerCustomerId: string) =>
  conflict(
    'provider_customer_linked',
    `providerCustomerId ${quote(providerCustomerId)} is linked to another customer.`,
  )

/** Only a customer that has none can be given one; the same again changes nothing. */
export function checkTakeover(present: string | undefined, wanted: string): void {
  if (present === undefined || present === wanted) return
  throw conflict(
    'provider_customer_linked',
    'providerCustomerId cannot be changed: the customer is linked to another one at the payment provider.',
  )
}

// Ours are stricter than a provider's: what does not fit is not copied.
const nameForm = /^[^\p{Cc}\p{Cs}]{1,255}$/u
const emailForm = /^[^\s@\p{Cc}\p{Cs}]+@[^\s@\p{Cc}\p{Cs}]+\.[^\s@\p{Cc}\p{Cs}]+$/u

/** A name and email that were not given are copied, once. */
export const toCopied = ({ name, email }: Pick<ProviderCustomerState, 'name' | 'email'>) => ({
  name: name !== null && nameForm.test(name) ? name : undefined,
  email: email !== null && email.length <= 255 && emailForm.test(email) ? email : undefined,
})
