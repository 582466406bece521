// POST /v1/usage/set: the current period's total, set by an adjustment.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { noon, type Stage, startedAt, startStage } from './stage.ts'

let stage: Stage
before(async () => {
  stage = await startStage()
})
after(() => stage.close())

describe('200', () => {
  it('records the difference, up or down or none, as an adjustment at now', async () => {
    const acme = await stage.makeCustomer()
    await stage.record(acme, 'a', { amount: 3 })
    await stage.record(acme, 'old', { amount: 50, occurredAt: startedAt - 1 })
    const adjustments: [number, number][] = [
      [7.5, 4.5],
      [2, -5.5],
      [2, 0],
      [0, -2],
    ]
    for (const [used, adjustment] of adjustments) {
      const { status, body } = await stage.set(acme, `set ${used} ${adjustment}`, used)
      assert.equal(status, 200)
      assert.deepEqual({ ...body, eventId: '' }, { applied: true, used, adjustment, eventId: '' })
      const { body: event } = await stage.request('GET', `/v1/usage/${body.eventId}`)
      assert.deepEqual(
        [event.amount, event.source, event.occurredAt],
        [adjustment, 'usage_set_adjustment', noon],
      )
      assert.equal((await stage.usage(acme)).used, used)
    }
  })

  it('draws on bonuses for what exceeds the limit, and returns it', async () => {
    const acme = await stage.makeCustomer()
    await stage.give(acme, 5)
    await stage.set(acme, 'up', 12)
    assert.equal((await stage.usage(acme)).bonusUsed, 2)
    await stage.set(acme, 'down', 1)
    const { bonusUsed, bonusRemaining, remaining } = await stage.usage(acme)
    assert.deepEqual([bonusUsed, bonusRemaining, remaining], [0, 5, 14])
  })

  it('sets what a re-sort left below zero', async () => {
    await stage.makeFeature('seats', { usageResetInterval: 'month' })
    const acme = await stage.makeCustomer()
    const featureKey = 'seats'
    await stage.record(acme, 'a', { featureKey, amount: 5, occurredAt: startedAt })
    await stage.record(acme, 'b', { featureKey, amount: -4 })
    await stage.make('PUT', `/v1/customers/${acme}`, { usageStartedAt: startedAt + 1 })
    assert.equal((await stage.usage(acme, featureKey)).used, 0)
    const body = { customerId: acme, featureKey, eventKey: 's', used: 1 }
    assert.equal((await stage.request('POST', '/v1/usage/set', { body })).body.adjustment, 5)
    assert.equal((await stage.usage(acme, featureKey)).used, 1)
  })
})

describe('200 duplicate_event', () => {
  it('repeats the first adjustment, also of a set that changed nothing', async () => {
    const acme = await stage.makeCustomer()
    const first = await stage.set(acme, 'a', 4)
    await stage.record(acme, 'b', { amount: 2 })
    const { body } = await stage.set(acme, 'a', 4)
    const { eventId } = first.body
    assert.deepEqual(body, { applied: false, used: 6, adjustment: 4, eventId, reason: 'duplicate_event' })
    await stage.set(acme, 'zero', 6)
    await stage.record(acme, 'c', { amount: 1 })
    assert.equal((await stage.set(acme, 'zero', 6)).body.reason, 'duplicate_event')
    assert.equal((await stage.usage(acme)).used, 7)
  })
})

describe('400', () => {
  it('for a negative or absent value and a feature that tracks no usage', async () => {
    const acme = await stage.makeCustomer()
    assert.equal((await stage.set(acme, 'a', -1)).status, 400)
    const body = { customerId: acme, featureKey: 'calls', eventKey: 'a' }
    assert.match((await stage.request('POST', '/v1/usage/set', { body })).body.error, /used/)
    const occurred = { ...body, used: 1, occurredAt: noon }
    assert.equal((await stage.request('POST', '/v1/usage/set', { body: occurred })).status, 400)
    await stage.makeFeature('cap', { tracksUsage: false })
    const untracked = { ...body, featureKey: 'cap', used: 1 }
    assert.equal((await stage.request('POST', '/v1/usage/set', { body: untracked })).status, 400)
  })
})

describe('404', () => {
  it('for an unknown customer', async () => {
    assert.equal((await stage.set('nobody', 'a', 1)).status, 404)
  })
})

describe('409 event_key_reused', () => {
  it('for another value and for a key that an event took', async () => {
    const acme = await stage.makeCustomer()
    await stage.set(acme, 'a', 4)
    assert.equal((await stage.set(acme, 'a', 5)).headers['x-error-code'], 'event_key_reused')
    await stage.record(acme, 'b', { amount: 5 })
    assert.equal((await stage.set(acme, 'b', 5)).status, 409)
  })
})
