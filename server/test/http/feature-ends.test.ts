// The ends of a feature: archiving cuts nobody off, deleting takes it out of everything.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startTestService, type TestService } from '../service.ts'

let service: TestService
before(async () => {
  service = await startTestService()
})
after(() => service.close())

const archive = (featureKey: string, body: object) =>
  service.request('POST', `/v1/features/${featureKey}/archive`, { body })

async function createHeld(featureKey: string): Promise<void> {
  await service.request('POST', '/v1/features', { body: { featureKey, name: featureKey, type: 'limit' } })
  const featureAccess = [{ featureKey, hasAccess: true, limit: 5 }]
  const body = { productKey: `${featureKey}-plan`, name: 'Plan', featureAccess }
  await service.request('POST', '/v1/custom-products', { body })
  const holder = { customerId: `${featureKey}-holder`, customProductKeys: [`${featureKey}-plan`] }
  await service.request('POST', '/v1/customers', { body: holder })
  await service.request('POST', '/v1/customers', { body: { customerId: `${featureKey}-other` } })
}

const accessOf = async (customerId: string) =>
  (await service.request('GET', `/v1/customers/${customerId}`)).body.featureAccess

describe('POST /v1/features/{featureKey}/archive', () => {
  describe('200', () => {
    it('archives with a reason and a time, and gives all of it back', async () => {
      await createHeld('arc')
      const { body: before } = await service.request('GET', '/v1/features/arc')
      const startedAt = Date.now()
      const { body } = await archive('arc', { archived: true, reason: 'old\tand grey' })
      assert.equal(body.feature.isArchived, true)
      assert.equal(body.feature.archivedReason, 'old\tand grey')
      assert.ok(body.feature.archivedAt >= startedAt && body.feature.archivedAt <= Date.now())
      const undone = await archive('arc', { archived: false })
      assert.deepEqual(undone.body, before)
    })

    it('leaves holders their access, and leaves lists and the maps of everybody else', async () => {
      await createHeld('hold')
      const before = await accessOf('hold-holder')
      await archive('hold', { archived: true })
      assert.deepEqual(await accessOf('hold-holder'), before)
      assert.equal((await accessOf('hold-other')).hold, undefined)
      const keysOf = async (query: string) =>
        (await service.request('GET', `/v1/features${query}`)).body.features.map(
          (feature: { featureKey: string }) => feature.featureKey,
        )
      assert.equal((await keysOf('')).includes('hold'), false)
      assert.equal((await keysOf('?includeArchived=true')).includes('hold'), true)
      await archive('hold', { archived: false })
      assert.equal((await accessOf('hold-other')).hold.hasAccess, false)
    })

    it('reaches future holders too', async () => {
      await createHeld('future')
      await archive('future', { archived: true })
      const body = { addCustomProductKeys: ['future-plan'] }
      const { body: customer } = await service.request('PUT', '/v1/customers/future-other', { body })
      assert.equal(customer.featureAccess.future.limit, 5)
    })

    it('keeps the first time when archived again', async () => {
      await createHeld('twice')
      const first = await archive('twice', { archived: true, reason: 'one' })
      const second = await archive('twice', { archived: true, reason: 'two' })
      assert.equal(second.body.feature.archivedAt, first.body.feature.archivedAt)
      assert.equal(second.body.feature.archivedReason, 'two')
    })
  })

  describe('400', () => {
    it('adds an archived feature to no product, but keeps it where it is', async () => {
      await createHeld('late')
      await archive('late', { archived: true })
      const featureAccess = [{ featureKey: 'late', hasAccess: true, limit: 9 }]
      const body = { productKey: 'late-new', name: 'x', featureAccess }
      const created = await service.request('POST', '/v1/custom-products', { body })
      assert.equal(created.status, 400)
      assert.match(created.body.error, /^featureAccess\[0\]\.featureKey: "late" is archived/)
      const kept = await service.request('PUT', '/v1/products/late-plan/feature-access', {
        body: { featureAccess },
      })
      assert.equal(kept.status, 200)
      assert.equal(kept.body.featureAccess[0].limit, 9)
    })

    it('needs archived, and a reason of words', async () => {
      await createHeld('words')
      assert.match((await archive('words', {})).body.error, /^archived is required/)
      assert.equal((await archive('words', { archived: 'yes' })).status, 400)
      assert.equal((await archive('words', { archived: true, reason: 'x'.repeat(1001) })).status, 400)
      assert.equal((await archive('words', { archived: true, reason: '\u0007' })).status, 400)
    })
  })
})

describe('DELETE /v1/features/{featureKey}', () => {
  describe('200', () => {
    it('takes the feature out of every product, map and list, held or archived', async () => {
      await createHeld('gone')
      await archive('gone', { archived: true })
      const { status, body } = await service.request('DELETE', '/v1/features/gone')
      assert.deepEqual([status, body], [200, { deleted: true, featureKey: 'gone' }])
      assert.deepEqual((await service.request('GET', '/v1/products/gone-plan')).body.featureAccess, [])
      assert.equal((await accessOf('gone-holder')).gone, undefined)
      assert.equal((await service.request('GET', '/v1/features/gone')).status, 404)
      assert.equal((await service.request('DELETE', '/v1/features/gone')).status, 404)
    })

    it('frees the key for a new feature that has nothing of the old one', async () => {
      await createHeld('again')
      const { body: old } = await service.request('GET', '/v1/features/again')
      await service.request('DELETE', '/v1/features/again')
      const body = { featureKey: 'again', name: 'new', type: 'boolean' }
      const created = await service.request('POST', '/v1/features', { body })
      assert.equal(created.status, 201)
      assert.notEqual(created.body.feature.id, old.feature.id)
      assert.deepEqual((await accessOf('again-holder')).again, { hasAccess: false, type: 'boolean' })
    })
  })
})
