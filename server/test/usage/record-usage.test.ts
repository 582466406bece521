// POST /v1/usage: recording one event.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { dayMs, noon, startedAt, startUsageFixture, type UsageFixture } from './usage-fixture.ts'

let fixture: UsageFixture
before(async () => {
  fixture = await startUsageFixture()
  await fixture.makeFeature('cap', { tracksUsage: false })
  await fixture.makeFeature('sso', { type: 'boolean' })
  await fixture.makeFeature('emails', { usageResetInterval: 'day', usageResetAnchor: 'calendar' })
  const unlimited = [{ featureKey: 'calls', hasAccess: true, isUnlimited: true }]
  await fixture.makeProduct('endless', unlimited)
})
after(() => fixture.close())

describe('200', () => {
  it('records 1 at now when neither amount nor time is given, and answers with the total', async () => {
    const acme = await fixture.makeCustomer()
    const { status, body } = await fixture.record(acme, 'a')
    assert.equal(status, 200)
    assert.deepEqual({ ...body, eventId: typeof body.eventId }, { applied: true, used: 1, eventId: 'string' })
    const { body: event } = await fixture.request('GET', `/v1/usage/${body.eventId}`)
    assert.deepEqual(event, {
      id: body.eventId,
      customerId: acme,
      featureKey: 'calls',
      amount: 1,
      occurredAt: noon,
      source: 'usage',
      eventKey: 'a',
      metadata: {},
    })
  })

  it('adds decimals exactly', async () => {
    const acme = await fixture.makeCustomer()
    await fixture.record(acme, 'a', { amount: 0.1 })
    assert.equal((await fixture.record(acme, 'b', { amount: 0.2 })).body.used, 0.3)
    assert.equal((await fixture.record(acme, 'c', { amount: 0.000001 })).body.used, 0.300001)
  })

  it('records over the limit all the same', async () => {
    const acme = await fixture.makeCustomer()
    assert.equal((await fixture.record(acme, 'a', { amount: 25 })).body.applied, true)
    const { used, remaining, hasReachedLimit } = await fixture.usage(acme)
    assert.deepEqual([used, remaining, hasReachedLimit], [25, 0, true])
  })

  it('records for a customer without access, and shows it', async () => {
    const acme = await fixture.makeCustomer({ customProductKeys: [] })
    assert.equal((await fixture.record(acme, 'a', { amount: 3 })).body.applied, true)
    assert.deepEqual((await fixture.entry(acme)).hasAccess, false)
    const { used, remaining, hasReachedLimit } = await fixture.usage(acme)
    assert.deepEqual([used, remaining, hasReachedLimit], [3, 0, true])
  })

  it('records an amount of 0', async () => {
    const acme = await fixture.makeCustomer()
    assert.equal((await fixture.record(acme, 'a', { amount: 0 })).body.applied, true)
    assert.equal((await fixture.record(acme, 'a', { amount: 0 })).body.reason, 'duplicate_event')
  })

  it('answers with the total of the event’s own period', async () => {
    const acme = await fixture.makeCustomer()
    await fixture.record(acme, 'now', { amount: 4 })
    const backdated = await fixture.record(acme, 'before', { amount: 2, occurredAt: startedAt - 1 })
    assert.equal(backdated.body.used, 2)
    assert.equal((await fixture.usage(acme)).used, 4)
  })

  it('takes up to 5 minutes ahead as now', async () => {
    const acme = await fixture.makeCustomer()
    const { body } = await fixture.record(acme, 'a', { occurredAt: noon + 300_000 })
    assert.equal((await fixture.request('GET', `/v1/usage/${body.eventId}`)).body.occurredAt, noon)
  })

  it('keeps metadata, with keys that objects have themselves', async () => {
    const acme = await fixture.makeCustomer()
    const raw = `{"customerId":"${acme}","featureKey":"calls","eventKey":"a","metadata":{"__proto__":"x","toString":"y"}}`
    const headers = { 'content-type': 'application/json' }
    const { body } = await fixture.request('POST', '/v1/usage', { raw, headers })
    const { text } = await fixture.request('GET', `/v1/usage/${body.eventId}`)
    assert.match(text, /"__proto__":"x"/)
    assert.match(text, /"toString":"y"/)
  })
})

