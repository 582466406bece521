// Whether generators can build on openapi.json: it is valid by the official schema, every field is described and shown by an
// example, shapes have one name, and a client made from it type-checks.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, it } from 'node:test'
import { promisify } from 'node:util'
import { Validator } from '@seriousme/openapi-schema-validator'
import openapiTypescript, { astToString } from 'openapi-typescript'
import { routes } from '../src/app.ts'
import { isAllowed } from './contract/requests.ts'
import { document, operations, type Schema } from './contract/validator.ts'

type Shape = Schema & {
  description?: string
  examples?: unknown[]
  properties?: Record<string, Shape>
  items?: Shape
}
type Body = { description?: string; content?: { 'application/json': { schema: Shape; example: unknown } } }

const bodiesOf = (operation: (typeof operations)[number]['operation']): [place: string, body: Body][] => [
  ...(operation.requestBody ? [['body', operation.requestBody] as unknown as [string, Body]] : []),
  ...(Object.entries(operation.responses) as [string, Body][]),
]

/** Every schema that stands in the document, with where it stands. */
function* eachSchema(schema: Shape, place: string): Generator<[place: string, schema: Shape]> {
  yield [place, schema]
  for (const [name, field] of Object.entries(schema.properties ?? {}))
    yield* eachSchema(field, `${place}.${name}`)
  if (schema.items) yield* eachSchema(schema.items, `${place}[]`)
  for (const choice of schema.anyOf ?? []) yield* eachSchema(choice, `${place}|`)
  if (typeof schema.additionalProperties === 'object')
    yield* eachSchema(schema.additionalProperties, `${place}{}`)
}

function listSchemas(): [place: string, schema: Shape][] {
  const named = Object.entries(document.components.schemas).flatMap(([name, schema]) => [
    ...eachSchema(schema, name),
  ])
  const inRoutes = operations.flatMap(({ operation }) =>
    bodiesOf(operation).flatMap(([place, { content }]) =>
      content ? [...eachSchema(content['application/json'].schema, `${operation.operationId} ${place}`)] : [],
    ),
  )
  return [...named, ...inRoutes]
}

const isLeaf = ({ $ref, properties, items, anyOf, additionalProperties, ...schema }: Shape) =>
  !$ref &&
  !properties &&
  !items &&
  !anyOf &&
  !additionalProperties &&
  schema.const === undefined &&
  !schema.enum

