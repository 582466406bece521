// The parts of openapi.json that the reference page shows.
import type { CodeSample } from '../openapi/code-samples.ts'

export type Schema = {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  description?: string
  examples?: unknown[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
  additionalProperties?: boolean | Schema
  minimum?: number
  maximum?: number
  minItems?: number
  maxItems?: number
  maxLength?: number
}

type Content = { content: { 'application/json': { schema: Schema; example?: unknown } } }

export type Parameter = {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  description?: string
  schema: Schema
}

export type Operation = {
  operationId: string
  tags: string[]
  summary: string
  description?: string
  'x-codeSamples': CodeSample[]
  parameters: Parameter[]
  requestBody?: Content
  responses: Record<string, { $ref: string } | ({ description: string } & Content)>
}

export type OpenApi = {
  info: { title: string; description: string; version: string }
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, Operation>>
  components: {
    schemas: Record<string, Schema>
    responses: Record<
      string,
      { description: string; headers: { 'x-error-code': { schema: { examples: string[] } } } }
    >
    headers: Record<string, { description: string; schema: { examples: string[] } }>
  }
}

export type Entry = { method: string; path: string; operation: Operation }
