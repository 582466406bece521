// Brings a customer's subscriptions and payment method to what the provider has now.
import { isDeepStrictEqual } from 'node:util'
import { decideFallBack } from '../../domain/access/fall-back.ts'
import { decideSubscriptions, type FetchedSubscription } from '../../domain/billing/subscription.ts'
import type { Environment } from '../../domain/environment.ts'
import type { Moment } from '../../domain/ledger/account.ts'
import type { CustomerState } from '../../domain/ledger/state.ts'
import { servicePrincipal } from '../../domain/principal.ts'
import type { ProviderCustomerState, ProviderSubscription } from '../../provider/provider.ts'
import { insertAuditEntry } from '../../storage/audit/audit-log.ts'
import {
  admitCustomerFetch,
  beginCustomerFetch,
  notePresence,
  removeLink,
  setPaymentMethod,
} from '../../storage/billing/provider-customers.ts'
import { replaceSubscriptions } from '../../storage/billing/subscriptions.ts'
import { raiseRevision, setFallBack } from '../../storage/customers/customers.ts'
import type { Sql } from '../../storage/database.ts'
import { loadStatesByUid } from '../../storage/ledger/load-states.ts'
import { lockCustomerByUid } from '../../storage/ledger/lock-customer.ts'
import { inMoment, openContext } from '../context.ts'
import type { Services } from '../services.ts'

export type Synced = {
  presence: ProviderCustomerState['presence']
  /** Whether what the customer holds, or can pay by, is another now. */
  isChanged: boolean
}

/**
 * Does nothing for a provider customer that is not, or no longer, one of ours, or where there is no provider to ask. One that was deleted there is unlinked; one that the
 * provider does not know, which another account's key would say of all, is left as it is and shows as a difference.
 */
export async function syncCustomer(
  services: Services,
  environment: Environment,
  providerCustomerId: string,
): Promise<Synced | undefined> {
  const { pool } = services.database
  const provider = services.providers[environment]
  if (!provider) return undefined
  const fetch = await beginCustomerFetch(pool, environment, providerCustomerId)
  if (!fetch) return undefined
  const { customerUid } = fetch
  const fetched = await provider.getCustomerState(providerCustomerId)
  const { presence } = fetched
  const now = Date.now()
  await notePresence(pool, customerUid, providerCustomerId, { isKnown: presence !== 'unknown', now })
  if (presence === 'unknown') return { presence, isChanged: false }
  const isChanged = await save(services, environment, fetch, fetched)
  if (presence === 'deleted') await removeLink(pool, customerUid, providerCustomerId, now)
  return { presence, isChanged }
}

async function save(
  services: Services,
  environment: Environment,
  { customerUid: uid, generation }: { customerUid: string; generation: number },
  fetched: ProviderCustomerState,
): Promise<boolean> {
  const principal = servicePrincipal(environment, 'provider')
  const context = await openContext(services, principal)
  const work = async (sql: Sql, { catalogue, now }: Moment) => {
    if (!(await admitCustomerFetch(sql, uid, fetched.providerCustomerId, generation))) return false
    const state = (await loadStatesByUid(sql, [uid])).get(uid)
    if (!state) return false
    const after = decideSubscriptions(catalogue, state.subscriptions, fetched.subscriptions.map(toFetched))
    if (isUnchanged(state, after, fetched.hasPaymentMethod)) return false
    await raiseRevision(sql, uid)
    await replaceSubscriptions(sql, uid, after)
    await setPaymentMethod(sql, uid, fetched.hasPaymentMethod)
    const ended = new Map(fetched.subscriptions.map((each) => [each.providerSubscriptionId, each.endedAt]))
    const findEndedAt = (subscriptionId: string) => ended.get(subscriptionId) ?? undefined
    const fallBack = decideFallBack(catalogue, state, { ...state, subscriptions: after }, now, findEndedAt)
    if (fallBack) await setFallBack(sql, uid, fallBack)
    const entry = {
      action: 'customer.sync',
      subject: state.customer.customerId,
      before: { subscriptions: state.subscriptions, hasPaymentMethod: state.customer.hasPaymentMethod },
      after: { subscriptions: after, hasPaymentMethod: fetched.hasPaymentMethod },
    }
    await insertAuditEntry(sql, { principal, now }, entry, uid)
    return true
  }
  const change = { lock: (sql: Sql) => lockCustomerByUid(sql, uid), work }
  return services.customerTurns(uid, () => inMoment(services, context, change))
}

function isUnchanged(
  state: CustomerState,
  subscriptions: CustomerState['subscriptions'],
  hasPaymentMethod: boolean,
) {
  const byId = (list: CustomerState['subscriptions']) =>
    new Map(list.map((each) => [each.subscriptionId, each]))
  return (
    state.customer.hasPaymentMethod === hasPaymentMethod &&
    isDeepStrictEqual(byId(state.subscriptions), byId(subscriptions))
  )
}

export const toFetched = (subscription: ProviderSubscription): FetchedSubscription => ({
  subscriptionId: subscription.providerSubscriptionId,
  status: subscription.status,
  phase: subscription.phase,
  startedAt: subscription.startedAt,
  billingAnchorAt: subscription.billingCycleAnchor,
  canceledAt: subscription.canceledAt,
  items: subscription.items
    .map((item) => ({
      itemId: item.itemId,
      providerProductId: item.providerProductId,
      providerPriceId: item.providerPriceId,
      quantity: item.quantity,
      isMetered: item.isMetered,
      currency: item.currency,
      unitAmount: item.unitAmount,
      recurringInterval: item.recurringInterval,
      recurringIntervalCount: item.recurringIntervalCount,
      isActive: item.isActive,
      currentPeriodStart: item.currentPeriodStart,
      currentPeriodEnd: item.currentPeriodEnd,
    }))
    .sort((a, b) => (a.itemId < b.itemId ? -1 : 1)),
})
