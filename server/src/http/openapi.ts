// The OpenAPI 3.1 document, made from the routes: what validates a request also describes it.
import { z } from 'zod'
import { environments } from '../domain/environment.ts'
import { describeFields } from './openapi/describe-fields.ts'
import {
  commonHeaders,
  errorComponents,
  errorSchema,
  headerComponents,
  toErrorAnswer,
} from './openapi/error-answers.ts'
import { tags } from './openapi/tags.ts'
import type { RouteOf } from './route.ts'

type Json = Record<string, unknown>

// biome-ignore lint/suspicious/noExplicitAny: a document says nothing of what a handler is told of its caller
type AnyRoute = RouteOf<string, string, any>

/** Of one group of routes: its words, how callers are known, and what all of its paths begin with. */
type About = {
  info: { title: string; description: string }
  tags?: { name: string; description: string }[]
  securityScheme: [string, Json]
  prefix: string
  /** Told what its fields mean, for readers who are not its builders. */
  isDescribed?: true
}

const publicApi: About = {
  info: {
    title: 'Tollkeeper',
    description:
      'Entitlements, usage and billing links. Times are Unix milliseconds; amounts are exact decimals.',
  },
  tags,
  securityScheme: [
    'apiKey',
    {
      type: 'apiKey',
      in: 'header',
      name: 'x-api-key',
      description:
        'tk_test_… or tk_live_…: a key belongs to one environment, and may be allowed to read only',
    },
  ],
  prefix: '/v1',
  isDescribed: true,
}

export function buildOpenApi(routes: AnyRoute[], about: About = publicApi): Json {
  const schemas: Json = {}
  const paths: Record<string, Json> = {}
  for (const route of routes) {
    paths[route.path] ??= {}
    ;(paths[route.path] as Json)[route.method.toLowerCase()] = toOperation(route, schemas, about.prefix)
  }
  const [schemeName, scheme] = about.securityScheme
  const document = {
    openapi: '3.1.0',
    info: {
      title: about.info.title,
      version: '1.0.0',
      description: about.info.description,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'Where this document is served' }],
    ...(about.tags ? { tags: about.tags } : {}),
    security: [{ [schemeName]: [] }],
    paths,
    components: {
      securitySchemes: { [schemeName]: scheme },
      schemas: {
        ...Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1))),
        Error: structuredClone(errorSchema),
      },
      responses: errorComponents,
      headers: headerComponents,
    },
  }
  if (about.isDescribed) describeFields(document as unknown as Parameters<typeof describeFields>[0])
  return document
}

function toOperation(route: AnyRoute, schemas: Json, prefix: string): Json {
  const isWrite = route.method !== 'GET'
  const common = [400, 401, ...(isWrite ? [403, 413, 415] : []), 429, 500, 503]
  const errors = [...new Set([...common, ...(route.errors ?? [])])].sort()
  return {
    operationId: route.operationId ?? toOperationId(route, prefix),
    tags: [route.tag],
    summary: route.summary,
    ...(route.description ? { description: route.description } : {}),
    parameters: [
      // Not the handler's business: whoever is admitted is so in one environment.
      ...(route.path.includes('{environment}') ? [environmentParameter] : []),
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
            content: {
              [route.contentType ?? 'application/json']: { schema: toSchema(schema, 'output', schemas) },
            },
          },
        ]),
      ),
      ...Object.fromEntries(errors.map((status) => [status, toErrorAnswer(status)])),
    },
  }
}

const successMeanings: Record<string, string> = { 201: 'Created', 202: 'Under way; it goes on by itself' }

const toOperationId = (route: AnyRoute, prefix: string) =>
  `${route.method.toLowerCase()}${route.path
    .slice(prefix.length)
    .split(/[^A-Za-z]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')}`

const environmentParameter: Json = {
  name: 'environment',
  in: 'path',
  required: true,
  schema: { type: 'string', enum: [...environments] },
}

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
