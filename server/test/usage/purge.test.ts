// What a deleted feature leaves behind is cleared away, and only that.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { purgeSome } from '../../src/operations/features/purge-features.ts'
import { startTestService, type TestService } from '../service.ts'

let service: TestService

before(async () => {
  service = await startTestService()
})
after(() => service.close())

const post = async (path: string, body: object) => {
  const answer = await service.request('POST', path, { body })
  assert.ok(answer.status < 300, answer.text)
}

const countRows = async () => {
  const rows = await service.query(
    `select (select count(*) from usage_event) as events, (select count(*) from usage_counter) as counters,
       (select count(*) from bonus) as bonuses, (select count(*) from bonus_draw) as draws,
       (select count(*) from feature_purge) as purges`,
  )
  return Object.values(rows[0] as object).map(Number)
}

describe('the ledger of a deleted feature', () => {
  it('is purged customer by customer, and other features keep theirs', async () => {
    for (const featureKey of ['gone', 'kept']) {
      await post('/v1/features', { featureKey, name: featureKey, type: 'limit' })
    }
    const featureAccess = ['gone', 'kept'].map((featureKey) => ({ featureKey, hasAccess: true, limit: 1 }))
    await post('/v1/custom-products', { productKey: 'p', name: 'P', isDefault: true, featureAccess })
    for (const customerId of ['a', 'b', 'c']) {
      await post('/v1/customers', { customerId })
      for (const featureKey of ['gone', 'kept']) {
        await post('/v1/bonuses', { customerId, featureKey, amount: 5 })
        await post('/v1/usage', { customerId, featureKey, eventKey: 'e', amount: 3 })
      }
    }
    assert.deepEqual(await countRows(), [6, 6, 6, 6, 0])
    const { status } = await service.request('DELETE', '/v1/features/gone')
    assert.equal(status, 200)

    const { services } = service.instances[0] as TestService['instances'][0]
    while ((await purgeSome(services)) > 0);

    assert.deepEqual(await countRows(), [3, 3, 3, 3, 0])
    const access = await service.request('GET', '/v1/feature-access?customerId=b')
    assert.equal((access.body as Record<string, { usage: { used: number } }>).kept?.usage.used, 3)
  })
})
