// Turns openapi.json into TypeScript: a type for every named schema, and for every route what it takes and answers.

export type Schema = {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  additionalProperties?: boolean | Schema
  pattern?: string
  description?: string
}

type Parameter = { name: string; in: string; required?: boolean; description?: string; schema: Schema }
type Content = { content?: { 'application/json'?: { schema: Schema } } }

export type Operation = {
  operationId: string
  summary?: string
  description?: string
  parameters?: Parameter[]
  requestBody?: Content & { required?: boolean }
  responses: Record<string, Content>
}

export type OpenApi = {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema> }
}

const ofSdk = `// What the service takes and answers, route by route. Written by \`npm run sdk:types\` from server/openapi.json: do not edit.
`

export function generateTypes(document: OpenApi, opening: string = ofSdk): string {
  const schemas = Object.entries(document.components.schemas).map(
    ([name, schema]) => `${comment(schema.description, '')}export type ${name} = ${typeOf(schema, '')}\n`,
  )
  const routes = listRoutes(document).map(
    ({ route, operation }) =>
      `${comment([operation.summary, operation.description].filter(Boolean).join('. '), '  ')}  '${route}': ${operationType(operation)}\n`,
  )
  return [
    opening,
    ...schemas,
    '/** By method and path: what a call is made of, and its answer. */',
    `export type Operations = {\n${routes.join('')}}\n`,
    'export type Route = keyof Operations\n',
  ].join('\n')
}

export function listRoutes({ paths }: OpenApi): { route: string; operation: Operation }[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      route: `${method.toUpperCase()} ${path}`,
      operation,
    })),
  )
}

function operationType({ parameters = [], requestBody, responses }: Operation): string {
  const indent = '    '
  const parts = [
    ...['path', 'query', 'header'].flatMap((place) => {
      const chosen = parameters.filter((parameter) => parameter.in === place)
      if (chosen.length === 0) return []
      const optional = chosen.some(({ required }) => required) ? '' : '?'
      return `${indent}${place}${optional}: {\n${chosen.map((each) => parameterType(each)).join('')}${indent}}\n`
    }),
  ]
  const body = requestBody?.content?.['application/json']?.schema
  if (body) parts.push(`${indent}body${requestBody?.required ? '' : '?'}: ${typeOf(body, indent)}\n`)
  const answers = Object.entries(responses).flatMap(([status, { content }]) => {
    const schema = content?.['application/json']?.schema
    return status.startsWith('2') && schema ? [typeOf(schema, indent)] : []
  })
  parts.push(`${indent}answer: ${[...new Set(answers)].join(' | ') || 'undefined'}\n`)
  return `{\n${parts.join('')}  }`
}

function parameterType({ name, required, description, schema }: Parameter): string {
  const indent = '      '
  return `${comment(description, indent)}${indent}${keyOf(name)}${required ? '' : '?'}: ${textType(schema)}\n`
}

/** Everything in an address is text; callers write what the text stands for. */
function textType(schema: Schema): string {
  if (schema.enum?.every((value) => value === 'true' || value === 'false')) return 'boolean'
  if (schema.pattern?.startsWith('^[0-9]{')) return 'number'
  return typeOf(schema, '')
}

function typeOf(schema: Schema, indent: string): string {
  const { $ref, const: constant, type, properties, items, additionalProperties } = schema
  if ($ref !== undefined) return $ref.slice($ref.lastIndexOf('/') + 1)
  if (constant !== undefined) return JSON.stringify(constant)
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return [...new Set(choices.map((each) => typeOf(each, indent)))].join(' | ')
  if (schema.allOf) return schema.allOf.map((each) => `(${typeOf(each, indent)})`).join(' & ')
  if (Array.isArray(type)) return type.map((each) => typeOf({ ...schema, type: each }, indent)).join(' | ')
  switch (type) {
    case 'string':
    case 'boolean':
    case 'null':
      return type
    case 'number':
    case 'integer':
      return 'number'
    case 'array':
      return `(${typeOf(items ?? {}, indent)})[]`
    case 'object':
      if (properties) return objectType(schema, indent)
      return `Record<string, ${typeof additionalProperties === 'object' ? typeOf(additionalProperties, indent) : 'unknown'}>`
    default:
      return 'unknown'
  }
}

function objectType({ properties = {}, required = [] }: Schema, indent: string): string {
  const inner = `${indent}  `
  const members = Object.entries(properties).map(
    ([name, schema]) =>
      `${comment(schema.description, inner)}${inner}${keyOf(name)}${required.includes(name) ? '' : '?'}: ${typeOf(schema, inner)}\n`,
  )
  return `{\n${members.join('')}${indent}}`
}

const keyOf = (name: string) => (/^[A-Za-z_]\w*$/.test(name) ? name : `'${name}'`)

const comment = (text: string | undefined, indent: string) =>
  text ? `${indent}/** ${text.replaceAll('*/', '*\\/').replaceAll('\n', ' ')} */\n` : ''
