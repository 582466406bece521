// GET /v1/provider-customers: who the payment provider has, page by page, to be taken over.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import Stripe from 'stripe'
import { startTestService, type TestService } from '../service.ts'

let service: TestService
let stripe: Stripe
before(async () => {
  service = await startTestService()
  const { url, secrets } = (service.instances[0] ?? assert.fail()).simulatorAccess
  const { hostname, port } = new URL(url)
  stripe = new Stripe(secrets.test.secretKey, { host: hostname, port, protocol: 'http' })
})
after(() => service.close())

const list = (cursor?: string, key = service.keys.test) =>
  service.request('GET', `/v1/provider-customers${cursor === undefined ? '' : `?cursor=${cursor}`}`, { key })

describe('200', () => {
  it('lists them newest first with their metadata, 100 at a time, and none of the other environment', async () => {
    for (let index = 0; index < 102; index++)
      await stripe.customers.create({ name: `No. ${index}`, metadata: { user: `u${index}` } })
    const first = (await list()).body
    assert.equal(first.providerCustomers.length, 100)
    const { name, metadata, providerCustomerId } = first.providerCustomers[0]
    assert.deepEqual([name, metadata], ['No. 101', { user: 'u101' }])
    const second = (await list(first.nextCursor)).body
    assert.deepEqual(
      [second.providerCustomers.map((each: { name: string }) => each.name), second.nextCursor],
      [['No. 1', 'No. 0'], null],
    )
    assert.deepEqual((await list(undefined, service.keys.live)).body.providerCustomers, [])
    const body = { customerId: 'u101', providerCustomerId }
    const taken = await service.request('POST', '/v1/customers', { body })
    assert.deepEqual([taken.status, taken.body.providerCustomerId], [201, providerCustomerId])
  })
})

describe('4xx', () => {
  it('400 for a cursor of another list', async () => {
    assert.equal((await list('x')).status, 400)
  })
})