describe('200 duplicate_event', () => {
  it('gives the first event’s id and today’s total, and changes nothing', async () => {
    const acme = await fixture.makeCustomer()
    const first = await fixture.record(acme, 'a', { amount: 2 })
    await fixture.record(acme, 'b', { amount: 3 })
    const { body } = await fixture.record(acme, 'a', { amount: 2 })
    assert.deepEqual(body, {
      applied: false,
      used: 5,
      eventId: first.body.eventId,
      reason: 'duplicate_event',
    })
    assert.equal((await fixture.usage(acme)).used, 5)
  })

  it('takes an absent amount for 1', async () => {
    const acme = await fixture.makeCustomer()
    await fixture.record(acme, 'a')
    assert.equal((await fixture.record(acme, 'a', { amount: 1 })).body.reason, 'duplicate_event')
  })

  it('compares times only where both sent one', async () => {
    const acme = await fixture.makeCustomer()
    await fixture.record(acme, 'timed', { occurredAt: noon - 1 })
    assert.equal((await fixture.record(acme, 'timed')).body.reason, 'duplicate_event')
    assert.equal((await fixture.record(acme, 'timed', { occurredAt: noon - 2 })).status, 409)
    await fixture.record(acme, 'untimed')
    const again = await fixture.record(acme, 'untimed', { occurredAt: noon - 2 })
    assert.equal(again.body.reason, 'duplicate_event')
  })

  it('compares with what was first sent, however the event was edited, and also when it was deleted', async () => {
    const acme = await fixture.makeCustomer()
    const { eventId } = (await fixture.record(acme, 'a', { amount: 2 })).body
    await fixture.request('PUT', `/v1/usage/${eventId}`, { body: { amount: 5, eventKey: 'z' } })
    assert.equal((await fixture.record(acme, 'a', { amount: 2 })).body.reason, 'duplicate_event')
    assert.equal((await fixture.record(acme, 'z', { amount: 2 })).body.eventId, eventId)
    assert.equal((await fixture.record(acme, 'a', { amount: 5 })).status, 409)
    await fixture.request('DELETE', `/v1/usage/${eventId}`)
    const { body } = await fixture.record(acme, 'a', { amount: 2 })
    assert.deepEqual(body, { applied: false, used: 0, eventId, reason: 'duplicate_event' })
  })

  it('comes before the limit, tracking and the time', async () => {
    const acme = await fixture.makeCustomer()
    await fixture.makeFeature('once')
    const sent = { featureKey: 'once', amount: 3, occurredAt: noon }
    await fixture.record(acme, 'a', sent)
    await fixture.make('PUT', '/v1/features/once', { tracksUsage: false })
    assert.equal(
      (await fixture.record(acme, 'a', { ...sent, enforceLimit: true })).body.reason,
      'duplicate_event',
    )
  })

  it('is per customer and feature', async () => {
    const [acme, other] = [await fixture.makeCustomer(), await fixture.makeCustomer()]
    await fixture.record(acme, 'a')
    assert.equal((await fixture.record(other, 'a')).body.applied, true)
    assert.equal((await fixture.record(acme, 'a', { featureKey: 'emails' })).body.applied, true)
  })
})

describe('200 with enforceLimit', () => {
  const enforceLimit = true

  it('records what fits whole and refuses the rest, whose key stays free', async () => {
    const acme = await fixture.makeCustomer()
    assert.equal((await fixture.record(acme, 'a', { amount: 9.5, enforceLimit })).body.applied, true)
    const refused = await fixture.record(acme, 'b', { amount: 0.6, enforceLimit })
    assert.deepEqual(refused.body, { applied: false, used: 9.5, reason: 'limit_reached' })
    assert.deepEqual((await fixture.record(acme, 'b', { amount: 0.5, enforceLimit })).body.used, 10)
  })

  it('counts bonuses in the current period and not in a closed one', async () => {
    const acme = await fixture.makeCustomer()
    await fixture.give(acme, 5)
    assert.equal((await fixture.record(acme, 'a', { amount: 15, enforceLimit })).body.applied, true)
    await fixture.give(acme, 5)
    const closed = { occurredAt: startedAt - dayMs, enforceLimit }
    assert.equal((await fixture.record(acme, 'b', { amount: 11, ...closed })).body.reason, 'limit_reached')
    assert.equal((await fixture.record(acme, 'c', { amount: 10, ...closed })).body.applied, true)
  })

  it('refuses without access', async () => {
    const acme = await fixture.makeCustomer({ customProductKeys: [] })
    const { body } = await fixture.record(acme, 'a', { enforceLimit })
    assert.deepEqual(body, { applied: false, used: 0, reason: 'no_access' })
  })

  it('without access lets only what is given back fit', async () => {
    const none = await fixture.makeCustomer({ customProductKeys: [] })
    await fixture.record(none, 'a', { amount: 2 })
    const { body } = await fixture.record(none, 'b', { amount: 0, enforceLimit })
    assert.deepEqual(body, { applied: false, used: 2, reason: 'no_access' })
    assert.equal((await fixture.record(none, 'c', { amount: -1, enforceLimit })).body.applied, true)
  })

  it('lets anything fit on an unlimited feature', async () => {
    const endless = await fixture.makeCustomer({ customProductKeys: ['plan', 'endless'] })
    assert.equal((await fixture.record(endless, 'a', { amount: 1e9, enforceLimit })).body.applied, true)
  })
})

