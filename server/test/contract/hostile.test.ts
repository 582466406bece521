// Hostile input on every route of openapi.json: refused with the field named, never a 5xx, and nothing changed.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Answer, startTestService, type TestService } from '../service.ts'
import { listMutants } from './mutants.ts'
import {
  bodySchema,
  createExisting,
  type Existing,
  hashTables,
  isAllowed,
  type Listed,
  pathOf,
  sampleBody,
} from './requests.ts'
import { operations } from './validator.ts'

let service: TestService
let existing: Existing
before(async () => {
  service = await startTestService()
  existing = await createExisting(service)
  // Whatever the service does by itself about what was just made is over before anything is compared.
  for (let last = ''; ; ) {
    const hash = await hashTables(service)
    if (hash === last) break
    last = hash
    await sleep(200)
  }
})
after(() => service.close())

const json = { 'content-type': 'application/json' }
const writes = operations.filter(({ operation }) => operation.requestBody)
const titleOf = ({ method, template }: Listed) => `${method} ${template}`

const sendText = (listed: Listed, raw: string | Buffer, headers: Record<string, string> = json) =>
  service.request(listed.method, pathOf(listed, existing), { raw, headers })

/** In a batch a broken item fails alone. */
const isRefused = ({ status, body }: Answer) =>
  (status >= 400 && status < 500) || (status === 200 && body?.hasErrors === true)

async function assertUnchanged(work: () => Promise<void>): Promise<void> {
  const before = await hashTables(service)
  await work()
  assert.equal(await hashTables(service), before, 'a refused request changed something')
}

/** Some at a time: faster than one by one, and no queue is filled on purpose. */
async function inTurns<Item>(items: Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const left = [...items]
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      for (let item = left.pop(); item !== undefined; item = left.pop()) await work(item)
    }),
  )
}

describe('bodies that the document does not allow', () => {
  for (const listed of writes) {
    it(`${titleOf(listed)}: each is refused, names its field and changes nothing`, () =>
      assertUnchanged(async () => {
        const schema = bodySchema(listed.operation) ?? {}
        const mutants = listMutants(schema, existing)
        const forbidden = mutants.filter(({ text, isText }) => isText || !isAllowed(schema, JSON.parse(text)))
        assert.ok(forbidden.length > 10, `only ${forbidden.length} mutants`)
        await inTurns(forbidden, async ({ text, field }) => {
          const answer = await sendText(listed, text)
          const about = `${text.slice(0, 200)} → ${answer.status} ${answer.text.slice(0, 200)}`
          assert.ok(isRefused(answer), about)
          if (answer.status === 400)
            assert.ok(answer.body.error.includes(field), `${field} is not named: ${about}`)
        })
      }))
  }
})

