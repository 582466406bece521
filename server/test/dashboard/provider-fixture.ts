// A stocked shop with people in it: the account's owner at the simulated provider, and an admin before the dashboard.
import assert from 'node:assert/strict'
import type { Service } from '../../src/service.ts'
import { addPayer, openAccount, type Shop, stockShop } from '../billing/shop-fixture.ts'
import type { RequestOptions } from '../service.ts'
import { type DashboardService, startDashboardService } from './dashboard-fixture.ts'

export type DashboardShop = Shop & DashboardService & { pro: Awaited<ReturnType<typeof stockShop>> }

export async function openDashboardShop(variables: Record<string, string> = {}): Promise<DashboardShop> {
  const service = await startDashboardService({ variables })
  const [first] = service.instances as [Service]
  const verb =
    (method: string) =>
    (path: string, body?: unknown, more: RequestOptions = {}) =>
      service.request(method, path, { ...(body === undefined ? {} : { body }), ...more })
  const shop = {
    ...service,
    stripe: openAccount(first, 'test'),
    simulator: first.simulator,
    post: verb('POST'),
    put: verb('PUT'),
    get: (path: string, more?: RequestOptions) => service.request('GET', path, more),
  }
  return { ...shop, pro: await stockShop(shop) }
}

/** A customer with a card, subscribed to Pro, as it is known here. */
export async function addSubscriber(shop: DashboardShop, customerId: string, params: object = {}) {
  const customer = await addPayer(shop, customerId)
  const { id } = await shop.stripe.subscriptions.create({
    customer,
    items: [{ price: shop.pro.priceId }],
    ...params,
  })
  const synced = await shop.admin.request('POST', `test/customers/${customerId}/sync`, { body: {} })
  assert.equal(synced.status, 200, synced.text)
  return { customer, subscriptionId: id }
}
