// Every method against the real service, until every operation of openapi.json has been answered with success.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { Tollkeeper, TollkeeperError } from '../src/sdk.ts'
import { collect, startServiceFixture } from './service-fixture.ts'

let service: Awaited<ReturnType<typeof startServiceFixture>>
before(async () => {
  service = await startServiceFixture()
})
after(() => service.close())

const now = Date.UTC(2026, 4, 10, 12)

describe('the client against the service', () => {
  it('testClock', async () => {
    const { tk } = service
    assert.equal((await tk.testClock.get()).frozen, false)
    const clock = await tk.testClock.set(now)
    assert.deepEqual([clock.now, clock.frozen], [now, true])
  })

  it('features', async () => {
    const { features } = service.tk
    const made = await features.create({ featureKey: 'calls', name: 'Calls', type: 'limit' })
    assert.equal(made.usageResetInterval, 'month')
    await features.create({ featureKey: 'sso', name: 'Single sign-on', type: 'boolean' })
    await features.create({ featureKey: 'gone', name: 'Gone', type: 'limit' })
    assert.equal((await features.update('calls', { name: 'API calls' })).name, 'API calls')
    assert.equal((await features.get('calls')).name, 'API calls')
    assert.equal((await features.archive('gone')).isArchived, true)
    const keys = async (query: Parameters<typeof features.list>[0]) =>
      (await collect(features.list(query))).map(({ featureKey }) => featureKey).sort()
    assert.deepEqual(await keys({}), ['calls', 'sso'])
    assert.deepEqual(await keys({ includeArchived: true, limit: 1 }), ['calls', 'gone', 'sso'])
    assert.deepEqual(await features.delete('gone'), { deleted: true, featureKey: 'gone' })
    const first = await features.list({ limit: 1 }).page()
    const second = await features.list({ limit: 1 }).page(first.nextCursor ?? assert.fail())
    assert.deepEqual([...first.items, ...second.items].map(({ featureKey }) => featureKey).sort(), [
      'calls',
      'sso',
    ])
  })

  it('products', async () => {
    const { products } = service.tk
    const limit = (value: number) => [
      { featureKey: 'calls', hasAccess: true, limit: value },
      { featureKey: 'sso', hasAccess: false },
    ]
    const free = { productKey: 'free', name: 'Free', isDefault: true, featureAccess: limit(10) }
    assert.equal((await products.createCustom(free)).isDefault, true)
    const made = await service.provider.products.create({
      name: 'Pro',
      default_price_data: { currency: 'usd', unit_amount: 2900, recurring: { interval: 'month' } },
    })
    const linked = await products.link({ productKey: 'pro', providerProductId: made.id })
    assert.equal(linked.prices[0]?.unitAmount, 2900)
    await products.sync()
    assert.equal((await products.setFeatureAccess('pro', limit(100))).featureAccess[0]?.limit, 100)
    assert.equal((await products.update('free', { name: 'Starter' })).name, 'Starter')
    assert.equal((await products.get('free')).name, 'Starter')
    assert.equal((await products.createVersion('free')).version, 2)
    assert.deepEqual(
      (await collect(products.listVersions('free', { limit: 1 }))).map(({ version }) => version).sort(),
      [1, 2],
    )
    assert.equal((await products.migrate('free', { dryRun: true })).migrated, 0)
    await products.createCustom({ productKey: 'old', name: 'Old' })
    await products.archive('old')
    assert.deepEqual(
      (await collect(products.list({ type: 'custom' }))).map(({ key }) => key),
      ['free'],
    )
    await products.archive('old', false)
    assert.deepEqual(await products.delete('old'), { deleted: true, productKey: 'old' })
  })

  it('customers, made once by however many ask at once', async () => {
    const { customers } = service.tk
    const created = await customers.create({ customerId: 'auth0|4/2', name: 'Ann' })
    assert.equal(created.featureAccess.calls?.limit, 10)
    const ensured = await Promise.all(
      Array.from({ length: 5 }, () => customers.ensure({ customerId: 'acme', name: 'Acme' })),
    )
    assert.equal(new Set(ensured.map(({ created: at, name }) => `${at} ${name}`)).size, 1)
    assert.equal((await customers.ensure({ customerId: 'acme', name: 'Other' })).name, 'Acme')
    const updated = { customerId: 'acme', metadata: { tier: '1' }, ifExists: 'update' as const }
    assert.deepEqual((await customers.ensure(updated)).metadata, { tier: '1' })
    assert.equal((await customers.update('acme', { email: 'a@acme.test' })).email, 'a@acme.test')
    assert.equal((await customers.get('acme'))?.email, 'a@acme.test')
    assert.equal(await customers.get('nobody'), null)
    assert.equal((await collect(customers.list({ search: 'ACM' }))).length, 1)
    assert.deepEqual(await customers.delete('auth0|4/2'), { id: 'auth0|4/2' })
    const { results } = await customers.createBatch([{ customerId: 'acme' }, { customerId: 'batched' }])
    assert.deepEqual(
      results.map((each) => (each.success ? each.result.isNew : each.code)),
      ['customer_id_taken', true],
    )
    assert.ok((await collect(customers.listAtProvider())).some(({ name }) => name === 'Acme'))
  })

  it('check, track, consume and access', async () => {
    const { tk } = service
    assert.equal((await tk.track('acme', 'calls', 7, { metadata: { job: '1' } })).used, 7)
    const check = await tk.check('acme', 'calls', { amount: 4 })
    assert.deepEqual(
      [check.allowed, check.reason, check.remaining, check.limit],
      [false, 'limit_reached', 3, 10],
    )
    assert.ok((check.nextReset ?? 0) > now)
    assert.deepEqual((await tk.check('acme', 'sso')).reason, 'no_access')
    const all = await Promise.all(Array.from({ length: 5 }, () => tk.consume('acme', 'calls')))
    assert.deepEqual(all.map(({ allowed }) => allowed).sort(), [false, false, true, true, true])
    const again = { eventKey: 'once', occurredAt: now }
    assert.equal((await tk.track('acme', 'calls', 2, again)).applied, true)
    const repeated = await tk.consume('acme', 'calls', 2, again)
    assert.deepEqual([repeated.applied, repeated.allowed], [false, true])
    assert.equal((await tk.access('acme')).calls?.usage?.used, 12)
  })

  it('usage', async () => {
    const { usage } = service.tk
    const batch = await usage.recordBatch([
      { customerId: 'acme', featureKey: 'calls', amount: 1 },
      { customerId: 'acme', featureKey: 'nothing' },
    ])
    assert.deepEqual([batch.hasErrors, batch.results.map(({ success }) => success)], [true, [true, false]])
    assert.equal((await usage.set({ customerId: 'acme', featureKey: 'calls', used: 5 })).adjustment, -8)
    const events = await collect(usage.list({ customerId: 'acme', featureKey: 'calls', limit: 2 }))
    assert.equal(events.length, 7)
    const { id } = events.find(({ amount }) => amount === 7) ?? assert.fail()
    assert.equal((await usage.get(id)).metadata.job, '1')
    assert.equal((await usage.amend(id, { amount: 8 })).amount, 8)
    assert.deepEqual(await usage.delete(events.find(({ amount }) => amount === 1)?.id ?? ''), {
      deletedCount: 1,
    })
    await assert.rejects(usage.get('nowhere'), { status: 404 })
    const days = {
      customerId: 'acme',
      featureKey: 'calls',
      interval: 'day',
      from: now - 1,
      to: now + 1,
    } as const
    assert.deepEqual(
      (await usage.summary(days)).map(({ used, events: count }) => [used, count]),
      [[5, 6]],
    )
    assert.equal((await service.tk.featureAccess.explain('acme', 'calls')).products[0]?.key, 'free')
  })

  it('bonuses, given once per idempotency key', async () => {
    const { bonuses } = service.tk
    const bonus = { customerId: 'acme', featureKey: 'calls', amount: 5, reason: 'sorry' }
    const given = await bonuses.create(bonus, { idempotencyKey: 'k' })
    assert.deepEqual(await bonuses.create(bonus, { idempotencyKey: 'k' }), given)
    await bonuses.create(bonus)
    assert.equal((await collect(bonuses.list({ customerId: 'acme', limit: 1 }))).length, 2)
    const { bonusId } = given.bonus
    assert.equal((await bonuses.update(bonusId, { amount: 6 })).bonus.amount, 6)
    assert.equal((await bonuses.get(bonusId)).amount, 6)
    assert.equal((await bonuses.delete(bonusId)).deleted, true)
  })

  it('buffer: each event counts once through an outage in which answers are lost', async () => {
    const { tk, baseUrl, keys } = service
    await tk.customers.create({ customerId: 'buffered' })
    let calls = 0
    const failing: typeof fetch = async (url, init) => {
      calls++
      if (calls % 3 === 1) throw new TypeError('fetch failed')
      const response = await fetch(url, init)
      // Done by the service, but its answer is lost on the way.
      if (calls % 3 === 2) throw new TypeError('fetch failed')
      return response
    }
    const client = new Tollkeeper({ apiKey: keys.test, baseUrl, fetch: (url, init) => failing(url, init) })
    const refused: string[] = []
    const buffer = client.buffer({
      batchSize: 10,
      flushIntervalMs: 60_000,
      now: () => undefined,
      onRefused: ({ featureKey }, { code }) => refused.push(`${featureKey} ${code}`),
    })
    for (let index = 0; index < 25; index++) buffer.track('buffered', 'calls')
    buffer.track('buffered', 'nothing')
    for (let tries = 0; tries < 20 && (await buffer.flush()) > 0; tries++);
    await buffer.close()
    assert.equal((await tk.access('buffered')).calls?.usage?.used, 25)
    assert.deepEqual(refused, ['nothing feature_not_found'])
  })

  it('checkout and portal', async () => {
    const { tk } = service
    const { url } = await tk.checkout('acme', { productKey: 'pro', successUrl: 'https://app.test/done' })
    assert.match(url, /^http/)
    assert.match((await tk.portal('acme')).url, /^http/)
  })

  it('errors with status, code, request id and a sentence', async () => {
    const error = await service.tk.access('nobody').catch((caught) => caught)
    assert(error instanceof TollkeeperError)
    assert.deepEqual([error.status, error.code], [404, 'customer_not_found'])
    assert.match(error.requestId ?? '', /./)
    assert.equal(error.message, 'There is no customer "nobody".')
  })

  it('has a method for every operation', () => {
    assert.deepEqual([...service.unanswered], [])
  })
})
