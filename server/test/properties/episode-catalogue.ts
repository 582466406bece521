// Where an episode of the concurrent model begins: features, products and customers of its own; and their end.
import assert from 'node:assert/strict'
import type { TestService } from '../service.ts'
import type { AnsweredCall } from './call-operations.ts'
import type { Chance } from './chance.ts'
import type { Sender } from './concurrent-round.ts'
import { type Cast, pickAccess } from './concurrent-steps.ts'
import type { Call } from './model-call.ts'
import { toEntries } from './model-catalogue-call.ts'
import { anchors, featureKeys, intervals } from './model-steps.ts'
import type { ProviderProduct } from './provider-account.ts'

const names = ['ann', 'bob', 'cat', 'dan', 'eve', 'fay']
let episodes = 0

/** Product keys stay taken and event ids differ anyway, so every episode has names of its own. */
export function makeCast(seed: number, hasSubscriptions: boolean): Cast {
  const own = `${seed}-${++episodes}`
  const toOwn = (name: string) => `${name}-${own}`
  const customProductKeys = ['basic', 'pro', 'free'].map(toOwn)
  const providerProductKeys = hasSubscriptions ? ['plus', 'team'].map(toOwn) : []
  return {
    customerIds: names.map(toOwn),
    customProductKeys,
    providerProductKeys,
    productKeys: [...customProductKeys, ...providerProductKeys],
  }
}

/** The calls are part of the history: what the model knows, it knows from them. */
export async function prepare(
  sender: Sender,
  chance: Chance,
  cast: Cast,
  products: ProviderProduct[],
): Promise<AnsweredCall[]> {
  const now = chance.pick([Date.UTC(2026, 0, 31, 10), Date.UTC(2024, 1, 29), Date.UTC(2026, 2, 30, 12, 30)])
  const calls: Call[] = [
    { method: 'PUT', path: '/v1/test-clock', body: { now }, ask: (model) => model.setClock({ now }) },
    ...featureKeys.map((featureKey) => toFeatureCall(chance, featureKey)),
    ...cast.customProductKeys.map((productKey, index) => toProductCall(chance, productKey, index === 2)),
    ...products.flatMap((product) => toLinkCalls(chance, product)),
    ...cast.customerIds.map((customerId) => toCustomerCall(chance, cast, customerId, now)),
  ]
  const answered: AnsweredCall[] = []
  for (const call of calls) answered.push(await sender.send('prepare', call, 'prepare', 0))
  for (const { answer } of answered) assert.ok(answer.status < 300, answer.text)
  return answered
}

function toFeatureCall(chance: Chance, featureKey: (typeof featureKeys)[number]): Call {
  const isTracked = featureKey === 'calls' || featureKey === 'seats'
  const periods = { usageResetInterval: chance.pick(intervals), usageResetAnchor: chance.pick(anchors) }
  const tracking = isTracked ? periods : featureKey === 'cap' ? { tracksUsage: false } : {}
  const type = featureKey === 'flag' ? ('boolean' as const) : ('limit' as const)
  const body = { featureKey, name: featureKey, type, ...tracking }
  return { method: 'POST', path: '/v1/features', body, ask: (model) => model.createFeature(body) }
}

function toProductCall(chance: Chance, productKey: string, isDefault: boolean): Call {
  const featureAccess = toEntries({ ...pickAccess(chance), calls: 3 + chance.upTo(6) })
  const body = { productKey, name: productKey, isDefault, featureAccess }
  return {
    method: 'POST',
    path: '/v1/custom-products',
    body,
    ask: (model) => model.createCustomProduct(body),
  }
}

function toLinkCalls(chance: Chance, { productKey, providerProductId }: ProviderProduct): Call[] {
  const link = { productKey, providerProductId }
  const body = { featureAccess: toEntries({ ...pickAccess(chance), calls: 3 + chance.upTo(6) }) }
  return [
    {
      method: 'POST',
      path: '/v1/products',
      body: link,
      ask: (model) => model.linkProduct({ ...link, name: productKey }),
    },
    {
      method: 'PUT',
      path: `/v1/products/${productKey}/feature-access`,
      body,
      ask: (model) => model.setFeatureAccess(productKey, body),
    },
  ]
}

function toCustomerCall(chance: Chance, cast: Cast, customerId: string, now: number): Call {
  const customProductKeys = chance.is(0.6) ? [chance.pick(cast.customProductKeys)] : []
  const body = { customerId, customProductKeys, usageStartedAt: now - chance.upTo(40) * 3_600_000 }
  const ask: Call['ask'] = (model) => model.createCustomer(body)
  return { method: 'POST', path: '/v1/customers', body, customerId, ask }
}

/** The access map shows every feature, so that those of one episode must not be there in the next. */
export async function clearAway(service: TestService, cast: Cast): Promise<void> {
  for (const customerId of cast.customerIds) await service.request('DELETE', `/v1/customers/${customerId}`)
  for (const featureKey of featureKeys) await service.request('DELETE', `/v1/features/${featureKey}`)
  for (const productKey of cast.productKeys) {
    await service.request('POST', `/v1/products/${productKey}/archive`, { body: { archived: true } })
  }
}
