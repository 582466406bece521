// Brings a customer's subscriptions and payment method to what the provider has now.
import { isDeepStrictEqual } from 'node:util'
import { decideSubscriptions, type FetchedSubscription } from '../../domain/billing/subscription.ts'
import type { Environment } from '../../domain/environment.ts'
import type { CustomerState } from '../../domain/ledger/state.ts'
import type { ProviderCustomerState, ProviderSubscription } from '../../provider/provider.ts'
import { insertAuditEntry } from '../../storage/audit/audit-log.ts'
import {
  admitCustomerFetch,
  beginCustomerFetch,
  removeLink,
  setPaymentMethod,
} from '../../storage/billing/provider-customers.ts'
import { replaceSubscriptions } from '../../storage/billing/subscriptions.ts'
import { readClock } from '../../storage/catalogue/clock.ts'
import { lockCustomer } from '../../storage/customers/customers.ts'
import { loadStates } from '../../storage/ledger/load-states.ts'
import type { Services } from '../services.ts'

/** Does nothing for a provider customer that is not, or no longer, one of ours. */
export async function syncCustomer(
  services: Services,
  environment: Environment,
  providerCustomerId: string,
): Promise<void> {
  const { database, providers } = services
  const fetch = await beginCustomerFetch(database.pool, environment, providerCustomerId)
  if (!fetch) return
  const fetched = await providers[environment].getCustomerState(providerCustomerId)
  await save(services, environment, fetch, fetched)
  if (!fetched.exists) await removeLink(database.pool, fetch.customerUid, providerCustomerId, Date.now())
}

async function save(
  { catalogues, database }: Services,
  environment: Environment,
  { customerUid: uid, generation }: { customerUid: string; generation: number },
  fetched: ProviderCustomerState,
): Promise<void> {
  const catalogue = await catalogues.current(environment)
  await database.inTransaction(async (sql) => {
    await lockCustomer(sql, uid)
    if (!(await admitCustomerFetch(sql, uid, fetched.providerCustomerId, generation))) return
    const { now } = await readClock(sql, environment)
    const state = (await loadStates(sql, [uid], now)).get(uid)
    if (!state) return
    const after = decideSubscriptions(catalogue, state.subscriptions, fetched.subscriptions.map(toFetched))
    if (isUnchanged(state, after, fetched.hasPaymentMethod)) return
    await replaceSubscriptions(sql, uid, after)
    await setPaymentMethod(sql, uid, fetched.hasPaymentMethod)
    const caller = { environment, actor: 'provider', now, requestId: undefined, catalogueRevision: 0 }
    await insertAuditEntry(sql, caller, {
      action: 'customer.sync',
      subject: state.customer.customerId,
      before: { subscriptions: state.subscriptions, hasPaymentMethod: state.customer.hasPaymentMethod },
      after: { subscriptions: after, hasPaymentMethod: fetched.hasPaymentMethod },
    })
  })
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

const toFetched = (subscription: ProviderSubscription): FetchedSubscription => ({
  subscriptionId: subscription.providerSubscriptionId,
  status: subscription.status,
  startedAt: subscription.startedAt,
  billingAnchorAt: subscription.billingCycleAnchor,
  canceledAt: subscription.canceledAt,
  items: subscription.items
    .map((item) => ({
      itemId: item.itemId,
      providerProductId: item.providerProductId,
      providerPriceId: item.providerPriceId,
      quantity: item.quantity,
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
