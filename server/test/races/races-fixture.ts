// What the tests of races start from: one or two instances, the plan with 10 calls an hour counted from full hours, customers
// who hold it, and an audit. Each test takes customers and, where it changes them, products of its own.
import assert from 'node:assert/strict'
import { auditLedger } from '../../src/storage/audit/audit-ledger.ts'
import { type Answer, type RequestOptions, startTestService, type TestService } from '../service.ts'

export const hourMs = 3_600_000
export const noon = Date.UTC(2026, 0, 17, 12)

export type Races = Awaited<ReturnType<typeof openRaces>>

type Options = NonNullable<Parameters<typeof startTestService>[0]> & { now?: number | null }

/** The test clock stands at half past noon unless told otherwise; null leaves it free. */
export async function openRaces({ now = noon + hourMs / 2, ...options }: Options = {}) {
  const service = await startTestService(options)
  try {
    return await furnish(service, now)
  } catch (error) {
    await service.close()
    throw error
  }
}

async function furnish(service: TestService, now: number | null) {
  let count = 0

  const request = (method: string, path: string, body?: object, more: RequestOptions = {}): Promise<Answer> =>
    service.request(method, path, { ...(body ? { body } : {}), ...more })

  async function make(method: string, path: string, body?: object, more?: RequestOptions): Promise<Answer> {
    const answer = await request(method, path, body, more)
    assert.ok(answer.status < 300, `${method} ${path} → ${answer.status} ${answer.text}`)
    return answer
  }

  const setClock = (at: number | null) => make('PUT', '/v1/test-clock', { now: at })

  const limitTo = (productKey: string, limit: number, more?: RequestOptions) =>
    make(
      'PUT',
      `/v1/products/${productKey}/feature-access`,
      { featureAccess: [{ featureKey: 'calls', hasAccess: true, limit }] },
      more,
    )

  async function makePlan(limit: number): Promise<string> {
    const productKey = `plan-${++count}`
    const featureAccess = [{ featureKey: 'calls', hasAccess: true, limit }]
    await make('POST', '/v1/custom-products', { productKey, name: productKey, featureAccess })
    return productKey
  }

  async function makeCustomer(productKey = 'plan', more: object = {}): Promise<string> {
    const customerId = `customer-${++count}`
    await make('POST', '/v1/customers', {
      customerId,
      customProductKeys: [productKey],
      ...(now === null ? {} : { usageStartedAt: noon }),
      ...more,
    })
    return customerId
  }

  const record = (customerId: string, eventKey: string, more: object = {}, options?: RequestOptions) =>
    request('POST', '/v1/usage', { customerId, featureKey: 'calls', eventKey, ...more }, options)

  async function entry(customerId: string, instance = 0, featureKey = 'calls') {
    const { status, body, text } = await request(
      'GET',
      `/v1/feature-access?customerId=${customerId}`,
      undefined,
      { instance },
    )
    assert.equal(status, 200, text)
    return body[featureKey]
  }

  /** What is wrong with one customer, or with anything. */
  async function audit(customerId?: string): Promise<string[]> {
    const found: string[] = []
    await auditLedger(service.database.connection, ({ check, at, stored, expected }) =>
      found.push(`${check}: ${at}: stored ${stored}, expected ${expected}`),
    )
    const own = new RegExp(`customer test ${customerId ?? ''}\\b`)
    return customerId === undefined ? found : found.filter((each) => own.test(each))
  }

  if (now !== null) await setClock(now)
  await make('POST', '/v1/features', {
    featureKey: 'calls',
    name: 'Calls',
    type: 'limit',
    usageResetInterval: 'hour',
  })
  const featureAccess = [{ featureKey: 'calls', hasAccess: true, limit: 10 }]
  await make('POST', '/v1/custom-products', { productKey: 'plan', name: 'Plan', featureAccess })
  const actions = { request, make, setClock, limitTo, makePlan, makeCustomer, record }
  return { service, ...actions, entry, audit, close: service.close }
}
