// Requests made from openapi.json, so that whoever walks over all routes walks over those added later too.
import { randomUUID } from 'node:crypto'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import type { TestService } from '../service.ts'
import { statisticsTables } from '../statistics/statistics-tables.ts'
import { document, type Operation, type operations, type Schema } from './validator.ts'

export type Listed = (typeof operations)[number]

/** Things that exist in the test environment, by the name that paths, queries and bodies call them; each says `marker`. */
export type Existing = { marker: string; names: Record<string, string> }

export async function createExisting({ request }: TestService): Promise<Existing> {
  const marker = `marker${randomUUID().slice(0, 8)}`
  const [featureKey, productKey, customerId] = ['calls', 'plan', 'acme']
  await request('POST', '/v1/features', { body: { featureKey, name: marker, type: 'limit' } })
  const featureAccess = [{ featureKey, hasAccess: true, limit: 10 }]
  const product = { productKey, name: marker, metadata: { note: marker }, featureAccess }
  await request('POST', '/v1/custom-products', { body: product })
  const customer = { customerId, name: marker, email: `${marker}@x.io`, customProductKeys: [productKey] }
  await request('POST', '/v1/customers', { body: customer })
  const event = { customerId, featureKey, eventKey: 'first', amount: 2, metadata: { note: marker } }
  const usage = await request('POST', '/v1/usage', { body: event })
  const bonus = await request('POST', '/v1/bonuses', {
    body: { customerId, featureKey, amount: 3, reason: marker },
  })
  const names = {
    featureKey,
    productKey,
    customerId,
    id: usage.body.eventId,
    bonusId: bonus.body.bonus.bonusId,
  }
  return { marker, names }
}

const nameOrWord = (existing: Existing, name: string) => existing.names[name] ?? 'word'

export function pathOf(
  { template, operation }: Listed,
  existing: Existing,
  values: Record<string, string> = {},
): string {
  const path = template.replaceAll(
    /\{(\w+)\}/g,
    (_all, name: string) => values[name] ?? nameOrWord(existing, name),
  )
  const query = operation.parameters
    .filter((parameter) => parameter.in === 'query' && parameter.required)
    .map(
      ({ name, schema }) =>
        `${name}=${schema.type === 'string' ? sample(schema, existing, name) : numberOf(name)}`,
    )
  return query.length > 0 ? `${path}?${query.join('&')}` : path
}

export const bodySchema = (operation: Operation): Schema | undefined =>
  operation.requestBody?.content['application/json'].schema

/** A body with what the schema requires and no more. */
export function sampleBody(operation: Operation, existing: Existing): Record<string, unknown> | undefined {
  const schema = bodySchema(operation)
  return schema && (sample(schema, existing, '') as Record<string, unknown>)
}

export function sample(given: Schema, existing: Existing, name: string): unknown {
  const schema = resolve(given)
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  if (schema.anyOf) return sample(schema.anyOf[0] as Schema, existing, name)
  switch ([schema.type].flat()[0]) {
    case 'string':
      return name === 'eventKey' ? randomUUID() : nameOrWord(existing, name)
    case 'boolean':
      return true
    case 'number':
    case 'integer':
      return numberOf(name)
    case 'array':
      return [sample(schema.items as Schema, existing, name)]
    default:
      return Object.fromEntries(
        (schema.required ?? []).map((key) => [key, sample(schema.properties?.[key] ?? {}, existing, key)]),
      )
  }
}

/** The end of a span of time lies after its beginning. */
const numberOf = (name: string): number =>
  /(At|from|to|now)$/.test(name) ? Date.now() + (name === 'to' ? 1 : 0) : 1

export function resolve(schema: Schema): Schema {
  if (!schema.$ref) return schema
  const steps = schema.$ref.slice(2).split('/')
  return steps.reduce(
    (place, step) => (place as Record<string, object>)[step] as object,
    document as object,
  ) as Schema
}

const ajv = new Ajv2020({ strict: false, strictNumbers: true, formats: { uuid: true, uri: true } })
ajv.addSchema({ $id: 'requests', ...document }, 'requests')
const validators = new Map<Schema, ValidateFunction>()

/** Whether the document allows this body. */
export function isAllowed(schema: Schema, body: unknown): boolean {
  const validate = validators.getOrInsertComputed(schema, () =>
    ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#', '"$ref":"requests#'))),
  )
  return validate(body) as boolean
}

/** One hash over all that a refused request must leave alone. */
export async function hashTables({ query }: TestService): Promise<string> {
  const tables = await query(
    `select table_name as name from information_schema.tables where table_schema = 'public'
       and table_name not in ('api_key', 'audit_entry', 'rate_window') and table_name not like 'simulator%'
       and table_name <> all($1::text[]) order by 1`,
    [statisticsTables],
  )
  const rowText = `(to_jsonb(t) - 'stats_from' - 'stats_doing')::text`
  const parts = tables.map(
    ({ name }) =>
      `(select md5(coalesce(string_agg(${rowText}, '|' order by ${rowText}), '')) from "${name}" t)`,
  )
  const [row] = await query(`select concat_ws(' ', ${parts.join(', ')}) as hash`)
  return String(row?.hash)
}
