// GET /v1/feature-access/explain and ?featureKey=: the numbers add up, and say where they come from.
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { dayMs, noon, startedAt, startUsageFixture, type UsageFixture } from './usage-fixture.ts'

let fixture: UsageFixture
before(async () => {
  fixture = await startUsageFixture({ instances: 2 })
  await fixture.makeFeature('sso', { type: 'boolean' })
  await fixture.makeFeature('cap', { tracksUsage: false })
  await fixture.makeFeature('ever', { usageResetInterval: 'never' })
  await fixture.makeFeature('weekly', { usageResetInterval: 'week', usageResetAnchor: 'calendar' })
  await fixture.makeProduct('more', [
    { featureKey: 'calls', hasAccess: true, limit: 2.5 },
    { featureKey: 'sso', hasAccess: true },
    { featureKey: 'cap', hasAccess: true, limit: 4 },
    { featureKey: 'ever', hasAccess: true, isUnlimited: true },
  ])
  await fixture.make('PUT', '/v1/products/more', { isAddOn: true })
})
after(() => fixture.close())
beforeEach(() => fixture.setClock(noon))

const explain = async (customerId: string, featureKey = 'calls', instance = 0) => {
  const path = `/v1/feature-access/explain?customerId=${customerId}&featureKey=${featureKey}`
  const { status, body, text } = await fixture.request('GET', path, { instance })
  assert.equal(status, 200, text)
  return body
}

describe('GET /v1/feature-access/explain 200', () => {
  it('tells the products that gave it, the period, the bonuses and what remaining is made of', async () => {
    const acme = await fixture.makeCustomer({ customProductKeys: ['plan', 'more'] })
    const { body } = await fixture.give(acme, 4, { expiresAt: noon + dayMs })
    const { body: later } = await fixture.give(acme, 3)
    await fixture.record(acme, 'a', { amount: 14 })
    const told = await explain(acme, 'calls', 1)
    assert.deepEqual(told.access, await fixture.entry(acme))
    assert.deepEqual(
      told.products
        .toSorted((a: { limit: number }, b: { limit: number }) => b.limit - a.limit)
        .map((each: Record<string, unknown>) => [each.key, each.limit, each.quantity, each.isAddOn]),
      [
        ['plan', 10, 1, false],
        ['more', 2.5, 1, true],
      ],
    )
    assert.deepEqual(told.period, {
      interval: 'month',
      lastReset: startedAt,
      nextReset: Date.UTC(2026, 1, 10),
      anchor: { source: 'usage_started_at', at: startedAt },
    })
    assert.deepEqual(told.bonuses, [
      {
        bonusId: body.bonus.bonusId,
        amount: 4,
        remainingAmount: 2.5,
        drawnInPeriod: 1.5,
        expiresAt: noon + dayMs,
      },
      { bonusId: later.bonus.bonusId, amount: 3, remainingAmount: 3, drawnInPeriod: 0 },
    ])
    assert.deepEqual(told.arithmetic, {
      limit: 12.5,
      used: 14,
      planUsed: 12.5,
      bonusUsed: 1.5,
      overage: 0,
      planRemaining: 0,
      bonusRemaining: 5.5,
      remaining: 5.5,
    })
  })

  it('adds up below the limit and over all of it', async () => {
    const acme = await fixture.makeCustomer()
    await fixture.give(acme, 3)
    for (const [eventKey, amount] of [['a', 4] as const, ['b', 20] as const]) {
      await fixture.record(acme, eventKey, { amount })
      const { arithmetic: sums, access } = await explain(acme)
      assert.equal(sums.planUsed + sums.bonusUsed + sums.overage, sums.used)
      assert.equal(sums.planRemaining, sums.limit - sums.planUsed)
      assert.equal(sums.planRemaining + sums.bonusRemaining, sums.remaining)
      assert.equal(sums.remaining, access.usage.remaining)
    }
    assert.equal((await explain(acme)).arithmetic.overage, 11)
  })

  it('says where a period is cut, and of what calendar it is', async () => {
    await fixture.makeProduct('fallback', [{ featureKey: 'calls', hasAccess: true, limit: 1 }], {
      isDefault: true,
    })
    const acme = await fixture.makeCustomer()
    await fixture.make('PUT', `/v1/customers/${acme}`, { removeCustomProductKeys: ['plan'] })
    const { period } = await explain(acme)
    assert.deepEqual([period.cutBy, period.lastReset], ['fall_back', noon])
    const weekly = (await explain(acme, 'weekly')).period
    assert.deepEqual([weekly.anchor.source, weekly.lastReset], ['calendar', Date.UTC(2026, 0, 12)])
    await fixture.request('PUT', '/v1/products/fallback', { body: { isDefault: false } })
  })

  it('leaves out what a feature does not have: a boolean, an untracked, an unlimited one, and no access', async () => {
    const acme = await fixture.makeCustomer({ customProductKeys: ['more'] })
    const sso = await explain(acme, 'sso')
    assert.deepEqual(sso.access, { hasAccess: true, type: 'boolean' })
    assert.deepEqual(
      ['period' in sso, 'arithmetic' in sso, 'limit' in sso.products[0]],
      [false, false, false],
    )
    assert.deepEqual(
      [(await explain(acme, 'cap')).products[0].limit, 'period' in (await explain(acme, 'cap'))],
      [4, false],
    )
    const ever = await explain(acme, 'ever')
    assert.deepEqual([ever.products[0].isUnlimited, 'arithmetic' in ever], [true, false])
    assert.deepEqual(ever.period.anchor, { source: 'none' })
    const nothing = await explain(acme, 'weekly')
    assert.deepEqual([nothing.products, 'arithmetic' in nothing], [[], false])
  })
})

