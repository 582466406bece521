// The OpenAPI 3.1 document, made from the routes: what validates a request also describes it.
import { z } from 'zod'
import { describeFields } from './openapi/describe-fields.ts'
import {
  commonHeaders,
  errorComponents,
  errorSchema,
  headerComponents,
  toErrorAnswer,
} from './openapi/error-answers.ts'
import { tags } from './openapi/tags.ts'
import type { Route } from './route.ts'

type Json = Record<string, unknown>

export function buildOpenApi(routes: Route[]): Json {
  const schemas: Json = {}
  const paths: Record<string, Json> = {}
  for (const route of routes) {
    paths[route.path] ??= {}
    ;(paths[route.path] as Json)[route.method.toLowerCase()] = toOperation(route, schemas)
  }
  const document = {
    openapi: '3.1.0',
    info: {
      title: 'Tollkeeper',
      version: '1.0.0',
      description:
        'Entitlements, usage and billing links. Times are Unix milliseconds; amounts are exact decimals.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'Where this document is served' }],
    tags,
    security: [{ apiKey: [] }],
    paths,
    components: {
      securitySchemes: {
        apiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'x-api-key',
          description:
            'tk_test_… or tk_live_…: a key belongs to one environment, and may be allowed to read only',
        },
      },
      schemas: {
        ...Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1))),
        Error: structuredClone(errorSchema),
      },
      responses: errorComponents,
      headers: headerComponents,
    },
  }
  describeFields(document as unknown as Parameters<typeof describeFields>[0])
  return document
}

function toOperation(route: Route, schemas: Json): Json {
  const isWrite = route.method !== 'GET'
  const common = [400, 401, ...(isWrite ? [403, 413, 415] : []), 429, 500, 503]
  const errors = [...new Set([...common, ...(route.errors ?? [])])].sort()
  return {
    operationId: route.operationId ?? toOperationId(route),
    tags: [route.tag],
    summary: route.summary,
    ...(route.description ? { description: route.description } : {}),
    parameters: [
      ...toParameters('path', route.params, schemas),
      ...toParameters('query', route.query, schemas),
      ...Object.entries(route.headers ?? {}).map(([name, { description }]) => ({
        name,
        in: 'header',
        required: false,
        description,
        schema: { type: 'string' },
      })),
    ],
    ...(route.body ? { requestBody: toRequestBody(route.body, schemas) } : {}),
    responses: {
      ...Object.fromEntries(
        Object.entries(route.responses).map(([status, schema]) => [
          status,
          {
            description: successMeanings[status] ?? 'Done',
            headers: commonHeaders,
            content: { 'application/json': { schema: toSchema(schema, 'output', schemas) } },
          },
        ]),
      ),
      ...Object.fromEntries(errors.map((status) => [status, toErrorAnswer(status)])),
    },
  }
}

const successMeanings: Record<string, string> = { 201: 'Created', 202: 'Under way; it goes on by itself' }

const toOperationId = (route: Route) =>
  `${route.method.toLowerCase()}${route.path
    .slice(3)
    .split(/[^A-Za-z]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')}`

function toParameters(place: 'path' | 'query', schema: z.ZodType | undefined, schemas: Json): Json[] {
  if (!schema) return []
  const { properties = {}, required = [] } = toSchema(schema, 'input', schemas) as {
    properties?: Record<string, Json>
    required?: string[]
  }
  return Object.entries(properties).map(([name, { description, ...rest }]) => ({
    name,
    in: place,
    required: required.includes(name),
    ...(description ? { description } : {}),
    schema: rest,
  }))
}

/** None counts as one without fields, so it must be there where that would not do. */
function toRequestBody(schema: z.ZodType, schemas: Json): Json {
  const content = { 'application/json': { schema: toSchema(schema, 'input', schemas) } }
  return { required: !schema.safeParse({}).success, content }
}

/** Named schemas move to the components and are referred to. */
function toSchema(schema: z.ZodType, io: 'input' | 'output', schemas: Json): Json {
  const {
    $schema: _dialect,
    $defs,
    ...json
  } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    reused: 'inline',
    override: ({ jsonSchema }) => {
      if (jsonSchema.type === 'integer') {
        if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
        if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
      }
    },
  }) as Json & { $defs?: Record<string, Json> }
  for (const [name, definition] of Object.entries($defs ?? {})) schemas[name] = refer(withoutId(definition))
  const own = refer(withoutId(json)) as Json
  const { id } = json as { id?: string }
  if (id === undefined) return own
  schemas[id] = own
  return { $ref: `#/components/schemas/${id}` }
}

const withoutId = ({ id: _id, ...rest }: Json): Json => rest

function refer(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(refer)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [
      key,
      key === '$ref' && typeof each === 'string'
        ? each.replace('#/$defs/', '#/components/schemas/')
        : refer(each),
    ]),
  )
}
