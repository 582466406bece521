// OpenFeature's remote evaluation protocol, asked as its description has it: flags, refusals, keys, ETags, windows.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { call, startTestService } from '../service.ts'
import { dayMs, noon } from '../usage/usage-fixture.ts'
import { startOfrepFixture } from './ofrep-fixture.ts'

let fixture: Awaited<ReturnType<typeof startOfrepFixture>>
before(async () => {
  fixture = await startOfrepFixture()
})
after(() => fixture.close())

const target = (targetingKey: unknown) => ({ context: { targetingKey, plan: 'of no concern' } })

describe('POST /ofrep/v1/evaluate/flags/{key}', () => {
  it('200: says whether a limit has something left, with the entry as flat metadata', async () => {
    const customerId = await fixture.makeCustomer()
    await fixture.record(customerId, 'a', { amount: 9.5 })
    const { status, body } = await fixture.evaluate('calls', target(customerId))
    assert.equal(status, 200)
    const { metadata, ...flag } = body
    assert.deepEqual(flag, { key: 'calls', value: true, reason: 'TARGETING_MATCH', variant: 'allowed' })
    const { usage, ...entry } = await fixture.entry(customerId)
    assert.deepEqual(metadata, { featureKey: 'calls', ...entry, ...usage })
    assert.ok(Object.values(metadata).every((each) => ['string', 'number', 'boolean'].includes(typeof each)))
    await fixture.record(customerId, 'b', { amount: 0.5 })
    const spent = (await fixture.evaluate('calls', target(customerId))).body
    assert.deepEqual([spent.value, spent.variant], [false, 'limit_reached'])
    await fixture.give(customerId, 0.000001)
    assert.equal((await fixture.evaluate('calls', target(customerId))).body.value, true)
  })

  it('200: gives the figures of a limit, bonuses included in what remains', async () => {
    const customerId = await fixture.makeCustomer()
    await fixture.record(customerId, 'a', { amount: 4 })
    await fixture.give(customerId, 5)
    const figures = []
    for (const figure of ['remaining', 'limit', 'used']) {
      const { body } = await fixture.evaluate(`calls@${figure}`, target(customerId))
      figures.push([body.key, body.value, body.variant])
    }
    assert.deepEqual(figures, [
      ['calls@remaining', 11, 'limited'],
      ['calls@limit', 10, 'limited'],
      ['calls@used', 4, 'limited'],
    ])
  })

  it('200: without access everything is refused and nothing is left', async () => {
    const customerId = await fixture.makeCustomer({ customProductKeys: ['nothing'] })
    const sso = (await fixture.evaluate('sso', target(customerId))).body
    assert.deepEqual([sso.value, sso.variant, sso.metadata.hasAccess], [false, 'no_access', false])
    const left = (await fixture.evaluate('calls@remaining', target(customerId))).body
    assert.deepEqual([left.value, left.variant], [0, 'no_access'])
  })

  it('200: an archived feature that the customer does not hold is off', async () => {
    await fixture.makeFeature('old', { type: 'boolean' })
    await fixture.make('POST', '/v1/features/old/archive', { archived: true })
    const customerId = await fixture.makeCustomer()
    assert.equal((await fixture.evaluate('old', target(customerId))).body.value, false)
  })

  it('400: names what is wrong with the context', async () => {
    const customerId = await fixture.makeCustomer()
    const cases: [body: unknown, errorCode: string, details: RegExp][] = [
      ['{"context":', 'PARSE_ERROR', /not valid JSON/],
      ['', 'TARGETING_KEY_MISSING', /targetingKey/],
      [{}, 'TARGETING_KEY_MISSING', /targetingKey/],
      [target(''), 'TARGETING_KEY_MISSING', /targetingKey/],
      [target(7), 'INVALID_CONTEXT', /targetingKey/],
      [target('a\u0000b'), 'INVALID_CONTEXT', /control characters/],
      [target('nobody'), 'INVALID_CONTEXT', /There is no customer "nobody"/],
      [{ context: customerId }, 'INVALID_CONTEXT', /object/],
      [[], 'INVALID_CONTEXT', /object/],
      ['7', 'INVALID_CONTEXT', /object/],
    ]
    for (const [sent, errorCode, details] of cases) {
      const { status, body, headers } = await fixture.evaluate('calls', sent)
      assert.deepEqual([status, body.key, body.errorCode], [400, 'calls', errorCode], JSON.stringify(sent))
      assert.match(body.errorDetails, details)
      assert.match(String(headers['x-error-code']), /^[a-z_]+$/)
      const bulk = await fixture.evaluateAll(sent)
      assert.deepEqual([bulk.status, bulk.body.key, bulk.body.errorCode], [400, undefined, errorCode])
    }
  })

  it('404: an unknown flag, an unknown figure, and the figure of what has none', async () => {
    const customerId = await fixture.makeCustomer()
    for (const key of ['absent', 'calls@', 'calls@limit@used', 'calls@spent', 'sso@limit', '@', 'a/b', '%']) {
      const { status, body } = await fixture.evaluate(key, target(customerId))
      assert.deepEqual([status, body.key, body.errorCode], [404, key, 'FLAG_NOT_FOUND'])
    }
  })

  it('401, 405, 413, 415: keep to the protocol’s shape', async () => {
    const customerId = await fixture.makeCustomer()
    const refused = await fixture.evaluate('calls', target(customerId), { 'x-api-key': 'no' })
    assert.deepEqual([refused.status, refused.body.errorCode], [401, 'GENERAL'])
    const large = await fixture.evaluate('calls', { ...target(customerId), more: 'x'.repeat(1_100_000) })
    assert.deepEqual([large.status, large.body.errorCode], [413, 'PARSE_ERROR'])
    const text = await fixture.evaluate('calls', 'x', { 'content-type': 'text/plain' })
    assert.deepEqual([text.status, text.body.errorCode], [415, 'PARSE_ERROR'])
    for (const path of ['/ofrep/v1/evaluate/flags', '/ofrep/v1/evaluate/flags/calls']) {
      const other = await call(undefined, fixture.url, 'GET', path, undefined, {})
      assert.deepEqual([other.status, other.headers.allow], [405, 'POST'])
    }
  })

  it('takes a key in either header, and one that may only read', async () => {
    const customerId = await fixture.makeCustomer()
    const { testRead, live } = fixture.service.keys
    for (const headers of [
      { 'x-api-key': testRead },
      { authorization: `Bearer ${testRead}` },
      { authorization: `bearer ${testRead}` },
    ]) {
      const path = `${fixture.url}/ofrep/v1/evaluate/flags/sso`
      const answer = await fetch(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers } as Record<string, string>,
        body: JSON.stringify(target(customerId)),
      })
      assert.equal(answer.status, 200, JSON.stringify(Object.keys(headers)))
    }
    // The other environment has neither the customer nor the flag.
    const other = await fixture.evaluate('sso', target(customerId), { 'x-api-key': live })
    assert.deepEqual([other.status, other.body.errorCode], [400, 'INVALID_CONTEXT'])
  })
})