describe('GET /v1/feature-access?featureKey=', () => {
  it('200: that entry alone, also of an archived feature that is not held', async () => {
    const acme = await fixture.makeCustomer()
    const get = async (key: string) =>
      (await fixture.request('GET', `/v1/feature-access?customerId=${acme}&featureKey=${key}`)).body
    assert.deepEqual(await get('calls'), { calls: await fixture.entry(acme) })
    assert.deepEqual(await get('sso'), { sso: { hasAccess: false, type: 'boolean' } })
    await fixture.makeFeature('old')
    await fixture.make('POST', '/v1/features/old/archive', { archived: true })
    const usage = { used: 0, remaining: 0, bonusRemaining: 0, bonusUsed: 0, hasReachedLimit: true }
    const month = { lastReset: startedAt, nextReset: Date.UTC(2026, 1, 10) }
    const old = { hasAccess: false, type: 'limit', limit: 0, isUnlimited: false }
    assert.deepEqual(await get('old'), { old: { ...old, usage: { ...usage, ...month } } })
  })

  it('200: usage and bonuses of an archived feature that is no longer held, in every answer', async () => {
    const featureKey = 'archived'
    await fixture.makeFeature(featureKey)
    await fixture.makeProduct('former', [{ featureKey, hasAccess: true, limit: 5 }])
    const acme = await fixture.makeCustomer({ customProductKeys: ['former'] })
    const { body: given } = await fixture.give(acme, 4, { featureKey })
    await fixture.record(acme, 'a', { featureKey, amount: 7 })
    await fixture.make('POST', `/v1/features/${featureKey}/archive`, { archived: true })
    await fixture.make('PUT', `/v1/customers/${acme}`, { removeCustomProductKeys: ['former'] })
    for (const instance of [0, 1]) {
      const get = async (path: string) =>
        (await fixture.request('GET', `${path}?customerId=${acme}&featureKey=${featureKey}`, { instance }))
          .body
      const entry = (await get('/v1/feature-access'))[featureKey]
      const { used, remaining, bonusUsed, bonusRemaining, hasReachedLimit } = entry.usage
      assert.deepEqual([used, remaining, bonusUsed, bonusRemaining, hasReachedLimit], [7, 0, 2, 2, true])
      assert.deepEqual(await get('/v1/check'), { allowed: false, reason: 'no_access', ...entry })
      const told = await explain(acme, featureKey, instance)
      assert.deepEqual(told.access, entry)
      const drawn = told.bonuses.map((bonus: Record<string, unknown>) => [bonus.bonusId, bonus.drawnInPeriod])
      assert.deepEqual(drawn, [[given.bonus.bonusId, 2]])
      assert.equal(told.period.lastReset, startedAt)
      const { body } = await fixture.request('GET', `/v1/feature-access?customerId=${acme}`, { instance })
      assert.equal(featureKey in body, false)
    }
  })

  it('404: an unknown customer or feature, of either route', async () => {
    const acme = await fixture.makeCustomer()
    for (const path of ['/v1/feature-access', '/v1/feature-access/explain']) {
      for (const query of [`customerId=${acme}&featureKey=nothing`, 'customerId=nobody&featureKey=calls'])
        assert.equal((await fixture.request('GET', `${path}?${query}`)).status, 404, `${path}?${query}`)
    }
  })
})
