// PUT and GET /v1/test-clock.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { dayMs, noon, startedAt, startUsageFixture, type UsageFixture } from './usage-fixture.ts'

let fixture: UsageFixture
before(async () => {
  fixture = await startUsageFixture({ instances: 2 })
})
after(() => fixture.close())

const put = (body: object, key = fixture.service.keys.test) =>
  fixture.request('PUT', '/v1/test-clock', { body, key })

describe('200', () => {
  it('freezes the clock, on every instance, and tells it', async () => {
    assert.deepEqual((await put({ now: noon })).body, { now: noon, frozen: true })
    const { body } = await fixture.request('GET', '/v1/test-clock', { instance: 1 })
    assert.deepEqual(body, { now: noon, frozen: true })
  })

  it('governs periods, forwards and back', async () => {
    const acme = await fixture.makeCustomer()
    await fixture.record(acme, 'a', { amount: 4 })
    for (const [now, used] of [
      [noon + 31 * dayMs, 0],
      [noon, 4],
      [startedAt - 1, 0],
      [startedAt, 4],
    ] as const) {
      await put({ now })
      for (const instance of [0, 1]) assert.equal((await fixture.usage(acme, 'calls', instance)).used, used)
    }
    await put({ now: noon })
  })

  it('lets it run again with null', async () => {
    const { body } = await put({ now: null })
    assert.equal(body.frozen, false)
    assert.ok(Math.abs(body.now - Date.now()) < 5_000)
    await put({ now: noon })
  })

  it('leaves the live environment alone', async () => {
    const body = { customerId: 'live-one' }
    const { status, body: customer } = await fixture.request('POST', '/v1/customers', {
      body,
      key: fixture.service.keys.live,
    })
    assert.equal(status, 201)
    assert.ok(Math.abs(customer.created - Date.now()) < 60_000)
  })
})

describe('400', () => {
  it('for what is no time', async () => {
    for (const body of [{}, { now: 'x' }, { now: 1.5 }, { now: 0 }, { now: noon, x: 1 }])
      assert.equal((await put(body)).status, 400, JSON.stringify(body))
    assert.equal((await fixture.request('GET', '/v1/test-clock')).body.now, noon)
  })
})

describe('403', () => {
  it('in the live environment, and for a key that only reads', async () => {
    assert.equal((await put({ now: noon }, fixture.service.keys.live)).status, 403)
    assert.equal((await put({ now: noon }, fixture.service.keys.testRead)).status, 403)
    assert.equal(
      (await fixture.request('GET', '/v1/test-clock', { key: fixture.service.keys.live })).status,
      403,
    )
  })
})
