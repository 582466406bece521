// Demo data by the dashboard: made in an empty environment, seen, removed in one call.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { eventually } from '../billing/shop-fixture.ts'
import { startDashboardService } from './dashboard-fixture.ts'

describe('demo data on the dashboard', () => {
  it('is made once, removed whole, and made again', async () => {
    const service = await startDashboardService()
    const { admin } = service
    const read = async () => (await admin.request('GET', 'test/demo')).body
    const finished = () =>
      eventually(
        read,
        (demo) => assert.deepEqual(demo, { isPresent: true, isFinished: true, customers: 40 }),
        60_000,
      )
    try {
      assert.deepEqual(await read(), { isPresent: false, isFinished: false, customers: 0 })
      assert.equal((await admin.request('DELETE', 'test/demo')).status, 404)
      const made = await admin.request('POST', 'test/demo', { body: {} })
      assert.deepEqual([made.status, made.body], [201, { features: 6, products: 5, customers: 40 }])
      await finished()
      const again = await admin.request('POST', 'test/demo', { body: {} })
      assert.deepEqual([again.status, again.headers['x-error-code']], [409, 'demo_present'])
      const ahead = await admin.request('GET', 'test/clock/ahead')
      assert.ok(ahead.body.ahead.length > 20)
      const removed = await admin.request('DELETE', 'test/demo')
      assert.deepEqual(removed.body, { removed: { customers: 40, products: 5, features: 6 }, kept: [] })
      assert.deepEqual(await read(), { isPresent: false, isFinished: true, customers: 0 })
      await service.request('POST', '/v1/customers', { body: { customerId: 'mine' } })
      const full = await admin.request('POST', 'test/demo', { body: {} })
      assert.deepEqual([full.status, full.headers['x-error-code']], [409, 'environment_not_empty'])
      await service.request('DELETE', '/v1/customers/mine')
      assert.equal((await admin.request('POST', 'test/demo', { body: {} })).status, 201)
      await finished()
    } finally {
      await service.close()
    }
  })
})
