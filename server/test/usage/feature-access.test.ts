// GET /v1/feature-access and GET /v1/check.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startedAt, startUsageFixture, type UsageFixture } from './usage-fixture.ts'

let fixture: UsageFixture
before(async () => {
  fixture = await startUsageFixture()
  await fixture.makeFeature('sso', { type: 'boolean' })
  await fixture.makeFeature('cap', { tracksUsage: false })
  await fixture.makeFeature('total', { usageResetInterval: 'never' })
  await fixture.makeProduct('extras', [
    { featureKey: 'sso', hasAccess: true },
    { featureKey: 'cap', hasAccess: true, limit: 3 },
    { featureKey: 'calls', hasAccess: true, limit: 5 },
    { featureKey: 'total', hasAccess: true, limit: 2.5 },
  ])
  await fixture.makeProduct('endless', [{ featureKey: 'calls', hasAccess: true, isUnlimited: true }])
})
after(() => fixture.close())

const map = (customerId: string) => fixture.request('GET', `/v1/feature-access?customerId=${customerId}`)
const check = (customerId: string, featureKey: string, amount?: number | string) =>
  fixture.request(
    'GET',
    `/v1/check?customerId=${customerId}&featureKey=${featureKey}${amount === undefined ? '' : `&amount=${amount}`}`,
  )

const month = { lastReset: startedAt, nextReset: Date.UTC(2026, 1, 10) }

describe('GET /v1/feature-access 200', () => {
  it('has every feature, with and without access', async () => {
    const acme = await fixture.makeCustomer({ customProductKeys: ['extras'] })
    const fresh = { used: 0, bonusRemaining: 0, bonusUsed: 0, hasReachedLimit: false }
    assert.deepEqual((await map(acme)).body, {
      calls: {
        hasAccess: true,
        type: 'limit',
        limit: 5,
        isUnlimited: false,
        usage: { ...fresh, remaining: 5, ...month },
      },
      sso: { hasAccess: true, type: 'boolean' },
      cap: { hasAccess: true, type: 'limit', limit: 3, isUnlimited: false },
      total: {
        hasAccess: true,
        type: 'limit',
        limit: 2.5,
        isUnlimited: false,
        usage: { ...fresh, remaining: 2.5, lastReset: startedAt },
      },
    })
    const none = await fixture.makeCustomer({ customProductKeys: [] })
    const { body } = await map(none)
    assert.deepEqual(body.sso, { hasAccess: false, type: 'boolean' })
    assert.deepEqual(body.cap, { hasAccess: false, type: 'limit', limit: 0, isUnlimited: false })
    assert.deepEqual(body.calls.usage, { ...fresh, remaining: 0, hasReachedLimit: true, ...month })
  })

  it('adds up limits of several products; one unlimited makes all unlimited', async () => {
    const both = await fixture.makeCustomer({ customProductKeys: ['plan', 'extras'] })
    assert.equal((await fixture.entry(both)).limit, 15)
    const endless = await fixture.makeCustomer({ customProductKeys: ['plan', 'endless'] })
    await fixture.record(endless, 'a', { amount: 99 })
    const { limit, isUnlimited, usage } = await fixture.entry(endless)
    assert.deepEqual([limit, isUnlimited], [undefined, true])
    assert.deepEqual([usage.used, usage.remaining, usage.hasReachedLimit], [99, undefined, false])
  })

  it('shows the need of the plan held now, and nothing drawn while unlimited or without access', async () => {
    const acme = await fixture.makeCustomer()
    await fixture.give(acme, 5)
    await fixture.record(acme, 'a', { amount: 12 })
    const assign = (body: object) => fixture.make('PUT', `/v1/customers/${acme}`, body)
    await assign({ addCustomProductKeys: ['endless'] })
    assert.deepEqual((await fixture.usage(acme)).bonusUsed, 0)
    await assign({ removeCustomProductKeys: ['endless', 'plan'] })
    const { bonusUsed, bonusRemaining, remaining } = await fixture.usage(acme)
    assert.deepEqual([bonusUsed, bonusRemaining, remaining], [2, 3, 0])
  })

  it('loses an archived feature unless it is held, and has it back with unarchiving', async () => {
    await fixture.makeFeature('old')
    await fixture.makeProduct('legacy', [{ featureKey: 'old', hasAccess: true, limit: 1 }])
    const [holder, other] = [
      await fixture.makeCustomer({ customProductKeys: ['legacy'] }),
      await fixture.makeCustomer(),
    ]
    const before = (await map(other)).body
    await fixture.make('POST', '/v1/features/old/archive', { archived: true })
    assert.equal('old' in (await map(other)).body, false)
    assert.equal((await fixture.entry(holder, 'old')).limit, 1)
    const { body } = await check(other, 'old')
    assert.deepEqual([body.allowed, body.reason], [false, 'no_access'])
    await fixture.make('POST', '/v1/features/old/archive', { archived: false })
    assert.deepEqual((await map(other)).body, before)
    await fixture.request('DELETE', '/v1/features/old')
  })

  it('never gives a default product to whoever holds another', async () => {
    await fixture.makeProduct('free', [{ featureKey: 'calls', hasAccess: true, limit: 1 }], {
      isDefault: true,
    })
    const [none, holder] = [
      await fixture.makeCustomer({ customProductKeys: [] }),
      await fixture.makeCustomer(),
    ]
    assert.deepEqual([(await fixture.entry(none)).limit, (await fixture.entry(holder)).limit], [1, 10])
    await fixture.make('PUT', '/v1/products/free', { isDefault: false })
    assert.equal((await fixture.entry(none)).hasAccess, false)
  })
})

