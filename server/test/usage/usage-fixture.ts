// What tests of usage start from: the plan gives 10 calls a month, counted from 10 January 2026; the test
// clock stands at noon of the 17th. Every test takes a customer of its own.
import { auditLedger, type Difference } from '../../src/storage/audit/audit-ledger.ts'
import { type Answer, type RequestOptions, startTestService } from '../service.ts'

export const startedAt = Date.UTC(2026, 0, 10)
export const noon = Date.UTC(2026, 0, 17, 12)
export const dayMs = 86_400_000

export type UsageFixture = Awaited<ReturnType<typeof startUsageFixture>>

type Options = { instances?: number; now?: number | null }

export async function startUsageFixture({ instances = 1, now = noon }: Options = {}) {
  const service = await startTestService({ instances })
  let customers = 0

  const request = async (method: string, path: string, options?: RequestOptions): Promise<Answer> =>
    service.request(method, path, options)

  async function make(method: string, path: string, body: object): Promise<Answer> {
    const answer = await request(method, path, { body })
    if (answer.status >= 300) throw new Error(`${method} ${path} → ${answer.status} ${answer.text}`)
    return answer
  }

  const setClock = (at: number | null) => make('PUT', '/v1/test-clock', { now: at })

  const makeFeature = (featureKey: string, more: object = {}) =>
    make('POST', '/v1/features', { featureKey, name: featureKey, type: 'limit', ...more })

  const makeProduct = (productKey: string, featureAccess: object[], more: object = {}) =>
    make('POST', '/v1/custom-products', { productKey, name: productKey, featureAccess, ...more })

  /** Holds the plan and began on the 10th unless told otherwise. */
  async function makeCustomer(more: object = {}): Promise<string> {
    const customerId = `customer-${++customers}`
    const body = { customerId, usageStartedAt: startedAt, customProductKeys: ['plan'], ...more }
    await make('POST', '/v1/customers', body)
    return customerId
  }

  const send = (
    path: string,
    customerId: string,
    eventKey: string,
    more: RequestOptions & { body?: object },
  ) => request('POST', path, { ...more, body: { customerId, featureKey: 'calls', eventKey, ...more.body } })

  const record = (customerId: string, eventKey: string, body: object = {}, instance = 0) =>
    send('/v1/usage', customerId, eventKey, { body, instance })

  const set = (customerId: string, eventKey: string, used: number, instance = 0) =>
    send('/v1/usage/set', customerId, eventKey, { body: { used }, instance })

  const give = (customerId: string, amount: number, body: object = {}, options: RequestOptions = {}) =>
    request('POST', '/v1/bonuses', { ...options, body: { customerId, featureKey: 'calls', amount, ...body } })

  async function entry(customerId: string, featureKey = 'calls', instance = 0) {
    const answer = await request('GET', `/v1/feature-access?customerId=${customerId}`, { instance })
    return answer.body[featureKey]
  }

  const usage = async (customerId: string, featureKey = 'calls', instance = 0) =>
    (await entry(customerId, featureKey, instance)).usage

  async function audit(): Promise<Difference[]> {
    const differences: Difference[] = []
    await auditLedger(service.database.connection, (difference) => differences.push(difference))
    return differences
  }

  if (now !== null) await setClock(now)
  await makeFeature('calls')
  await makeProduct('plan', [{ featureKey: 'calls', hasAccess: true, limit: 10 }])
  const actions = { request, make, setClock, makeFeature, makeProduct, makeCustomer, record, set, give }
  return { service, ...actions, entry, usage, audit, close: service.close }
}
