// Odd bodies, queries and paths on every route of the dashboard's own, made from the routes: refused with a sentence, never a 5xx.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { buildDashboardDocument } from '../../src/dashboard-types.ts'
import type { Answer } from '../service.ts'
import { type DashboardService, startDashboardService } from './dashboard-fixture.ts'

let service: DashboardService
before(async () => {
  service = await startDashboardService()
})
after(() => service.close())

type Operation = {
  parameters?: { name: string; in: string }[]
  requestBody?: { content?: { 'application/json'?: { schema: { properties?: object } } } }
}

const operations = Object.entries(buildDashboardDocument().paths).flatMap(([template, methods]) =>
  Object.entries(methods as Record<string, Operation>).map(([method, operation]) => ({
    method: method.toUpperCase(),
    path: template.replace('/dashboard/api/', '').replace('{environment}', 'test'),
    operation,
  })),
)
const fill = (path: string, value: string) => path.replaceAll(/\{\w+\}/g, value)

const brokenBodies = [
  '{"a":',
  '[]',
  'null',
  '"x"',
  '7',
  '{"__proto__":{"a":1}}',
  `${'['.repeat(9_000)}`,
  '\0',
]
const oddValues = [
  ...['null', 'true', '-1', '1.5', '1e400', '9007199254740993', '""', '"word"', '[]', '{}', '[null]', '[{}]'],
  ...['"a\\u0000b"', '"\\ud800"', `"${'k'.repeat(5_000)}"`, '{"__proto__":1}'],
]
const oddTexts = [
  '',
  '%00',
  '%ff',
  '%zz',
  '%ed%a0%80',
  'x'.repeat(3_000),
  '-1',
  '1e400',
  '0.5',
  "'",
  '%5C',
  '..%2f..',
]

function assertRefusedWell(answer: Answer, about: string): void {
  assert.ok(answer.status < 500, `${about}: ${answer.status} ${answer.text.slice(0, 200)}`)
  if (answer.status < 400) return
  assert.equal(typeof answer.body?.error, 'string', about)
  assert.ok(answer.headers['x-error-code'] && answer.headers['x-request-id'], about)
}

describe('bodies', () => {
  for (const { method, path, operation } of operations.filter(({ operation }) => operation.requestBody)) {
    it(`${method} ${path}`, async () => {
      const url = fill(path, '00000000-0000-4000-8000-000000000000')
      for (const raw of brokenBodies) {
        const answer = await service.admin.request(method, url, { raw })
        assert.equal(answer.status, 400, `${raw.slice(0, 20)}: ${answer.text}`)
      }
      const schema = operation.requestBody?.content?.['application/json']?.schema
      const fields = [...Object.keys(schema?.properties ?? {}), 'surprise', '__proto__']
      for (const field of fields)
        for (const value of oddValues) {
          const raw = `{${JSON.stringify(field)}:${value}}`
          assertRefusedWell(await service.admin.request(method, url, { raw }), `${url} ${raw.slice(0, 60)}`)
        }
    })
  }
})

describe('paths', () => {
  for (const { method, path } of operations.filter((each) => /\{\w+\}/.test(each.path))) {
    it(`${method} ${path}`, async () => {
      for (const value of oddTexts.filter((text) => text !== '')) {
        const answer = await service.admin.request(
          method,
          fill(path, value),
          method === 'GET' ? {} : { body: {} },
        )
        assert.ok(answer.status >= 400, `${value}: ${answer.status}`)
        assertRefusedWell(answer, value)
      }
    })
  }
})

describe('queries', () => {
  for (const { path, operation } of operations.filter(({ method }) => method === 'GET')) {
    it(`GET ${path}`, async () => {
      const url = fill(path, 'thing')
      const names = (operation.parameters ?? []).filter((each) => each.in === 'query').map(({ name }) => name)
      for (const name of ['unknown', '__proto__', 'a[b]']) {
        const answer = await service.admin.request('GET', `${url}?${name}=1`)
        assert.ok([400, 404].includes(answer.status), `${name}: ${answer.status}`)
      }
      for (const name of names) {
        assert.equal((await service.admin.request('GET', `${url}?${name}=1&${name}=2`)).status, 400, name)
        for (const value of oddTexts)
          assertRefusedWell(await service.admin.request('GET', `${url}?${name}=${value}`), `${name}=${value}`)
      }
    })
  }
})
