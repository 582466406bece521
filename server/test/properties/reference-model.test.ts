// Worked examples from the contract, reckoned by hand, that the reference model must satisfy before it may judge
// the service: amounts, periods and access here; keys, usage and bonuses in files of their own.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ms, startModel } from './reference-fixture.ts'

describe('exact totals', () => {
  it('adds 0.1 and 0.2 to 0.3', () => {
    const { record } = startModel()
    record('a', { amount: 0.1 })
    assert.equal(record('b', { amount: 0.2 }).used, 0.3)
  })

  it('refuses numbers with dust, too many decimals or too large', () => {
    const { model, usage } = startModel()
    for (const amount of [0.1 + 0.2, 0.1234567, 1e12 + 1, Number.NaN])
      assert.equal(model.recordUsage({ ...usage('a'), amount }).status, 400)
  })

  it('records zero, and one when no amount is sent', () => {
    const { record } = startModel()
    assert.deepEqual(record('a', { amount: 0 }), { applied: true, used: 0, eventId: 1 })
    assert.equal(record('b').used, 1)
  })
})

describe('periods', () => {
  it('reset from 31 January on 28 February and 31 March', () => {
    const { model, entry } = startModel({ usageStartedAt: ms('2026-01-31') })
    for (const [now, last, next] of [
      ['2026-02-27', '2026-01-31', '2026-02-28'],
      ['2026-02-28', '2026-02-28', '2026-03-31'],
      ['2026-03-31', '2026-03-31', '2026-04-30'],
    ] as const) {
      model.setClock({ now: ms(now) })
      assert.equal(entry().usage.lastReset, ms(last))
      assert.equal(entry().usage.nextReset, ms(next))
    }
  })

  it('are half-open to the millisecond', () => {
    const { model, record, used } = startModel()
    record('a', { amount: 4 })
    model.setClock({ now: ms('2026-02-10') - 1 })
    assert.equal(used(), 4)
    model.setClock({ now: ms('2026-02-10') })
    assert.equal(used(), 0)
    record('b', { amount: 1, occurredAt: ms('2026-02-10') - 1 })
    assert.equal(used(), 0)
    record('c', { amount: 1, occurredAt: ms('2026-02-10') })
    assert.equal(used(), 1)
  })

  it('come back when the clock steps back', () => {
    const { model, record, used } = startModel()
    record('a', { amount: 4 })
    model.setClock({ now: ms('2026-02-15') })
    record('b', { amount: 2 })
    model.setClock({ now: ms('2026-01-20') })
    assert.equal(used(), 4)
  })

  it('re-sort when usageStartedAt moves', () => {
    const { model, record, used } = startModel()
    record('a', { amount: 4, occurredAt: ms('2026-01-12') })
    record('b', { amount: 2, occurredAt: ms('2026-01-15') })
    model.updateCustomer('acme', { usageStartedAt: ms('2026-01-14') })
    assert.equal(used(), 2)
  })

  it('re-sort when the interval changes, and never is one over all time', () => {
    const { model, record, used, entry } = startModel()
    record('a', { amount: 4, occurredAt: ms('2024-01-12') })
    record('b', { amount: 2 })
    assert.equal(used(), 2)
    model.updateFeature('calls', { usageResetInterval: 'never' })
    assert.equal(used(), 6)
    assert.equal(entry().usage.lastReset, ms('2026-01-10'))
    assert.equal('nextReset' in entry().usage, false)
    model.setClock({ now: ms('2026-01-05') })
    assert.equal(entry().usage.lastReset, ms('2026-01-05'))
  })

  it('of the calendar ignore usageStartedAt', () => {
    const { model, entry } = startModel()
    model.updateFeature('calls', { usageResetAnchor: 'calendar', usageResetInterval: 'week' })
    assert.equal(entry().usage.lastReset, ms('2026-01-12'))
    assert.equal(entry().usage.nextReset, ms('2026-01-19'))
  })

  it('take up to five minutes ahead as now, and refuse more', () => {
    const { model, record, usage, now } = startModel()
    const { eventId } = record('a', { occurredAt: now + 300_000 })
    assert.equal((model.getUsage(eventId).body as { occurredAt: number }).occurredAt, now)
    assert.equal(model.recordUsage({ ...usage('b'), occurredAt: now + 300_001 }).status, 400)
  })
})

