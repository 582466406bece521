// Holds an answer against openapi.json: a status the operation documents, a body of that status's schema, and errors of
// the one shape that errors have.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import type { IncomingHttpHeaders } from 'node:http'
import { join } from 'node:path'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'

export type Schema = {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
  additionalProperties?: boolean | Schema
  minimum?: number
  pattern?: string
  minItems?: number
  maxItems?: number
}

export type Operation = {
  operationId: string
  parameters: { name: string; in: string; required: boolean; schema: Schema }[]
  requestBody?: { required: boolean; content: { 'application/json': { schema: Schema } } }
  responses: Record<string, unknown>
}

type ErrorAnswer = { headers: { 'x-error-code': { schema: { examples: string[] } } } }

type Document = {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema>; responses: Record<string, ErrorAnswer> }
}

export const document: Document = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../openapi.json'), 'utf8'),
)

/** Every operation of the document: what is generated from it covers routes that are added later. */
export const operations = Object.entries(document.paths).flatMap(([template, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    method: method.toUpperCase(),
    template,
    operation,
  })),
)

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const ajv = new Ajv2020({ strict: false, allErrors: true, formats: { uuid } })
ajv.addSchema({ $id: 'openapi', ...document }, 'openapi')
const validators = new Map<string, ValidateFunction>()

type Answered = { status: number; body: unknown; text: string; headers: IncomingHttpHeaders }

export function assertContract(method: string, path: string, answer: Answered): void {
  const { status, headers } = answer
  const about = `${method} ${path} → ${status} ${answer.text.slice(0, 300)}`
  assert.ok(headers['x-request-id'], `${about}: without x-request-id`)
  if (status >= 400 && method !== 'HEAD') assertError(answer, about)
  const template = findTemplate(path)
  if (template === undefined) return
  if (status === 405) {
    assert.ok(headers.allow, `${about}: 405 without Allow`)
    return
  }
  const operation = document.paths[template]?.[method.toLowerCase()]
  // A path that cannot be decoded, or that no route has, is refused before any operation is known.
  if (!operation) return
  const { operationId } = operation
  if (status === 404 && headers['x-error-code'] === 'route_not_found') return
  assert.ok(operation.responses[status], `${operationId} does not document ${status}: ${about}`)
  const { $ref } = operation.responses[status] as { $ref?: string }
  if ($ref !== undefined) {
    assertKnownCode($ref, String(headers['x-error-code']), about)
    return
  }
  const validate = getValidator(template, method.toLowerCase(), status)
  if (!validate(answer.body))
    assert.fail(`${operationId} broke its schema for ${status}: ${ajv.errorsText(validate.errors)}: ${about}`)
}

function assertError({ body, headers }: Answered, about: string): void {
  assert.deepEqual(Object.keys(body as object), ['error'], `${about}: an error is {error} and no more`)
  assert.equal(typeof (body as { error: unknown }).error, 'string', about)
  assert.match(String(headers['x-error-code'] ?? ''), /^[a-z_]+$/, `${about}: without x-error-code`)
  assert.doesNotMatch(
    // What the caller sent is quoted, and a random id can contain anything.
    (body as { error: string }).error.replaceAll(/"(?:[^"\\]|\\.)*"/g, ''),
    /\n|node_modules|\.ts:|select |pg_/,
    `${about}: shows its insides`,
  )
}

/** The one shape of errors is checked already; the document lists the codes, too. */
function assertKnownCode($ref: string, code: string, about: string): void {
  const answer = document.components.responses[$ref.split('/').at(-1) as string]
  const known = answer?.headers['x-error-code'].schema.examples ?? []
  assert.ok(known.includes(code), `${about}: ${code} is missing in http/openapi/error-answers.ts`)
}

function findTemplate(path: string): string | undefined {
  const parts = (path.split('?')[0] as string).split('/')
  const matches = Object.keys(document.paths).filter((template) => {
    const wanted = template.split('/')
    return (
      wanted.length === parts.length && wanted.every((part, at) => part.startsWith('{') || part === parts[at])
    )
  })
  // A word of a path wins over a parameter in its place.
  return matches.sort((a, b) => a.split('{').length - b.split('{').length)[0]
}

function getValidator(template: string, method: string, status: number): ValidateFunction {
  const steps = [
    'paths',
    template,
    method,
    'responses',
    String(status),
    'content',
    'application/json',
    'schema',
  ]
  const pointer = steps
    .map((step) => encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1')))
    .join('/')
  return validators.getOrInsertComputed(pointer, () => ajv.compile({ $ref: `openapi#/${pointer}` }))
}
