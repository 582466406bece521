// What letting a request in brings along: the state of the customer it is about, unless the one held is current.
import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { after, before, beforeEach, describe, it } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { customerUid } from '../../src/storage/customers/customer-uid.ts'
import { startTestService, type TestService } from '../service.ts'

let service: TestService
before(async () => {
  service = await startTestService({ instances: 2 })
})
after(() => service.close())

let count = 0
let customerId: string
let uid: string
beforeEach(async () => {
  customerId = `customer-${count++}`
  await service.request('POST', '/v1/customers', { body: { customerId } })
  uid = customerUid('test', customerId)
})

const servicesOf = (instance: number) => {
  const found = service.instances[instance]
  assert.ok(found)
  return found.services
}

const knock = (instance: number, isWrite: boolean, secret = service.keys.test) =>
  servicesOf(instance).admit({ secretHash: hash('sha256', secret, 'hex'), isWrite, customerUid: uid })

const rename = (name: string) =>
  service.query('update customer set name = $2, revision = revision + 1 where customer_uid = $1', [uid, name])

describe('letting in', () => {
  for (const isWrite of [false, true]) {
    it(`${isWrite ? 'a write' : 'a read'} brings the state of a customer that is not held`, async () => {
      assert.equal(servicesOf(1).states.find(uid), undefined)
      await rename('Acme')
      const admission = await knock(1, isWrite)
      const state = servicesOf(1).states.find(uid)
      assert.equal(state?.customer.name, 'Acme')
      assert.equal(state?.revision, admission?.customerRevision)
    })
  }

  it('somebody without a key brings nothing', async () => {
    assert.equal(await knock(1, false, 'tk_test_nobody_has_this_key'), undefined)
    assert.equal(servicesOf(1).states.find(uid), undefined)
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
    while (servicesOf(1).states.hasCompany()) await setTimeout(20)
    assert.equal((await record('third', 1)).body.used, 3)
    assert.equal(servicesOf(1).states.hasCompany(), true)
    for (const isWrite of [false, true]) {
      await rename(`Acme ${isWrite}`)
      await knock(1, isWrite)
      assert.equal(servicesOf(1).states.find(uid)?.customer.name, `Acme ${isWrite}`)
    }
  })

  it('brings the state as of the frozen time of the environment', async () => {
    const now = Date.UTC(2031, 0, 1)
    await service.request('PUT', '/v1/test-clock', { body: { now } })
    await knock(1, false)
    assert.equal(servicesOf(1).states.find(uid)?.asOf, now)
    await service.request('PUT', '/v1/test-clock', { body: { now: null } })
  })
})