describe('access', () => {
  it('adds up the limits of several products', () => {
    const { model, entry } = startModel()
    model.createCustomProduct({
      name: 'Extra',
      productKey: 'extra',
      featureAccess: [{ featureKey: 'calls', hasAccess: true, limit: 5 }],
    })
    model.updateCustomer('acme', { addCustomProductKeys: ['extra'] })
    assert.equal(entry().limit, 15)
  })

  it('is unlimited when one of them is', () => {
    const { model, entry } = startModel()
    model.createCustomProduct({
      name: 'All',
      productKey: 'all',
      featureAccess: [{ featureKey: 'calls', hasAccess: true, isUnlimited: true }],
    })
    model.updateCustomer('acme', { addCustomProductKeys: ['all'] })
    const { usage, ...rest } = entry()
    assert.deepEqual(rest, { hasAccess: true, type: 'limit', isUnlimited: true })
    assert.equal('remaining' in usage, false)
    assert.equal(usage.hasReachedLimit, false)
  })

  it('is none without a product: limit 0, remaining 0, reached', () => {
    const { model, entry, record } = startModel()
    model.updateCustomer('acme', { removeCustomProductKeys: ['plan'] })
    record('a', { amount: 3 })
    const { usage, ...rest } = entry()
    assert.deepEqual(rest, { hasAccess: false, type: 'limit', limit: 0, isUnlimited: false })
    assert.deepEqual([usage.used, usage.remaining, usage.hasReachedLimit], [3, 0, true])
  })

  it('falls back to the default product at its latest version', () => {
    const { model, entry } = startModel()
    model.updateCustomer('acme', { removeCustomProductKeys: ['plan'] })
    model.updateProduct('plan', { isDefault: true })
    assert.equal(entry().limit, 10)
    model.createVersion('plan')
    model.setFeatureAccess('plan', { featureAccess: [{ featureKey: 'calls', hasAccess: true, limit: 7 }] })
    assert.equal(entry().limit, 7)
    model.archiveProduct('plan', { archived: true })
    assert.equal(entry().hasAccess, false)
  })

  it('stays on the version held until migrated', () => {
    const { model, entry } = startModel()
    model.createVersion('plan')
    model.setFeatureAccess('plan', { featureAccess: [{ featureKey: 'calls', hasAccess: true, limit: 7 }] })
    assert.equal(entry().limit, 10)
    assert.deepEqual(model.migrate('plan', { dryRun: true }).body, { migrated: 1 })
    assert.equal(entry().limit, 10)
    assert.deepEqual(model.migrate('plan').body, { migrated: 1 })
    assert.equal(entry().limit, 7)
  })

  it('keeps an archived product for its holders, who may not get it anew', () => {
    const { model, entry } = startModel()
    model.archiveProduct('plan', { archived: true })
    assert.equal(entry().limit, 10)
    assert.equal(model.updateCustomer('acme', { addCustomProductKeys: ['plan'] }).status, 200)
    const answer = model.createCustomer({ customerId: 'other', customProductKeys: ['plan'] })
    assert.equal(answer.status, 400)
    assert.equal(model.getCustomer('other').body, null)
    assert.equal(model.getProduct('plan').status, 404)
    assert.equal(model.createCustomProduct({ name: 'x', productKey: 'plan' }).status, 409)
  })

  it('has one default product at most', () => {
    const { model } = startModel()
    model.createCustomProduct({ name: 'A', productKey: 'a', isDefault: true })
    model.createCustomProduct({ name: 'B', productKey: 'b', isDefault: true })
    assert.equal((model.getProduct('a').body as { isDefault: boolean }).isDefault, false)
    assert.equal((model.getProduct('b').body as { isDefault: boolean }).isDefault, true)
  })

  it('shows an archived feature to its holders only, and refuses to add it anew', () => {
    const { model, entry, record } = startModel()
    model.createCustomer({ customerId: 'other' })
    model.archiveFeature('calls', { archived: true })
    assert.equal(entry().limit, 10)
    assert.equal(record('a').applied, true)
    assert.deepEqual(model.featureAccess('other').body, {})
    const featureAccess = [{ featureKey: 'calls', hasAccess: true, limit: 9 }]
    assert.equal(model.setFeatureAccess('plan', { featureAccess }).status, 200)
    assert.equal(model.createCustomProduct({ name: 'x', productKey: 'x', featureAccess }).status, 400)
  })

  it('hides usage while the feature does not track it', () => {
    const { model, entry, record, usage, used } = startModel()
    record('a', { amount: 4 })
    model.updateFeature('calls', { tracksUsage: false })
    assert.deepEqual(entry(), { hasAccess: true, type: 'limit', limit: 10, isUnlimited: false })
    assert.equal(model.recordUsage(usage('b')).status, 400)
    model.updateFeature('calls', { tracksUsage: true, usageResetInterval: 'month' })
    assert.equal(used(), 4)
  })

  it('checks without changing anything', () => {
    const { model, record } = startModel()
    const check = (amount: number) => {
      const { allowed, reason } = model.check({ customerId: 'acme', featureKey: 'calls', amount }).body as {
        allowed: boolean
        reason?: string
      }
      return [allowed, reason]
    }
    record('a', { amount: 8 })
    assert.deepEqual(check(2), [true, undefined])
    assert.deepEqual(check(3), [false, 'limit_reached'])
    model.updateCustomer('acme', { removeCustomProductKeys: ['plan'] })
    assert.deepEqual(check(1), [false, 'no_access'])
  })

  it('refuses entries that contradict the feature', () => {
    const { model } = startModel()
    model.createFeature({ featureKey: 'sso', name: 'SSO', type: 'boolean' })
    for (const entries of [
      [{ featureKey: 'sso', hasAccess: true, limit: 1 }],
      [{ featureKey: 'calls', hasAccess: true }],
      [{ featureKey: 'calls', hasAccess: true, limit: 1, isUnlimited: true as const }],
      [{ featureKey: 'nothing', hasAccess: true }],
      [
        { featureKey: 'sso', hasAccess: true },
        { featureKey: 'sso', hasAccess: false },
      ],
    ])
      assert.equal(model.setFeatureAccess('plan', { featureAccess: entries }).status, 400)
  })
})