describe('bodies that are no JSON object', () => {
  const deep = 200_000
  const broken: [string, string | Buffer, Record<string, string>, number][] = [
    ['broken JSON', '{"a":', json, 400],
    ['a comma too many', '{"a":1,}', json, 400],
    ['a bare word', 'hello', json, 400],
    ['a number that is none', '{"a":NaN}', json, 400],
    ['two documents', '{}{}', json, 400],
    ['only spaces', '   ', json, 400],
    ['a NUL', '\0', json, 400],
    ['a byte order mark before a list', '\ufeff[]', json, 400],
    ['invalid UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]), json, 400],
    ['an overlong encoding', Buffer.from([0x7b, 0x22, 0xc0, 0x80, 0x22, 0x3a, 0x31, 0x7d]), json, 400],
    ['a list', '[]', json, 400],
    ['null', 'null', json, 400],
    ['a string', '"x"', json, 400],
    ['a number', '1e400', json, 400],
    ['deep nesting', `${'['.repeat(deep)}${']'.repeat(deep)}`, json, 400],
    ['deep objects', `${'{"a":'.repeat(deep / 4)}1${'}'.repeat(deep / 4)}`, json, 400],
    ['deep nesting never closed', '['.repeat(deep), json, 400],
    ['a key __proto__', '{"__proto__":{"name":"x"}}', json, 400],
    ['a key constructor', '{"constructor":{"prototype":{"name":"x"}}}', json, 400],
    ['more than 1 MiB', `{"a":"${'x'.repeat(1024 * 1024)}"}`, json, 413],
    ['text', '{}', { 'content-type': 'text/plain' }, 415],
    ['a form', 'a=1', { 'content-type': 'application/x-www-form-urlencoded' }, 415],
    ['XML', '<a/>', { 'content-type': 'application/xml' }, 415],
    ['no content type', '{}', {}, 415],
    ['an unreadable content type', '{}', { 'content-type': '???' }, 415],
  ]
  for (const [what, raw, headers, status] of broken) {
    it(`${what}: ${status} on every route that takes a body, and nothing changed`, () =>
      assertUnchanged(() =>
        inTurns(writes, async (listed) => {
          const answer = await sendText(listed, raw, headers)
          assert.equal(answer.status, status, `${titleOf(listed)}: ${answer.text}`)
        }),
      ))
  }

  it('whoever has no key hears of that, not of the body', () =>
    assertUnchanged(() =>
      inTurns(writes, async (listed) => {
        for (const [raw, type] of [
          ['{"a":', 'application/json'],
          ['<a/>', 'application/xml'],
        ] as const) {
          const answer = await sendText(listed, raw, {
            'content-type': type,
            'x-api-key': 'tk_test_nobody_has_this',
          })
          assert.equal(answer.status, 401, `${titleOf(listed)}: ${answer.text}`)
        }
      }),
    ))

  it('an empty body counts as absent, whatever its content type', async () => {
    for (const type of ['application/json', 'text/plain', 'application/xml', '???', '', 'a/b; charset="']) {
      await inTurns(writes, async (listed) => {
        const answer = await sendText(listed, '', { 'content-type': type })
        assert.ok(answer.status < 500 && answer.status !== 415, `${titleOf(listed)} ${type}: ${answer.text}`)
        if (listed.operation.requestBody?.required) assert.equal(answer.status, 400, titleOf(listed))
      })
    }
  })
})

describe('paths', () => {
  const long = 'k'.repeat(2000)
  const values = [
    '%2F',
    'a%2Fb',
    '..%2f..',
    '%00',
    'a%00b',
    '..',
    '.',
    '%2e%2e',
    '%zz',
    '%',
    '%ff',
    '%ed%a0%80',
    long,
  ]
  values.push(
    'k'.repeat(5000),
    '%F0%9F%98%80',
    'e%CC%81',
    '%C3%A9',
    '__proto__',
    'constructor',
    "'",
    '%5C',
    '%0a',
    '+',
    '*',
  )
  for (const listed of operations.filter(({ template }) => template.includes('{'))) {
    it(`${titleOf(listed)}: odd names are refused or unknown, and change nothing`, () =>
      assertUnchanged(() =>
        inTurns(values, async (value) => {
          const name = /\{(\w+)\}/.exec(listed.template)?.[1] as string
          const path = pathOf(listed, existing, { [name]: value })
          const body = sampleBody(listed.operation, existing)
          const answer = await service.request(listed.method, path, { body })
          const isNull = answer.status === 200 && answer.body === null
          assert.ok(
            isNull || [400, 403, 404].includes(answer.status),
            `${value}: ${answer.status} ${answer.text}`,
          )
        }),
      ))
  }

  it('a method that a path does not have: 405 with those it has', () =>
    inTurns([...Map.groupBy(operations, (listed) => listed.template).values()], async (group) => {
      const own = group.map((listed) => listed.method)
      for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE', 'PROPFIND']) {
        if (own.includes(method)) continue
        const answer = await service.request(method, pathOf(group[0] as Listed, existing))
        assert.equal(answer.status, 405, `${method} ${group[0]?.template}`)
        const allowed = own.includes('GET') ? [...own, 'HEAD'] : own
        assert.deepEqual(answer.headers.allow?.split(', ').sort(), allowed.sort())
      }
    }))
})

describe('queries', () => {
  const odd = [
    '',
    '%00',
    '%ff',
    '%zz',
    '%ed%a0%80',
    'x'.repeat(3000),
    '-0',
    '1e400',
    '9007199254740993',
    '0.1234567',
    'null',
  ]
  for (const listed of operations.filter(({ method }) => method === 'GET')) {
    it(`${titleOf(listed)}: odd values are never a 5xx, unknown and repeated parameters are 400`, async () => {
      const path = pathOf(listed, existing)
      const join = path.includes('?') ? '&' : '?'
      const names = listed.operation.parameters.filter((each) => each.in === 'query').map((each) => each.name)
      await inTurns(names, async (name) => {
        for (const value of odd) {
          const rest = path.replace(new RegExp(`([?&])${name}=[^&]*`), '$1').replace(/[?&]$/, '')
          const answer = await service.request(
            'GET',
            `${rest}${rest.includes('?') ? '&' : '?'}${name}=${value}`,
          )
          assert.ok(answer.status < 500, `${name}=${value}: ${answer.text}`)
        }
        assert.equal((await service.request('GET', `${path}${join}${name}=1&${name}=2`)).status, 400, name)
      })
      if (names.length === 0) return
      for (const name of ['unknown', '__proto__', 'constructor', 'a[b]']) {
        const answer = await service.request('GET', `${path}${join}${name}=1`)
        assert.equal(answer.status, 400, `${name}: ${answer.text}`)
      }
    })
  }
})

// Last, because some of these take effect.
describe('bodies that the document allows', () => {
  for (const listed of writes) {
    it(`${titleOf(listed)}: odd values are taken or refused, never a 5xx`, async () => {
      const schema = bodySchema(listed.operation) ?? {}
      for (const { text } of listMutants(schema, existing)) {
        const answer = await sendText(listed, text)
        assert.ok(answer.status < 500, `${text.slice(0, 300)} → ${answer.status} ${answer.text}`)
      }
    })
  }
})
