// What tests of the dashboard's statistics start from: a service with an admin, the test clock at noon of 17 January 2026, a plan of
// 10 calls a month, and a way to wait until everything is summed up.
import assert from 'node:assert/strict'
import type { Services } from '../../src/operations/services.ts'
import { catchUp } from '../../src/operations/statistics/keep-statistics.ts'
import { startDashboardService } from '../dashboard/dashboard-fixture.ts'

export const noon = Date.UTC(2026, 0, 17, 12)
export const dayMs = 86_400_000
export const hourMs = 3_600_000

export type StatisticsFixture = Awaited<ReturnType<typeof startStatisticsFixture>>

export async function startStatisticsFixture(instances = 1) {
  const service = await startDashboardService({ instances })
  const services = service.instances[0]?.services as Services

  async function make(method: string, path: string, body?: object) {
    const answer = await service.request(method, path, body ? { body } : {})
    assert.ok(answer.status < 300, `${method} ${path} → ${answer.status} ${answer.text}`)
    return answer.body
  }

  const makeCustomer = (customerId: string, more: object = {}) =>
    make('POST', '/v1/customers', {
      customerId,
      usageStartedAt: Date.UTC(2026, 0, 10),
      customProductKeys: ['plan'],
      ...more,
    })

  const record = (customerId: string, eventKey: string, more: object = {}) =>
    make('POST', '/v1/usage', { customerId, featureKey: 'calls', eventKey, ...more })

  /** As the admin sees it in the test environment. */
  const look = (path: string) => service.admin.request('GET', `test/${path}`)

  async function see(path: string) {
    const answer = await look(path)
    assert.equal(answer.status, 200, `${path} → ${answer.text}`)
    return answer.body
  }

  await make('PUT', '/v1/test-clock', { now: noon })
  for (const featureKey of ['calls', 'tokens'])
    await make('POST', '/v1/features', { featureKey, name: featureKey.toUpperCase(), type: 'limit' })
  await make('POST', '/v1/custom-products', {
    productKey: 'plan',
    name: 'Plan',
    featureAccess: [
      { featureKey: 'calls', hasAccess: true, limit: 10 },
      { featureKey: 'tokens', hasAccess: true, isUnlimited: true },
    ],
  })
  const refresh = () => catchUp(services, 'test')
  return { service, services, make, makeCustomer, record, look, see, refresh, close: service.close }
}
