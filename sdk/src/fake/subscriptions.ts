// The fake's payment provider: a subscription is there when a test says so.

import { computePeriod } from '../../../server/src/domain/access/period.ts'
import { getProduct, latestVersion } from '../../../server/src/domain/catalogue/catalogue.ts'
import { invalid, quote } from '../../../server/src/domain/errors.ts'
import { hold } from './hold.ts'
import { type FakeStore, getCustomer } from './store.ts'

function getProviderProductId(store: FakeStore, productKey: string): string {
  const { providerProductId } = getProduct(store.catalogue(), productKey)
  if (providerProductId === null)
    throw invalid(`productKey: ${quote(productKey)} is a custom product; it is assigned, not bought.`)
  return providerProductId
}

export function subscribe(
  store: FakeStore,
  customerId: string,
  productKey: string,
  { quantity = 1 }: { quantity?: number } = {},
): void {
  const owner = getCustomer(store, customerId)
  const providerProductId = getProviderProductId(store, productKey)
  const { version } = latestVersion(getProduct(store.catalogue(), productKey))
  const now = store.now()
  const period = computePeriod('month', now, now)
  const subscriptionId = `subscription_${store.nextNumber()}`
  const item = {
    itemId: `${subscriptionId}_item`,
    providerProductId,
    providerPriceId: `${providerProductId}_price`,
    version,
    quantity,
    isMetered: false,
    currency: null,
    unitAmount: null,
    recurringInterval: 'month',
    recurringIntervalCount: 1,
    isActive: true,
    currentPeriodStart: period.start,
    currentPeriodEnd: period.end,
  }
  owner.subscriptions = [
    ...owner.subscriptions,
    {
      subscriptionId,
      status: 'active',
      phase: 'granting' as const,
      startedAt: now,
      billingAnchorAt: now,
      canceledAt: null,
      items: [item],
    },
  ]
  owner.customer = { ...owner.customer, hasPaymentMethod: true }
}

export function unsubscribe(store: FakeStore, customerId: string, productKey: string): void {
  const owner = getCustomer(store, customerId)
  const providerProductId = getProviderProductId(store, productKey)
  const subscriptions = owner.subscriptions.filter(
    ({ items }) => !items.some((item) => item.providerProductId === providerProductId),
  )
  hold(store, owner, { ...owner, subscriptions })
}
