// Worked examples from the contract's section on bonuses, reckoned by hand.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ms, startModel } from './reference-fixture.ts'

describe('draws', () => {
  it('begin where the plan ends', () => {
    const { record, give, entry, left } = startModel()
    const bonus = give(5)
    record('a', { amount: 10 })
    assert.equal(left(bonus), 5)
    assert.equal(entry().usage.remaining, 5)
    record('b', { amount: 3 })
    assert.equal(left(bonus), 2)
    const { used, remaining, bonusUsed, bonusRemaining, hasReachedLimit } = entry().usage
    assert.deepEqual([used, remaining, bonusUsed, bonusRemaining, hasReachedLimit], [13, 2, 3, 2, false])
  })

  it('go to the soonest expiry, then the oldest, never-expiring last', () => {
    const { record, give, left } = startModel()
    const [never, late] = [give(2), give(2, ms('2026-03-01'))]
    const [soon, again] = [give(2, ms('2026-02-01')), give(2, ms('2026-03-01'))]
    record('a', { amount: 15 })
    assert.deepEqual([soon, late, again, never].map(left), [0, 0, 1, 2])
  })

  it('cover overage that is already there when the bonus comes', () => {
    const { model, record } = startModel()
    record('a', { amount: 13 })
    const { body } = model.createBonus({ customerId: 'acme', featureKey: 'calls', amount: 5 })
    const { bonus, counterRemaining } = body as {
      bonus: { remainingAmount: number }
      counterRemaining: number
    }
    assert.deepEqual([bonus.remainingAmount, counterRemaining], [2, 2])
  })

  it('are returned last drawn first when usage is given back', () => {
    const { record, give, left } = startModel()
    const [late, soon] = [give(2), give(2, ms('2026-02-01'))]
    record('a', { amount: 13 })
    assert.deepEqual([soon, late].map(left), [0, 1])
    record('b', { amount: -2 })
    assert.deepEqual([soon, late].map(left), [1, 2])
  })

  it('are returned in the order of drawing, whatever the order of the bonuses', () => {
    const { record, give, left } = startModel()
    const first = give(5)
    record('a', { amount: 11 })
    const sooner = give(5, ms('2026-02-01'))
    record('b', { amount: 2 })
    const soonest = give(1, ms('2026-01-20'))
    record('c', { amount: 1 })
    assert.deepEqual([first, sooner, soonest].map(left), [4, 3, 0])
    record('d', { amount: -2 })
    assert.deepEqual([first, sooner, soonest].map(left), [4, 4, 1])
    record('e', { amount: -2 })
    assert.deepEqual([first, sooner, soonest].map(left), [5, 5, 1])
  })

  it('go to the oldest by its time of creation, also when the clock stepped back', () => {
    const { model, now, record, give, left } = startModel()
    const made = give(2)
    model.setClock({ now: now - 1 })
    const older = give(2)
    record('a', { amount: 11 })
    assert.deepEqual([made, older].map(left), [2, 1])
  })

  it('never move to a bonus that would have come first', () => {
    const { record, give, left } = startModel()
    const first = give(5)
    record('a', { amount: 13 })
    const sooner = give(5, ms('2026-02-01'))
    assert.deepEqual([first, sooner].map(left), [2, 5])
    record('b', { amount: 1 })
    assert.deepEqual([first, sooner].map(left), [2, 4])
  })

  it('stay in a closed period, and the rest lives on', () => {
    const { model, record, give, left, entry } = startModel()
    const bonus = give(5)
    record('a', { amount: 13 })
    model.setClock({ now: ms('2026-02-10') })
    assert.equal(left(bonus), 2)
    assert.deepEqual([entry().usage.bonusUsed, entry().usage.remaining], [0, 12])
    model.amendUsage(2, { amount: 1 })
    assert.equal(left(bonus), 2)
  })

  it('fall into new periods by the instant they were made', () => {
    const { model, record, give, entry } = startModel()
    give(5)
    record('a', { amount: 13, occurredAt: ms('2026-01-12') })
    model.updateCustomer('acme', { usageStartedAt: ms('2026-01-16') })
    // The event left the current period, the draw did not: nothing needs it, so it counts as returned.
    assert.deepEqual([entry().usage.used, entry().usage.bonusUsed, entry().usage.bonusRemaining], [0, 0, 5])
    model.updateCustomer('acme', { usageStartedAt: ms('2026-01-10') })
    assert.equal(entry().usage.bonusUsed, 3)
    model.updateFeature('calls', { usageResetInterval: 'day' })
    model.setClock({ now: ms('2026-01-19') })
    assert.deepEqual([entry().usage.bonusUsed, entry().usage.bonusRemaining], [0, 2])
  })
})

