// Worked examples from the contract for limits, negative amounts, sets, batches and edits, reckoned by hand.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ms, startModel } from './reference-fixture.ts'

describe('an enforced limit', () => {
  it('lets in only what fits whole', () => {
    const { record } = startModel()
    record('a', { amount: 8 })
    assert.deepEqual(record('b', { amount: 3, enforceLimit: true }), {
      applied: false,
      used: 8,
      reason: 'limit_reached',
    })
    assert.equal(record('c', { amount: 2, enforceLimit: true }).used, 10)
  })

  it('refuses without access but always lets give back', () => {
    const { model, record } = startModel()
    record('a', { amount: 3 })
    model.updateCustomer('acme', { removeCustomProductKeys: ['plan'] })
    assert.equal(record('b', { enforceLimit: true }).reason, 'no_access')
    assert.equal(record('c', { amount: -1, enforceLimit: true }).applied, true)
    assert.equal(record('d', { amount: 0, enforceLimit: true }).reason, 'no_access')
  })

  it('counts bonuses in the current period only', () => {
    const { record, give } = startModel()
    give(5)
    const closed = ms('2026-01-05')
    assert.equal(record('a', { amount: 11, occurredAt: closed, enforceLimit: true }).reason, 'limit_reached')
    assert.equal(record('b', { amount: 10, occurredAt: closed, enforceLimit: true }).used, 10)
    assert.equal(record('c', { amount: 15, enforceLimit: true }).applied, true)
    assert.equal(record('d', { amount: 1, enforceLimit: true }).applied, false)
  })

  it('is not asked otherwise: usage over the limit is a fact', () => {
    const { record, entry } = startModel()
    assert.equal(record('a', { amount: 25 }).used, 25)
    assert.deepEqual([entry().usage.remaining, entry().usage.hasReachedLimit], [0, true])
  })
})

describe('a negative amount', () => {
  it('gives back down to zero and not below', () => {
    const { record, used } = startModel()
    record('a', { amount: 3 })
    assert.deepEqual(record('b', { amount: -4 }), { applied: false, used: 3, reason: 'below_zero' })
    assert.equal(record('b', { amount: -3 }).used, 0)
    assert.equal(used(), 0)
  })

  it('counts against its own period', () => {
    const { record } = startModel()
    record('a', { amount: 3 })
    assert.equal(record('b', { amount: -1, occurredAt: ms('2026-01-05') }).reason, 'below_zero')
  })

  it('can be left alone in a period by a re-sort, which shows 0', () => {
    const { model, record, used } = startModel()
    record('a', { amount: 3, occurredAt: ms('2026-01-12') })
    record('b', { amount: -2 })
    model.updateCustomer('acme', { usageStartedAt: ms('2026-01-15') })
    assert.equal(used(), 0)
    assert.deepEqual(record('c', { amount: 1 }), { applied: true, used: 0, eventId: 3 })
    assert.equal(record('d', { amount: -1 }).reason, 'below_zero')
    assert.equal(record('e', { amount: 4 }).used, 3)
  })
})

describe('usage/set', () => {
  it('writes the difference', () => {
    const { model, record, usage, used } = startModel()
    record('a', { amount: 3 })
    const answer = model.setUsage({ ...usage('s'), used: 7.5 })
    assert.deepEqual(answer.body, { applied: true, used: 7.5, adjustment: 4.5, eventId: 2 })
    assert.equal(used(), 7.5)
  })

  it('repeated gives its first adjustment, even a zero one', () => {
    const { model, usage, record } = startModel()
    model.setUsage({ ...usage('s'), used: 0 })
    record('a', { amount: 2 })
    assert.deepEqual(model.setUsage({ ...usage('s'), used: 0 }).body, {
      applied: false,
      used: 2,
      adjustment: 0,
      eventId: 1,
      reason: 'duplicate_event',
    })
  })

  it('starts from the sum below zero that a re-sort left', () => {
    const { model, record, usage } = startModel()
    record('a', { amount: 3, occurredAt: ms('2026-01-12') })
    record('b', { amount: -2 })
    model.updateCustomer('acme', { usageStartedAt: ms('2026-01-15') })
    const { adjustment } = model.setUsage({ ...usage('s'), used: 1 }).body as { adjustment: number }
    assert.equal(adjustment, 3)
  })
})

