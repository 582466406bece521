// Who gets in: every route of openapi.json against every key that must not open it, and against the other environment's.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { createApiKey, makeSecret, revokeApiKey } from '../../src/operations/keys/api-keys.ts'
import { startTestService, type TestService } from '../service.ts'
import { createExisting, type Existing, hashTables, type Listed, pathOf, sampleBody } from './requests.ts'
import { operations } from './validator.ts'

let service: TestService
let existing: Existing
before(async () => {
  // Several, because each limits how often one address may come without a valid key.
  service = await startTestService({ instances: 4 })
  existing = await createExisting(service)
})
after(() => service.close())

const titleOf = ({ method, template }: Listed) => `${method} ${template}`
const isWrite = ({ method }: Listed) => method !== 'GET'

async function createClosedKeys(): Promise<{ revoked: string; expired: string }> {
  const database = service.instances[0]?.services.database
  assert.ok(database)
  const make = (expiresAt: number | null, now: number) =>
    createApiKey(
      database,
      { actor: 'test', now },
      { environment: 'test', name: 'x', scope: 'full', expiresAt },
    )
  const revoked = await make(null, Date.now())
  await revokeApiKey(
    database,
    { actor: 'test', now: Date.now() },
    { environment: 'test', keyId: revoked.keyId },
  )
  const expired = await make(Date.now() - 1_000, Date.now() - 60_000)
  return { revoked: revoked.secret, expired: expired.secret }
}

describe('a key that is not valid', () => {
  it('gets 401 with one and the same body on every route, and changes nothing', async () => {
    const { revoked, expired } = await createClosedKeys()
    const keys: Record<string, string | null> = {
      none: null,
      empty: '',
      malformed: 'Bearer x',
      'a hash': 'a'.repeat(64),
      unknown: makeSecret('test'),
      'in the other environment': service.keys.test.replace('tk_test_', 'tk_live_'),
      'with a space': `${service.keys.test} x`,
      'with a letter more': `${service.keys.test}x`,
      revoked,
      expired,
    }
    const before = await hashTables(service)
    const seen = new Set<string>()
    for (const [index, [what, key]] of Object.entries(keys).entries()) {
      // All routes for some kinds, a few for the others: the address limit is not what is tested here.
      const listed = ['none', 'unknown', 'revoked', 'expired'].includes(what)
        ? operations
        : operations.slice(0, 6)
      for (const each of listed) {
        const body = sampleBody(each.operation, existing)
        const answer = await service.request(each.method, pathOf(each, existing), {
          body,
          key,
          instance: index % 4,
        })
        assert.equal(answer.status, 401, `${titleOf(each)}, key ${what}: ${answer.text}`)
        assert.equal(answer.headers.ratelimit, undefined)
        seen.add(`${answer.headers['x-error-code']} ${answer.text}`)
      }
    }
    assert.equal(seen.size, 1)
    assert.equal(await hashTables(service), before)
  })

  it('is told nothing about whether a thing exists, or whether its body is any good', async () => {
    for (const path of ['/v1/customers/acme', '/v1/customers/nobody', '/v1/features/%00']) {
      assert.equal((await service.request('GET', path, { key: null, instance: 3 })).status, 401)
    }
    const options = { key: null, instance: 3, raw: '{', headers: { 'content-type': 'application/json' } }
    assert.equal((await service.request('POST', '/v1/customers', options)).status, 401)
  })
})

describe('a key that may only read', () => {
  it('gets 403 on every writing route and changes nothing', async () => {
    const before = await hashTables(service)
    for (const each of operations.filter(isWrite)) {
      const body = sampleBody(each.operation, existing)
      const answer = await service.request(each.method, pathOf(each, existing), {
        body,
        key: service.keys.testRead,
      })
      assert.equal(answer.status, 403, `${titleOf(each)}: ${answer.text}`)
      assert.equal(answer.headers['x-error-code'], 'read_only_key')
    }
    assert.equal(await hashTables(service), before)
  })

  it('reads whatever a full key reads', async () => {
    for (const each of operations.filter((listed) => !isWrite(listed))) {
      const path = pathOf(each, existing)
      const full = await service.request('GET', path)
      const read = await service.request('GET', path, { key: service.keys.testRead })
      assert.equal(full.status, 200, titleOf(each))
      assert.equal(read.status, 200, titleOf(each))
    }
  })
})

describe('the other environment', () => {
  const namesSomething = ({ method, template, operation }: Listed) =>
    !['POST /v1/customers', 'POST /v1/customers/batch'].includes(`${method} ${template}`) &&
    (template.includes('{') ||
      operation.parameters.some((each) => each.name === 'customerId' && each.required) ||
      /"required":\[[^\]]*"customerId"/.test(JSON.stringify(operation.requestBody ?? {})))

  it('finds nothing of the first by any id, learns nothing of it, and changes nothing in it', async () => {
    const lookAtAll = async () => {
      const texts = []
      for (const each of operations.filter(
        (listed) => !isWrite(listed) && listed.template !== '/v1/test-clock',
      )) {
        const { text } = await service.request('GET', pathOf(each, existing))
        texts.push(text)
      }
      return texts.join('\n')
    }
    const before = await lookAtAll()
    assert.ok(before.includes(existing.marker))
    const [named, others] = [
      operations.filter(namesSomething),
      operations.filter((each) => !namesSomething(each)),
    ]
    // Those that make something come last, or the rest would find what they made there under the same name.
    for (const each of [...named, ...others]) {
      const body = sampleBody(each.operation, existing)
      const answer = await service.request(each.method, pathOf(each, existing), {
        body,
        key: service.keys.live,
      })
      const about = `${titleOf(each)}: ${answer.status} ${answer.text}`
      assert.ok(!answer.text.includes(existing.marker), about)
      const isNothing = answer.status === 200 && (answer.body === null || answer.body.hasErrors === true)
      if (named.includes(each)) assert.ok(isNothing || [403, 404].includes(answer.status), about)
    }
    assert.equal(await lookAtAll(), before)
  })
})
