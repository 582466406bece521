// Bodies from which JSON.parse would drop something: a field sent twice, and digits that a number has no room for.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { parseExactly } from '../../src/http/exact-json.ts'
import { startTestService, type TestService } from '../service.ts'

let service: TestService
before(async () => {
  service = await startTestService()
  await service.request('POST', '/v1/features', { body: { featureKey: 'calls', name: 'x', type: 'limit' } })
  await service.request('POST', '/v1/customers', { body: { customerId: 'acme' } })
})
after(() => service.close())

const send = (path: string, raw: string) =>
  service.request('POST', path, { raw, headers: { 'content-type': 'application/json' } })
const event = (more: string) => `{"customerId":"acme","featureKey":"calls","eventKey":"e","amount":${more}}`

describe('a field sent twice', () => {
  const repeated: [string, string][] = [
    ['{"a":1,"a":1}', 'a'],
    ['{"a":1,"b":{"c":[{"d":1},{"d":1,"d":2}]}}', 'd'],
    ['{"\\u0061":1,"a":2}', 'a'],
    ['{"a\\"":1,"a\\"":2}', 'a"'],
    ['{"__proto__":1,"__proto__":2}', '__proto__'],
    ['{"":1 , "" : 2}', ''],
  ]
  for (const [text, name] of repeated)
    it(`is found: ${text}`, () => {
      const parsed = parseExactly(Buffer.from(text))
      assert.ok('repeated' in parsed)
      assert.equal(parsed.repeated.message, `${JSON.stringify(name)} must be sent once.`)
    })

  const fine = [
    '{"a":1,"b":{"a":1},"c":[{"a":1},{"a":1}]}',
    '{"a":"{\\"a\\":1}","b":"x:y\\\\"}',
    '{"A":1,"a":2}',
    '[]',
    '"a:b"',
    '{"é:":{}, "__proto__": {"x": 1}}',
    `${'['.repeat(100_000)}${']'.repeat(100_000)}`,
  ]
  for (const text of fine)
    it(`is not: ${text.slice(0, 40)}`, () => {
      const parsed = parseExactly(Buffer.from(text))
      assert.ok('value' in parsed)
      if (text.length < 100) assert.deepEqual(parsed.value, JSON.parse(text))
    })

  it('400: names it, and changes nothing', async () => {
    const { status, body, headers } = await send('/v1/usage', event('1,"amount":2'))
    assert.deepEqual(
      [status, headers['x-error-code'], body.error],
      [400, 'repeated_field', '"amount" must be sent once.'],
    )
    assert.equal((await service.request('GET', '/v1/usage?customerId=acme')).body.events.length, 0)
  })
})

describe('a number of more digits than it keeps', () => {
  for (const amount of ['1.00000000000000001', '999999999999.999999', '0.10000000000000000001e1'])
    it(`400: ${amount}`, async () => {
      const { status, body } = await send('/v1/usage', event(amount))
      assert.equal(status, 400)
      assert.match(body.error, /^amount must .*15 significant digits/)
    })

  it('400: in a query', async () => {
    for (const amount of ['999999999999.999999', '1234567890123.999']) {
      const { status, body } = await service.request(
        'GET',
        `/v1/check?customerId=acme&featureKey=calls&amount=${amount}`,
      )
      assert.equal(status, 400)
      assert.match(body.error, /^amount must/)
    }
  })

  it('fails the one event of a batch that has it', async () => {
    const events = [event('1'), event('1.00000000000000001'), event('0.30000000000000004')]
    const named = events.map((each, index) => each.replace('"e"', `"batch-${index}"`))
    const { status, body } = await send('/v1/usage/batch', `{"events":[${named}]}`)
    assert.equal(status, 200)
    const errors = body.results.map((each: { error?: string }) => each.error)
    assert.equal(errors[0], undefined)
    assert.match(errors[1], /^events\[1\]\.amount must/)
    assert.match(errors[2], /^events\[2\]\.amount must .*0\.30000000000000004 came/)
  })

  it('200: zeros at its ends are no digits', async () => {
    const { status, body } = await send('/v1/usage', event('1.00000000000000000000'))
    assert.deepEqual([status, body.applied], [200, true])
  })
})
