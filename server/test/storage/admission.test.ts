// What letting a request in brings along: the state of the customer it is about, unless the one held is current.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, beforeEach, describe, it } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { customerHash } from '../../src/storage/customers/customer-uid.ts'
import { startTestService, type TestService } from '../service.ts'

let service: TestService
before(async () => {
  service = await startTestService({ instances: 2 })
})
after(() => service.close())

let count = 0
let customerId: string
let hash: string
beforeEach(async () => {
  customerId = `customer-${count++}`
  await service.request('POST', '/v1/customers', { body: { customerId } })
  hash = customerHash('test', customerId)
})

const servicesOf = (instance: number) => {
  const found = service.instances[instance]
  assert.ok(found)
  return found.services
}

const hashSecret = (secret: string) => createHash('sha256').update(secret).digest('hex')

const knock = (instance: number, isWrite: boolean, secret = service.keys.test) =>
  servicesOf(instance).admit({ secretHash: hashSecret(secret), isWrite, customerHash: hash })

const rename = (name: string) =>
  service.query('update customer set name = $2, revision = revision + 1 where customer_hash = $1', [
    hash,
    name,
  ])

describe('letting in', () => {
  for (const isWrite of [false, true]) {
    it(`${isWrite ? 'a write' : 'a read'} brings the state of a customer that is not held`, async () => {
      assert.equal(servicesOf(1).states.find(hash), undefined)
      await rename('Acme')
      const admission = await knock(1, isWrite)
      const state = servicesOf(1).states.find(hash)
      assert.equal(state?.customer.name, 'Acme')
      assert.equal(state?.revision, admission?.customer?.revision)
      assert.equal(state?.customer.customerUid, admission?.customer?.customerUid)
    })
  }

  it('tells uid and revision of the customer as they are now, though an older state is held', async () => {
    await knock(1, false)
    const held = servicesOf(1).states.find(hash)
    await rename('Acme')
    const admission = await knock(1, false)
    assert.equal(admission?.customer?.customerUid, held?.customer.customerUid)
    assert.ok((admission?.customer?.revision ?? 0) > (held?.revision ?? 0))
  })

  it('tells of no customer where there is none, and of the next one made under the same id', async () => {
    const first = await knock(1, false)
    await service.request('DELETE', `/v1/customers/${customerId}`)
    assert.equal((await knock(1, false))?.customer, undefined)
    await service.request('POST', '/v1/customers', { body: { customerId } })
    const second = await knock(1, false)
    assert.ok(second?.customer)
    assert.notEqual(second.customer.customerUid, first?.customer?.customerUid)
  })

  it('somebody without a key brings nothing', async () => {
    assert.equal(await knock(1, false, 'tk_test_nobody_has_this_key'), undefined)
    assert.equal(servicesOf(1).states.find(hash), undefined)
  })

  it('brings what another instance changed, once a write has met such a change', async () => {
    const record = (eventKey: string, instance: number) =>
      service.request('POST', '/v1/usage', { body: { customerId, featureKey: 'calls', eventKey }, instance })
    await service.request('POST', '/v1/features', {
      body: { featureKey: 'calls', name: 'Calls', type: 'limit' },
    })
    await record('first', 1)
    await record('second', 0)
    // The customer's link with the provider may have been met as well.
    while (servicesOf(1).states.sharesCustomers()) await setTimeout(20)
    assert.equal((await record('third', 1)).body.used, 3)
    assert.equal(servicesOf(1).states.sharesCustomers(), true)
    for (const isWrite of [false, true]) {
      await rename(`Acme ${isWrite}`)
      await knock(1, isWrite)
      assert.equal(servicesOf(1).states.find(hash)?.customer.name, `Acme ${isWrite}`)
    }
  })

  it('brings the state as of the frozen time of the environment', async () => {
    const now = Date.UTC(2031, 0, 1)
    await service.request('PUT', '/v1/test-clock', { body: { now } })
    await knock(1, false)
    assert.equal(servicesOf(1).states.find(hash)?.asOf, now)
    await service.request('PUT', '/v1/test-clock', { body: { now: null } })
  })
})
