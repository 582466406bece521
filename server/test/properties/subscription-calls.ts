// Changes at the provider as calls of a history: each lasts from the provider's call until both instances show it.
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type Stripe from 'stripe'
import type { TestService } from '../service.ts'
import type { AnsweredCall } from './call-operations.ts'
import type { Chance } from './chance.ts'
import { changeSubscriptions, type ProviderProduct, readSubscriptions } from './provider-account.ts'
import type { ProviderSubscription } from './reference-subscriptions.ts'

const mostWaitMs = 10_000
const pollMs = 10

type Shown = { key: string; status: string; canceledAt: number | null; startedAt: number; type: string }
type ShownProduct = Shown & {
  currentPeriodStart: number
  currentPeriodEnd: number
  prices: { providerPriceId: string; quantity: number }[]
}

export type SubscriptionCalls = ReturnType<typeof createSubscriptionCalls>

export function createSubscriptionCalls(service: TestService, account: Stripe, products: ProviderProduct[]) {
  const priceIds = products.flatMap((product) => product.priceIds)
  /** What each provider customer had when it was last looked at. */
  const known = new Map<string, ProviderSubscription[]>()

  async function readLink(customerId: string): Promise<string | undefined> {
    return (await service.request('GET', `/v1/customers/${customerId}`)).body?.providerCustomerId
  }

  /** Undefined while the customer is not there. */
  async function change(chance: Chance, customerId: string): Promise<AnsweredCall | undefined> {
    const providerCustomerId = await readLink(customerId)
    if (providerCustomerId === undefined) return undefined
    const { now } = (await service.request('GET', '/v1/test-clock')).body
    const startAt = performance.now()
    const doing = await changeSubscriptions(account, chance, providerCustomerId, priceIds, now)
    return follow(customerId, providerCustomerId, startAt, doing)
  }

  /** What a move of the clock changed of the customer's subscriptions; it began with the move. */
  async function followClock(customerId: string, startAt: number): Promise<AnsweredCall | undefined> {
    const providerCustomerId = await readLink(customerId)
    if (providerCustomerId === undefined || !known.has(providerCustomerId)) return undefined
    return follow(customerId, providerCustomerId, startAt, 'is moved on by the clock')
  }

  async function follow(customerId: string, providerCustomerId: string, startAt: number, doing: string) {
    const subscriptions = await readSubscriptions(account, providerCustomerId)
    const isUnchanged = isDeepStrictEqual(known.get(providerCustomerId) ?? [], subscriptions)
    known.set(providerCustomerId, subscriptions)
    if (isUnchanged) return undefined
    await waitUntilShown(customerId, providerCustomerId, subscriptions)
    const told = subscriptions.map(({ status, items }) => `${status} ${items[0]?.providerPriceId}`).join(', ')
    return {
      kind: `subscription ${doing
        .replace(/[:(].*/, '')
        .replace(/to .*/, '')
        .trim()}`,
      call: {
        method: 'PROVIDER',
        path: `${customerId} ${doing}: ${told}`,
        customerId,
        ask: (model) => model.syncSubscriptions(providerCustomerId, subscriptions),
      },
      answer: { status: 200, body: undefined, text: '', headers: {} },
      startAt,
      endAt: performance.now(),
      by: 'provider',
    } satisfies AnsweredCall
  }

  /** A customer that was deleted meanwhile, or made anew, shows nothing of it. */
  async function waitUntilShown(
    customerId: string,
    providerCustomerId: string,
    subscriptions: ProviderSubscription[],
  ): Promise<void> {
    const wanted = toShown(subscriptions, products)
    const deadlineAt = Date.now() + mostWaitMs
    for (const instance of [0, 1]) {
      for (;;) {
        const { body } = await service.request('GET', `/v1/customers/${customerId}`, { instance })
        if (body?.providerCustomerId !== providerCustomerId) break
        const shown = fromShown(body.products)
        if (isDeepStrictEqual(shown, wanted)) break
        if (Date.now() > deadlineAt) assert.deepEqual(shown, wanted, `${customerId}: never shown`)
        await sleep(pollMs)
      }
    }
  }

  /** Whether a long move of the clock takes each subscription at most one step. */
  const areAllSettled = () =>
    [...known.values()].flat().every(({ status }) => ['active', 'canceled'].includes(status))

  return { change, followClock, areAllSettled }
}

const byText = (a: unknown, b: unknown) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)

function toShown(subscriptions: ProviderSubscription[], products: ProviderProduct[]) {
  return subscriptions
    .filter(({ status }) => status !== 'canceled' && status !== 'incomplete_expired')
    .map(({ status, canceledAt, startedAt, items }) => {
      const [item] = items
      const key = products.find(
        (product) => product.providerProductId === item?.providerProductId,
      )?.productKey
      const period = [item?.currentPeriodStart, item?.currentPeriodEnd]
      return { key, status, canceledAt, startedAt, period, price: [item?.providerPriceId, item?.quantity] }
    })
    .sort(byText)
}

function fromShown(products: ShownProduct[]) {
  return products
    .filter(({ type }) => type === 'provider')
    .map(({ key, status, canceledAt, startedAt, prices, ...rest }) => ({
      key,
      status,
      canceledAt,
      startedAt,
      period: [rest.currentPeriodStart, rest.currentPeriodEnd],
      price: [prices[0]?.providerPriceId, prices[0]?.quantity],
    }))
    .sort(byText)
}
