// Worked examples from the contract for event keys: what counts once, what conflicts, and how long a key is taken.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { startModel } from './reference-fixture.ts'

const dayMs = 86_400_000

describe('event keys', () => {
  it('count once, and answer with the first event and the total now', () => {
    const { record } = startModel()
    record('a', { amount: 3 })
    record('b', { amount: 2 })
    assert.deepEqual(record('a', { amount: 3 }), {
      applied: false,
      used: 5,
      eventId: 1,
      reason: 'duplicate_event',
    })
  })

  it('conflict with another amount, another instant, or a set', () => {
    const { model, record, usage, now } = startModel()
    record('a', { amount: 3, occurredAt: now - 1000 })
    const conflict = { status: 409, code: 'event_key_reused' }
    assert.deepEqual(model.recordUsage({ ...usage('a'), amount: 4 }), conflict)
    assert.deepEqual(model.recordUsage({ ...usage('a'), amount: 3, occurredAt: now }), conflict)
    assert.deepEqual(model.setUsage({ ...usage('a'), used: 3 }), conflict)
    assert.equal(record('a', { amount: 3 }).reason, 'duplicate_event')
  })

  it('compare what was first sent, not what it was edited to', () => {
    const { model, record, usage } = startModel()
    record('a', { amount: 3 })
    model.amendUsage(1, { amount: 4 })
    assert.equal(record('a', { amount: 3 }).used, 4)
    assert.equal(model.recordUsage({ ...usage('a'), amount: 4 }).status, 409)
  })

  it('stay taken when the event is given another key, none, or deleted', () => {
    const { model, record } = startModel()
    record('a')
    model.amendUsage(1, { eventKey: 'b' })
    model.amendUsage(1, { eventKey: null })
    model.deleteUsage(1)
    for (const key of ['a', 'b'])
      assert.deepEqual(record(key), { applied: false, used: 0, eventId: 1, reason: 'duplicate_event' })
  })

  it('belong to one event: an edit cannot take another one’s', () => {
    const { model, record } = startModel()
    record('a')
    record('b')
    assert.equal(model.amendUsage(1, { eventKey: 'b' }).status, 409)
    model.amendUsage(1, { eventKey: 'c' })
    assert.equal(model.amendUsage(1, { eventKey: 'a' }).status, 200)
  })

  it('come before the clock and before tracking', () => {
    const { model, record, now } = startModel()
    record('a', { occurredAt: now })
    model.setClock({ now: now - 30 * dayMs })
    assert.equal(record('a', { occurredAt: now }).reason, 'duplicate_event')
    model.updateFeature('calls', { tracksUsage: false })
    assert.equal(record('a').reason, 'duplicate_event')
  })

  it('are free again after customer or feature was deleted', () => {
    const { model, record, used } = startModel()
    record('a', { amount: 3 })
    model.deleteCustomer('acme')
    model.createCustomer({ customerId: 'acme', customProductKeys: ['plan'] })
    assert.equal(used(), 0)
    assert.equal(record('a').applied, true)
    model.deleteFeature('calls')
    assert.equal(model.getUsage(1).status, 404)
    model.createFeature({ featureKey: 'calls', name: 'Calls', type: 'limit' })
    assert.equal(used(), 0)
    assert.equal(record('a').applied, true)
  })

  it('are not taken by a refused event', () => {
    const { record } = startModel()
    assert.equal(record('a', { amount: 11, enforceLimit: true }).applied, false)
    assert.equal(record('a', { amount: 1 }).applied, true)
  })
})
