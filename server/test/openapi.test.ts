// openapi.json: made from the routes, current, and whole enough for others to build on.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { routes } from '../src/app.ts'
import { openApiFile } from '../src/http/documents.ts'
import { buildOpenApi } from '../src/http/openapi.ts'
import { document, operations, type Schema } from './contract/validator.ts'
import { call, startTestService, type TestService } from './service.ts'

type Shape = Schema & { description?: string; examples?: unknown[]; properties?: Record<string, Shape> }

let service: TestService
before(async () => {
  service = await startTestService()
})
after(() => service.close())

const committed = readFileSync(openApiFile, 'utf8')

describe('openapi.json', () => {
  it('is what the routes say: run node server/src/cli/write-openapi.ts when this fails', () => {
    assert.equal(committed, `${JSON.stringify(buildOpenApi(routes), null, 2)}\n`)
  })

  it('gives every operation an id of its own, a summary, a tag and the errors every route has', () => {
    assert.equal(new Set(operations.map(({ operation }) => operation.operationId)).size, operations.length)
    for (const { method, operation } of operations) {
      const { summary, tags } = operation as unknown as { summary: string; tags: string[] }
      assert.ok(summary && tags[0], operation.operationId)
      const every =
        method === 'GET' ? ['400', '401', '429', '500', '503'] : ['400', '401', '403', '413', '415']
      for (const status of every) assert.ok(operation.responses[status], `${operation.operationId} ${status}`)
      assert.ok(Object.keys(operation.responses).some((status) => status.startsWith('2')))
    }
  })

  it('says of remaining, wherever it is, that it includes bonuses', () => {
    const { Usage, AccessArithmetic, BonusChange } = document.components.schemas as Record<string, Shape>
    assert.match(Usage?.properties?.remaining?.description ?? '', /bonuses included: never add/)
    assert.match(AccessArithmetic?.properties?.remaining?.description ?? '', /bonuses included/)
    assert.match(BonusChange?.properties?.counterRemaining?.description ?? '', /bonuses included/)
  })

  it('refers to nothing that is not there', () => {
    const { components } = JSON.parse(committed)
    for (const [, name = ''] of committed.matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      assert.ok(components.schemas[name], name)
    }
    for (const [, kind = '', name = ''] of committed.matchAll(/"#\/components\/(headers|responses)\/(\w+)"/g))
      assert.ok(components[kind][name], name)
  })

  it('is served as it is, with a reference page that needs nothing from elsewhere', async () => {
    const url = service.urls[0] as string
    const document = await call(undefined, url, 'GET', '/openapi.json', undefined, {})
    assert.equal(document.text, committed)
    const page = await call(undefined, url, 'GET', '/docs', undefined, {})
    assert.equal(page.status, 200)
    assert.match(String(page.headers['content-security-policy']), /default-src 'none'; script-src 'self'/)
    assert.doesNotMatch(String(page.headers['content-security-policy']), /unsafe|https?:/)
    assert.doesNotMatch(
      page.text,
      /(src|href|action)="(https?:)?\/\/|<style| style="| on\w+="|<script(?! src="\/docs\/)/,
    )
    for (const { operation } of operations) assert.ok(page.text.includes(`id="${operation.operationId}"`))
  })
})
