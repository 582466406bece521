// POST /v1/usage/set: the current period's total, set by an adjustment.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { noon, startedAt, startUsageFixture, type UsageFixture } from './usage-fixture.ts'

let fixture: UsageFixture
before(async () => {
  fixture = await startUsageFixture()
})
after(() => fixture.close())

describe('200', () => {
  it('records the difference, up or down or none, as an adjustment at now', async () => {
    const acme = await fixture.makeCustomer()
    await fixture.record(acme, 'a', { amount: 3 })
    await fixture.record(acme, 'old', { amount: 50, occurredAt: startedAt - 1 })
    const adjustments: [number, number][] = [
      [7.5, 4.5],
      [2, -5.5],
      [2, 0],
      [0, -2],
    ]
    for (const [used, adjustment] of adjustments) {
      const { status, body } = await fixture.set(acme, `set ${used} ${adjustment}`, used)
      assert.equal(status, 200)
      assert.deepEqual({ ...body, eventId: '' }, { applied: true, used, adjustment, eventId: '' })
      const { body: event } = await fixture.request('GET', `/v1/usage/${body.eventId}`)
      assert.deepEqual(
        [event.amount, event.source, event.occurredAt],
        [adjustment, 'usage_set_adjustment', noon],
      )
      assert.equal((await fixture.usage(acme)).used, used)
    }
  })

  it('draws on bonuses for what exceeds the limit, and returns it', async () => {
    const acme = await fixture.makeCustomer()
    await fixture.give(acme, 5)
    await fixture.set(acme, 'up', 12)
    assert.equal((await fixture.usage(acme)).bonusUsed, 2)
    await fixture.set(acme, 'down', 1)
    const { bonusUsed, bonusRemaining, remaining } = await fixture.usage(acme)
    assert.deepEqual([bonusUsed, bonusRemaining, remaining], [0, 5, 14])
  })

  it('sets what a re-sort left below zero', async () => {
    await fixture.makeFeature('seats', { usageResetInterval: 'month' })
    const acme = await fixture.makeCustomer()
    const featureKey = 'seats'
    await fixture.record(acme, 'a', { featureKey, amount: 5, occurredAt: startedAt })
    await fixture.record(acme, 'b', { featureKey, amount: -4 })
    await fixture.make('PUT', `/v1/customers/${acme}`, { usageStartedAt: startedAt + 1 })
    assert.equal((await fixture.usage(acme, featureKey)).used, 0)
    const body = { customerId: acme, featureKey, eventKey: 's', used: 1 }
    assert.equal((await fixture.request('POST', '/v1/usage/set', { body })).body.adjustment, 5)
    assert.equal((await fixture.usage(acme, featureKey)).used, 1)
  })
})

describe('200 duplicate_event', () => {
  it('repeats the first adjustment, also of a set that changed nothing', async () => {
    const acme = await fixture.makeCustomer()
    const first = await fixture.set(acme, 'a', 4)
    await fixture.record(acme, 'b', { amount: 2 })
    const { body } = await fixture.set(acme, 'a', 4)
    const { eventId } = first.body
    assert.deepEqual(body, { applied: false, used: 6, adjustment: 4, eventId, reason: 'duplicate_event' })
    await fixture.set(acme, 'zero', 6)
    await fixture.record(acme, 'c', { amount: 1 })
    assert.equal((await fixture.set(acme, 'zero', 6)).body.reason, 'duplicate_event')
    assert.equal((await fixture.usage(acme)).used, 7)
  })
})

describe('400', () => {
  it('for a negative or absent value and a feature that tracks no usage', async () => {
    const acme = await fixture.makeCustomer()
    assert.equal((await fixture.set(acme, 'a', -1)).status, 400)
    const body = { customerId: acme, featureKey: 'calls', eventKey: 'a' }
    assert.match((await fixture.request('POST', '/v1/usage/set', { body })).body.error, /used/)
    const occurred = { ...body, used: 1, occurredAt: noon }
    assert.equal((await fixture.request('POST', '/v1/usage/set', { body: occurred })).status, 400)
    await fixture.makeFeature('cap', { tracksUsage: false })
    const untracked = { ...body, featureKey: 'cap', used: 1 }
    assert.equal((await fixture.request('POST', '/v1/usage/set', { body: untracked })).status, 400)
  })
})

describe('404', () => {
  it('for an unknown customer', async () => {
    assert.equal((await fixture.set('nobody', 'a', 1)).status, 404)
  })
})

describe('409 event_key_reused', () => {
  it('for another value and for a key that an event took', async () => {
    const acme = await fixture.makeCustomer()
    await fixture.set(acme, 'a', 4)
    assert.equal((await fixture.set(acme, 'a', 5)).headers['x-error-code'], 'event_key_reused')
    await fixture.record(acme, 'b', { amount: 5 })
    assert.equal((await fixture.set(acme, 'b', 5)).status, 409)
  })
})