describe('an expired bonus', () => {
  it('is gone at its expiry to the millisecond, and back when the clock steps back', () => {
    const { model, give, entry } = startModel()
    const expiresAt = ms('2026-01-20')
    give(5, expiresAt)
    model.setClock({ now: expiresAt - 1 })
    assert.equal(entry().usage.remaining, 15)
    model.setClock({ now: expiresAt })
    assert.equal(entry().usage.remaining, 10)
    model.setClock({ now: expiresAt - 1 })
    assert.equal(entry().usage.remaining, 15)
  })

  it('keeps what was drawn, and loses what is returned to it', () => {
    const { model, record, give, entry, left } = startModel()
    const bonus = give(5, ms('2026-01-20'))
    record('a', { amount: 13 })
    model.setClock({ now: ms('2026-01-20') })
    assert.deepEqual([entry().usage.bonusUsed, entry().usage.remaining], [3, 0])
    record('b', { amount: -3 })
    assert.deepEqual([entry().usage.bonusUsed, entry().usage.remaining, left(bonus)], [0, 0, 5])
    record('c', { amount: 1 })
    assert.equal(entry().usage.bonusUsed, 0)
  })

  it('can be revived, and then covers the overage', () => {
    const { model, record, give, left } = startModel()
    const bonus = give(5, ms('2026-01-20'))
    model.setClock({ now: ms('2026-01-21') })
    record('a', { amount: 12 })
    assert.equal(left(bonus), 5)
    assert.equal(model.updateBonus(bonus, { expiresAt: ms('2026-01-21') }).status, 400)
    assert.equal(model.updateBonus(bonus, { expiresAt: null }).status, 200)
    assert.equal(left(bonus), 3)
  })
})

describe('a changed limit', () => {
  it('shows the draws at once and stores them with the next write', () => {
    const { model, record, give, left, setLimit, entry } = startModel()
    const bonus = give(5)
    record('a', { amount: 9 })
    setLimit(6)
    assert.deepEqual([left(bonus), entry().usage.bonusUsed, entry().usage.remaining], [2, 3, 2])
    setLimit(10)
    assert.equal(left(bonus), 5)
    setLimit(6)
    record('b', { amount: 0 })
    model.setClock({ now: ms('2026-02-10') })
    assert.equal(left(bonus), 2)
  })

  it('that no write followed leaves the bonus whole in the next period', () => {
    const { model, record, give, left, setLimit } = startModel()
    const bonus = give(5)
    record('a', { amount: 9 })
    setLimit(6)
    assert.equal(record('a', { amount: 9 }).applied, false)
    model.setClock({ now: ms('2026-02-10') })
    assert.equal(left(bonus), 5)
  })

  it('stores what was shown, so that a later bonus takes nothing over', () => {
    const { record, give, left, setLimit } = startModel()
    const first = give(5)
    record('a', { amount: 9 })
    setLimit(6)
    const sooner = give(5, ms('2026-02-01'))
    assert.deepEqual([first, sooner].map(left), [2, 5])
  })

  it('to unlimited returns the draws and draws none', () => {
    const { model, record, give, left, entry } = startModel()
    const bonus = give(5)
    record('a', { amount: 13 })
    model.setFeatureAccess('plan', {
      featureAccess: [{ featureKey: 'calls', hasAccess: true, isUnlimited: true }],
    })
    assert.deepEqual([left(bonus), entry().usage.bonusUsed], [5, 0])
    record('b', { amount: 100 })
    assert.equal(left(bonus), 5)
  })

  it('to no access neither draws nor returns', () => {
    const { model, record, give, entry } = startModel()
    give(5)
    record('a', { amount: 13 })
    model.updateCustomer('acme', { removeCustomProductKeys: ['plan'] })
    record('b', { amount: -13 })
    const { bonusUsed, bonusRemaining, remaining } = entry().usage
    assert.deepEqual([bonusUsed, bonusRemaining, remaining], [3, 2, 0])
    model.updateCustomer('acme', { addCustomProductKeys: ['plan'] })
    assert.deepEqual([entry().usage.bonusUsed, entry().usage.remaining], [0, 15])
  })
})