describe('200 below_zero', () => {
  it('refuses to give back more than the period has', async () => {
    const acme = await fixture.makeCustomer()
    await fixture.record(acme, 'a', { amount: 2 })
    const { body } = await fixture.record(acme, 'b', { amount: -2.000001 })
    assert.deepEqual(body, { applied: false, used: 2, reason: 'below_zero' })
    assert.equal((await fixture.record(acme, 'c', { amount: -2 })).body.used, 0)
  })
})

describe('400', () => {
  const refused: [string, object][] = [
    ['amount', { amount: 1e12 + 1 }],
    ['amount', { amount: 0.0000001 }],
    ['amount', { amount: '1' }],
    ['amount', { amount: null }],
    ['occurredAt', { occurredAt: noon + 300_001 }],
    ['occurredAt', { occurredAt: Date.UTC(1999, 11, 31) }],
    ['occurredAt', { occurredAt: 1.5 }],
    ['enforceLimit', { enforceLimit: 'yes' }],
    ['eventKey', { eventKey: '' }],
    ['eventKey', { eventKey: '..' }],
    ['eventKey', { eventKey: 'x'.repeat(256) }],
    ['metadata', { metadata: { a: 1 } }],
    ['customerId', { customerId: 'a\u0000b' }],
    ['colour', { colour: 'red' }],
    ['track usage', { featureKey: 'cap' }],
    ['track usage', { featureKey: 'sso' }],
  ]
  for (const [field, body] of refused) {
    it(`names ${field} for ${JSON.stringify(body).slice(0, 60)}`, async () => {
      const acme = await fixture.makeCustomer()
      const answer = await fixture.record(acme, 'a', body)
      assert.equal(answer.status, 400, answer.text)
      assert.match(answer.body.error, new RegExp(field))
    })
  }

  it('for a total beyond 10^12, which leaves the key free', async () => {
    const acme = await fixture.makeCustomer()
    await fixture.record(acme, 'a', { amount: 1e12 })
    assert.equal((await fixture.record(acme, 'b')).headers['x-error-code'], 'total_out_of_range')
    assert.equal((await fixture.record(acme, 'b', { amount: -1 })).body.used, 1e12 - 1)
  })
})

describe('404', () => {
  it('for an unknown customer or feature', async () => {
    const acme = await fixture.makeCustomer()
    assert.equal((await fixture.record('nobody', 'a')).headers['x-error-code'], 'customer_not_found')
    const feature = await fixture.record(acme, 'a', { featureKey: 'nothing' })
    assert.equal(feature.headers['x-error-code'], 'feature_not_found')
  })

  it('for a customer of the other environment', async () => {
    const acme = await fixture.makeCustomer()
    const body = { customerId: acme, featureKey: 'calls', eventKey: 'a' }
    assert.equal(
      (await fixture.request('POST', '/v1/usage', { body, key: fixture.service.keys.live })).status,
      404,
    )
  })
})

describe('409 event_key_reused', () => {
  it('for another amount, and for a key that a set took', async () => {
    const acme = await fixture.makeCustomer()
    await fixture.record(acme, 'a', { amount: 2 })
    assert.equal((await fixture.record(acme, 'a', { amount: 3 })).headers['x-error-code'], 'event_key_reused')
    await fixture.set(acme, 's', 1)
    assert.equal((await fixture.record(acme, 's', { amount: 1 })).status, 409)
    assert.equal((await fixture.usage(acme)).used, 1)
  })
})