describe('a batch', () => {
  it('answers in order and lets one item fail alone', () => {
    const { model, usage } = startModel()
    const events = [
      { ...usage('a'), amount: 2 },
      { ...usage('a'), amount: 2 },
      { ...usage('a'), amount: 3 },
      { ...usage('b'), customerId: 'nobody' },
      { ...usage('c'), amount: 9, enforceLimit: true },
    ]
    assert.deepEqual(model.recordBatch({ events }).body, {
      results: [
        { success: true, result: { applied: true, used: 2, eventId: 1 } },
        { success: true, result: { applied: false, used: 2, eventId: 1, reason: 'duplicate_event' } },
        { success: false },
        { success: false },
        { success: true, result: { applied: false, used: 2, reason: 'limit_reached' } },
      ],
      hasErrors: true,
    })
  })

  it('of none or more than a hundred is refused whole', () => {
    const { model, usage } = startModel()
    assert.equal(model.recordBatch({ events: [] }).status, 400)
    const events = Array.from({ length: 101 }, (_, i) => usage(`k${i}`))
    assert.equal(model.recordBatch({ events }).status, 400)
  })
})

describe('an edit', () => {
  it('moves the amount from one period to the other', () => {
    const { model, record, used } = startModel()
    record('a', { amount: 3 })
    model.amendUsage(1, { occurredAt: ms('2026-01-05') })
    assert.equal(used(), 0)
    model.setClock({ now: ms('2026-01-06') })
    assert.equal(used(), 3)
  })

  it('may not leave a period below zero, by amount, move or deletion', () => {
    const { model, record, used } = startModel()
    record('a', { amount: 3 })
    record('b', { amount: -3 })
    assert.equal(model.amendUsage(1, { amount: 2 }).status, 409)
    assert.equal(model.amendUsage(1, { occurredAt: ms('2026-01-05') }).status, 409)
    assert.equal(model.amendUsage(2, { occurredAt: ms('2026-01-05') }).status, 409)
    assert.equal(model.deleteUsage(1).status, 409)
    assert.equal(model.deleteUsage(2).status, 200)
    assert.equal(used(), 3)
  })

  it('may raise a sum that lies below zero', () => {
    const { model, record } = startModel()
    record('a', { amount: 3, occurredAt: ms('2026-01-12') })
    record('b', { amount: -3 })
    model.updateCustomer('acme', { usageStartedAt: ms('2026-01-15') })
    assert.equal(model.amendUsage(2, { amount: -2 }).status, 200)
    assert.equal(model.amendUsage(2, { amount: -3 }).status, 409)
  })

  it('of a deleted or unknown event is 404', () => {
    const { model, record } = startModel()
    record('a')
    assert.deepEqual(model.deleteUsage(1).body, { deletedCount: 1 })
    assert.equal(model.deleteUsage(1).status, 404)
    assert.equal(model.amendUsage(1, { amount: 2 }).status, 404)
    assert.equal(model.getUsage(7).status, 404)
  })
})

describe('the list', () => {
  it('is newest first, half-open, without deleted events', () => {
    const { model, record, now } = startModel()
    record('a', { occurredAt: now - 2000 })
    record('b')
    record('c')
    record('d', { occurredAt: now - 1000 })
    record('e')
    model.deleteUsage(5)
    const keys = (query: { from?: number; to?: number }) =>
      (model.listUsage({ customerId: 'acme', ...query }).body as { events: { eventKey: string }[] }).events
        .map((event) => event.eventKey)
        .join('')
    assert.equal(keys({}), 'cbda')
    assert.equal(keys({ from: now - 2000, to: now - 1000 }), 'a')
    assert.equal(model.listUsage({ customerId: 'nobody' }).status, 404)
  })
})