describe('bonus requests', () => {
  it('refuse nothing, the past, and features without usage', () => {
    const { model, now } = startModel()
    model.createFeature({ featureKey: 'sso', name: 'SSO', type: 'boolean' })
    const body = { customerId: 'acme', featureKey: 'calls', amount: 5 }
    for (const wrong of [{ amount: 0 }, { amount: -1 }, { expiresAt: now }, { featureKey: 'sso' }])
      assert.equal(model.createBonus({ ...body, ...wrong }).status, 400)
    for (const wrong of [{ customerId: 'nobody' }, { featureKey: 'nothing' }])
      assert.equal(model.createBonus({ ...body, ...wrong }).status, 404)
  })

  it('with an idempotency key answer the first answer again', () => {
    const { model, record, entry } = startModel()
    const body = { customerId: 'acme', featureKey: 'calls', amount: 5 }
    assert.equal(model.createBonus({ ...body, amount: 0 }, 'k').status, 400)
    const first = model.createBonus(body, 'k')
    record('a', { amount: 12 })
    assert.deepEqual(model.createBonus(body, 'k'), first)
    assert.equal(model.createBonus({ ...body, amount: 6 }, 'k').status, 409)
    assert.equal(entry().usage.bonusRemaining, 3)
    model.deleteCustomer('acme')
    model.createCustomer({ customerId: 'acme', customProductKeys: ['plan'] })
    assert.equal(model.createBonus({ ...body, amount: 6 }, 'k').status, 201)
  })

  it('cannot set the amount below what is drawn; equal ends the bonus', () => {
    const { model, record, give } = startModel()
    const bonus = give(5)
    record('a', { amount: 13 })
    assert.equal(model.updateBonus(bonus, { amount: 2.999999 }).status, 409)
    const { counterRemaining } = model.updateBonus(bonus, { amount: 3 }).body as { counterRemaining: number }
    assert.equal(counterRemaining, 0)
    assert.deepEqual((model.getCustomer('acme').body as { bonuses: [] }).bonuses, [])
  })

  it('delete only what is not drawn, or fully returned', () => {
    const { model, record, give } = startModel()
    const bonus = give(5)
    record('a', { amount: 13 })
    assert.equal(model.deleteBonus(bonus).status, 409)
    record('b', { amount: -3 })
    assert.deepEqual(model.deleteBonus(bonus).body, { deleted: true, bonusId: bonus, counterRemaining: 0 })
    assert.equal(model.deleteBonus(bonus).status, 404)
  })

  it('list spent and expired ones too, newest first', () => {
    const { model, record, give } = startModel()
    const spent = give(2)
    record('a', { amount: 12 })
    const expired = give(2, ms('2026-01-20'))
    model.setClock({ now: ms('2026-01-21') })
    const fresh = give(2)
    const { bonuses } = model.listBonuses({ customerId: 'acme' }).body as { bonuses: { bonusId: number }[] }
    assert.deepEqual(
      bonuses.map((bonus) => bonus.bonusId),
      [fresh, expired, spent],
    )
  })
})
