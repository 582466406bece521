// Nothing sent is dropped in silence: what has no effect is refused, and what is kept is shown.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startTestService, type TestService } from '../service.ts'
import { createExisting, type Existing, pathOf } from './requests.ts'
import { operations } from './validator.ts'

let service: TestService
let existing: Existing
before(async () => {
  service = await startTestService()
  existing = await createExisting(service)
})
after(() => service.close())

describe('a query parameter that a route does not know', () => {
  for (const listed of operations) {
    it(`400: ${listed.method} ${listed.template}`, async () => {
      const path = pathOf(listed, existing)
      const { status, body } = await service.request(
        listed.method,
        `${path}${path.includes('?') ? '&' : '?'}unheard=1`,
        listed.method === 'GET' ? {} : { body: {} },
      )
      assert.equal(status, 400)
      assert.match(body.error, /unheard/)
    })
  }
})

describe('a cursor of another list', () => {
  it('400: of another customer, filter or environment', async () => {
    const { customerId } = existing.names
    for (let n = 0; n < 3; n++) {
      const event = { customerId, featureKey: 'calls', eventKey: `cursor-${n}` }
      await service.request('POST', '/v1/usage', { body: event })
    }
    await service.request('POST', '/v1/customers', { body: { customerId: 'other' } })
    const first = await service.request('GET', `/v1/usage?customerId=${customerId}&limit=1`)
    const { nextCursor } = first.body
    const follow = (query: string) => service.request('GET', `/v1/usage?${query}&cursor=${nextCursor}`)
    assert.equal((await follow(`customerId=${customerId}&limit=2`)).status, 200)
    assert.equal((await follow('customerId=other')).status, 400)
    assert.equal((await follow(`customerId=${customerId}&featureKey=calls`)).status, 400)
    for (const featureKey of ['more', 'and-more'])
      await service.request('POST', '/v1/features', { body: { featureKey, name: 'x', type: 'boolean' } })
    const features = await service.request('GET', '/v1/features?limit=1')
    const { status } = await service.request('GET', `/v1/features?cursor=${features.body.nextCursor}`, {
      key: service.keys.live,
    })
    assert.equal(status, 400)
  })
})
