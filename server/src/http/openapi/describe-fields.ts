// Gives every field and parameter of the document its description and example, every body the example they make up, and every
// operation its samples of code.
import { catalogueNotes } from './catalogue-notes.ts'
import { type CodeSample, writeCodeSamples } from './code-samples.ts'
import { customerNotes } from './customer-notes.ts'
import type { Notes } from './note.ts'
import { requestExamples } from './request-examples.ts'

type Json = Record<string, unknown>
type Schema = Json & {
  $ref?: string
  type?: string | string[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
  additionalProperties?: boolean | Schema
  examples?: unknown[]
  enum?: unknown[]
  const?: unknown
}
type Content = { content?: { 'application/json'?: { schema: Schema; example?: unknown } } }
type Operation = {
  operationId: string
  'x-codeSamples'?: CodeSample[]
  parameters: { name: string; in: string; description?: string; schema: Schema }[]
  requestBody?: Content
  responses: Record<string, Content>
}
type Document = {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema> }
}

const notes: Notes = { ...customerNotes, ...catalogueNotes }
// A page's limit is a parameter of every list; elsewhere limits are of features.
const parameterNotes: Notes = { ...notes, limit: customerNotes.limit as Notes[string] }

/** The note of the longest end of the path that has one: `anchor.source` before `source`. */
function findNote(from: Notes, path: readonly string[]): Notes[string] | undefined {
  for (let at = 0; at < path.length; at++) {
    const note = from[path.slice(at).join('.')]
    if (note) return note
  }
  return undefined
}

export function describeFields(document: Document): void {
  for (const [name, schema] of Object.entries(document.components.schemas)) describeSchema(schema, [name])
  for (const [path, methods] of Object.entries(document.paths))
    for (const [method, operation] of Object.entries(methods)) {
      describeOperation(operation)
      addBodyExamples(document, operation)
      operation['x-codeSamples'] = writeCodeSamples({ ...operation, method: method.toUpperCase(), path })
    }
}

function describeOperation({ operationId, parameters, requestBody, responses }: Operation): void {
  for (const parameter of parameters) {
    const [description, example] = findNote(parameterNotes, [operationId, parameter.name]) ?? []
    if (description !== undefined) parameter.description ??= description
    addExample(parameter.schema, example)
  }
  for (const content of [requestBody, ...Object.values(responses)]) {
    const schema = content?.content?.['application/json']?.schema
    if (schema) describeSchema(schema, [operationId])
  }
}

function describeSchema(schema: Schema, path: readonly string[]): void {
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    const own = [...path, name]
    const [description, example] = findNote(notes, own) ?? []
    if (description !== undefined) field.description ??= description
    addExample(field, example)
    describeSchema(field, own)
  }
  if (schema.items) describeSchema(schema.items, path)
  for (const choice of schema.anyOf ?? []) describeSchema(choice, path)
  if (typeof schema.additionalProperties === 'object') describeSchema(schema.additionalProperties, path)
}

function addExample(schema: Schema, example: unknown): void {
  const { example: _example, ...rest } = schema
  if (schema.example !== undefined) {
    for (const key of Object.keys(schema)) delete schema[key]
    Object.assign(schema, rest, { examples: [_example] })
  } else if (example !== undefined && !schema.$ref && schema.const === undefined)
    schema.examples ??= [example]
}

function addBodyExamples(document: Document, { operationId, requestBody, responses }: Operation): void {
  const body = requestBody?.content?.['application/json']
  if (body) body.example = requestExamples[operationId] ?? {}
  for (const [status, response] of Object.entries(responses)) {
    const answer = response.content?.['application/json']
    if (answer && status.startsWith('2')) answer.example = computeExample(document, answer.schema)
  }
}

/** What an answer looks like: every field with its example. */
function computeExample(document: Document, schema: Schema): unknown {
  const { $ref, examples, anyOf, properties, items, additionalProperties } = schema
  if ($ref)
    return computeExample(document, document.components.schemas[$ref.split('/').at(-1) as string] ?? {})
  if (examples) return examples[0]
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  if (anyOf) return computeExample(document, anyOf[0] as Schema)
  if (properties) {
    // A choice that need not be there and has no example is for cases that are not the common one.
    const shown = Object.entries(properties).filter(
      ([name, field]) => schema.required?.includes(name) || !field.enum || field.examples,
    )
    return Object.fromEntries(shown.map(([name, field]) => [name, computeExample(document, field)]))
  }
  if (items) return [computeExample(document, items)]
  // Maps are keyed by features.
  if (typeof additionalProperties === 'object')
    return { api_calls: computeExample(document, additionalProperties) }
  return null
}