describe('GET /v1/feature-access 400 and 404', () => {
  it('needs a known customer', async () => {
    assert.equal((await fixture.request('GET', '/v1/feature-access')).status, 400)
    assert.equal((await map('nobody')).status, 404)
    const acme = await fixture.makeCustomer()
    const path = `/v1/feature-access?customerId=${acme}`
    assert.equal((await fixture.request('GET', path, { key: fixture.service.keys.live })).status, 404)
    assert.equal((await fixture.request('GET', `${path}&x=1`)).status, 400)
  })
})

describe('GET /v1/check', () => {
  it('200: allows what remains, bonuses included', async () => {
    const acme = await fixture.makeCustomer()
    await fixture.record(acme, 'a', { amount: 8 })
    await fixture.give(acme, 1)
    assert.equal((await check(acme, 'calls')).body.allowed, true)
    assert.equal((await check(acme, 'calls', 3)).body.allowed, true)
    const { body } = await check(acme, 'calls', 3.000001)
    assert.deepEqual([body.allowed, body.reason, body.usage.remaining], [false, 'limit_reached', 3])
    await fixture.record(acme, 'b', { amount: 3 })
    assert.equal((await check(acme, 'calls', 0)).body.allowed, true)
  })

  it('200: a boolean by access, an untracked limit by its number, unlimited always', async () => {
    const acme = await fixture.makeCustomer({ customProductKeys: ['extras', 'endless'] })
    const allowed = async (featureKey: string, amount?: number) =>
      (await check(acme, featureKey, amount)).body.allowed
    assert.deepEqual(
      [
        await allowed('sso', 9),
        await allowed('cap', 3),
        await allowed('cap', 4),
        await allowed('calls', 1e9),
      ],
      [true, true, false, true],
    )
    const none = await fixture.makeCustomer({ customProductKeys: [] })
    assert.deepEqual((await check(none, 'sso')).body, {
      allowed: false,
      reason: 'no_access',
      hasAccess: false,
      type: 'boolean',
    })
  })

  it('400 for a negative amount, 404 for an unknown customer or feature', async () => {
    const acme = await fixture.makeCustomer()
    assert.equal((await check(acme, 'calls', -1)).status, 400)
    assert.equal((await check(acme, 'calls', 'x')).status, 400)
    assert.equal((await check('nobody', 'calls')).status, 404)
    assert.equal((await check(acme, 'nothing')).status, 404)
  })
})