describe('openapi.json, for generators', () => {
  it('is valid by the official schema of OpenAPI 3.1', async () => {
    const result = await new Validator().validate(structuredClone(document) as never)
    assert.deepEqual(result.errors ?? [], [])
    assert.equal(result.valid, true)
    const broken = { ...structuredClone(document), info: { title: 'x' } }
    assert.equal((await new Validator().validate(broken as never)).valid, false)
  })

  it('describes every field, every parameter, every answer and every named shape', () => {
    const fields = listSchemas().flatMap(([place, { properties = {} }]) =>
      Object.entries(properties)
        .filter(([, field]) => !field.description)
        .map(([name]) => `${place}.${name}`),
    )
    const parameters = operations.flatMap(({ operation }) =>
      operation.parameters
        .filter((each) => !(each as { description?: string }).description)
        .map(({ name }) => `${operation.operationId} ?${name}`),
    )
    const shapes = Object.entries(document.components.schemas as Record<string, Shape>)
      .filter(([, { description }]) => !description)
      .map(([name]) => name)
    assert.deepEqual([...fields, ...parameters, ...shapes], [], 'see http/openapi/*-notes.ts')
  })

  it('shows an example of every field and parameter that is no choice, each of its own type', () => {
    const fields = listSchemas().flatMap(([place, { properties = {} }]) =>
      Object.entries(properties).map(([name, field]): [string, Shape] => [`${place}.${name}`, field]),
    )
    const parameters = operations.flatMap(({ operation }) =>
      operation.parameters.map(({ name, schema }): [string, Shape] => [
        `${operation.operationId} ?${name}`,
        schema,
      ]),
    )
    const all = [...fields, ...parameters]
    assert.deepEqual(
      all.filter(([, schema]) => isLeaf(schema) && !schema.examples).map(([place]) => place),
      [],
    )
    for (const [place, schema] of all)
      for (const example of schema.examples ?? [])
        assert.ok(isAllowed(schema, example), `${place}: ${JSON.stringify(example)}`)
  })

  it('shows bodies that are of their schema, and requests that the routes take', () => {
    for (const { operation } of operations)
      for (const [place, { content }] of bodiesOf(operation)) {
        if (!content) continue
        const { schema, example } = content['application/json']
        const about = `${operation.operationId} ${place}: ${JSON.stringify(example)}`
        assert.ok(example !== undefined && isAllowed(schema, example), about)
      }
    for (const { operationId, body } of routes) {
      if (!body) continue
      const { operation } =
        operations.find((each) => each.operation.operationId === operationId) ?? assert.fail()
      const { example } =
        (operation.requestBody as unknown as Body).content?.['application/json'] ?? assert.fail()
      assert.ok(
        Object.keys(example as object).length > 0,
        `${operationId}: see http/openapi/request-examples.ts`,
      )
      assert.equal(body.safeParse(example).error, undefined, `${operationId}`)
    }
  })

  it('has one name for each shape: no object of several fields is written twice', () => {
    const places = Map.groupBy(
      listSchemas().filter(([, { properties }]) => Object.keys(properties ?? {}).length > 1),
      ([, { description: _said, ...schema }]) => JSON.stringify(schema),
    )
    const twice = [...places.values()].filter((each) => each.length > 1)
    assert.deepEqual(
      twice.map((each) => each.map(([place]) => place)),
      [],
    )
  })

  it('has tags that are described, and routes that use them', () => {
    const { tags } = document as unknown as { tags: { name: string; description: string }[] }
    const used = new Set(operations.flatMap(({ operation }) => (operation as { tags?: string[] }).tags ?? []))
    assert.deepEqual(new Set(tags.map(({ name }) => name)), used)
    for (const { description } of tags) assert.ok(description.length > 20)
  })

  it('names the headers of every answer, and the codes of every error', () => {
    const { responses, headers } = document.components as unknown as {
      responses: Record<string, { headers: Record<string, { description?: string }> }>
      headers: Record<string, { description: string }>
    }
    for (const [name, answer] of Object.entries(responses)) {
      assert.match(answer.headers['x-error-code']?.description ?? '', /Known: [a-z_]+/, name)
      assert.ok(answer.headers['x-request-id'], name)
    }
    assert.ok(responses.TooManyRequests?.headers['retry-after'])
    for (const { description } of Object.values(headers)) assert.ok(description)
  })
})

const use = `import type { components, operations, paths } from './client.ts'

type Recorded = operations['recordUsage']['responses'][200]['content']['application/json']
type Body = NonNullable<operations['recordUsage']['requestBody']>['content']['application/json']
type Access = paths['/v1/feature-access']['get']['responses'][200]['content']['application/json']

export const body: Body = { customerId: 'acme', featureKey: 'api_calls', eventKey: 'a', amount: 3 }
export const read = (recorded: Recorded): number => recorded.used
export const left = (access: Access): number | undefined => access.api_calls?.usage?.remaining
export const customer = ({ products }: components['schemas']['Customer']): string[] => products.map(({ key }) => key)
`

describe('a client generated with openapi-typescript', () => {
  const run = promisify(execFile)
  // The compiler of the project, not the older one that the generator itself needs.
  const compiler = join(
    dirname(
      createRequire(join(import.meta.dirname, '../../package.json')).resolve('typescript/package.json'),
    ),
    'bin/tsc',
  )

  async function check(program: string): Promise<string> {
    const folder = mkdtempSync(join(tmpdir(), 'tollkeeper-client-'))
    try {
      writeFileSync(
        join(folder, 'client.ts'),
        astToString(await openapiTypescript(structuredClone(document) as never)),
      )
      writeFileSync(join(folder, 'use.ts'), program)
      const options = ['--noEmit', '--strict', '--allowImportingTsExtensions', '--module', 'nodenext']
      const args = [compiler, ...options, '--types', '', join(folder, 'use.ts')]
      const { stdout } = await run(process.execPath, args).catch((error: { stdout: string }) => error)
      return stdout
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }

  it('type-checks, used by the names that operations and shapes have', async () => {
    assert.equal(await check(use), '')
  })

  it('refuses what the document does not allow', async () => {
    assert.match(await check(use.replace('amount: 3', "amount: 'three'")), /TS2322/)
  })
})