describe('POST /ofrep/v1/evaluate/flags', () => {
  it('200: every feature as a flag and every limit with its figures', async () => {
    const customerId = await fixture.makeCustomer()
    await fixture.record(customerId, 'a', { amount: 3 })
    const { status, body } = await fixture.evaluateAll(target(customerId))
    assert.equal(status, 200)
    const values = Object.fromEntries(
      body.flags.map((flag: { key: string; value: unknown; variant: string }) => [
        flag.key,
        [flag.value, flag.variant],
      ]),
    )
    const endless = [Number.MAX_SAFE_INTEGER, 'unlimited']
    assert.deepEqual(values, {
      calls: [true, 'allowed'],
      'calls@remaining': [7, 'limited'],
      'calls@limit': [10, 'limited'],
      'calls@used': [3, 'limited'],
      sso: [true, 'allowed'],
      reports: [false, 'no_access'],
      tokens: [true, 'allowed'],
      'tokens@remaining': endless,
      'tokens@limit': endless,
      'tokens@used': [0, 'unlimited'],
      seats: [true, 'allowed'],
      'seats@remaining': [3, 'limited'],
      'seats@limit': [3, 'limited'],
      'seats@used': [0, 'limited'],
    })
  })

  it('304: as long as nothing changed, and only then', async () => {
    const customerId = await fixture.makeCustomer()
    const first = await fixture.evaluateAll(target(customerId))
    const etag = String(first.headers.etag)
    for (const header of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await fixture.evaluateAll(target(customerId), { 'if-none-match': header })
      assert.deepEqual([again.status, again.text, again.headers.etag], [304, '', etag], header)
    }
    assert.equal((await fixture.evaluateAll(target(customerId), { 'if-none-match': '"other"' })).status, 200)
    await fixture.record(customerId, 'a')
    const changed = await fixture.evaluateAll(target(customerId), { 'if-none-match': etag })
    assert.equal(changed.status, 200)
    assert.notEqual(changed.headers.etag, etag)
    // A reset changes the flags without anything being written.
    const before = String(changed.headers.etag)
    await fixture.setClock(noon + 60 * dayMs)
    assert.equal((await fixture.evaluateAll(target(customerId), { 'if-none-match': before })).status, 200)
    await fixture.setClock(noon)
  })
})

describe('the window of a key', () => {
  it('counts an evaluation as a read, and refuses with retry-after what is too much', async () => {
    const service = await startTestService({ limits: { all: 3, write: 1 } })
    const statuses = []
    let retryAfter: string | undefined
    for (let count = 0; count < 4; count++) {
      const path = '/ofrep/v1/evaluate/flags'
      const headers = { 'x-api-key': service.keys.testRead, 'content-type': 'application/json' }
      const answer = await call(undefined, service.urls[0] as string, 'POST', path, '{}', headers)
      statuses.push(answer.status)
      retryAfter = answer.headers['retry-after']
    }
    await service.close()
    assert.deepEqual(statuses, [400, 400, 400, 429])
    assert.match(String(retryAfter), /^\d+$/)
  })
})
