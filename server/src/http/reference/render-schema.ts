// Fields as the reference shows them: name, type, whether it must be there, what it means, an example.
import { escapeHtml } from './html.ts'
import type { Parameter, Schema } from './openapi-document.ts'

export const nameOf = ($ref: string): string => $ref.slice($ref.lastIndexOf('/') + 1)

const link = (name: string) => `<a href="#${name}">${name}</a>`

/** The type in a few words. */
function describeType(schema: Schema): string {
  if (schema.$ref) return link(nameOf(schema.$ref))
  if (schema.anyOf) return [...new Set(schema.anyOf.map(describeType))].join(' or ')
  if (schema.enum) return schema.enum.map((each) => `<code>${escapeHtml(String(each))}</code>`).join(' ')
  if (schema.const !== undefined) return `<code>${escapeHtml(String(schema.const))}</code>`
  if (schema.items) return `list of ${schema.items.properties ? 'objects' : describeType(schema.items)}`
  if (typeof schema.additionalProperties === 'object')
    return `object of ${describeType(schema.additionalProperties)}`
  return escapeHtml([schema.type ?? 'object'].flat().join(' or '))
}

type Side = 'request' | 'answer'

/** Of a request it is told what must be there, of an answer what may be absent. */
export function renderFields(schema: Schema, named: Record<string, Schema>, side: Side): string {
  const own = schema.$ref ? named[nameOf(schema.$ref)] : schema
  if (own?.anyOf)
    return own.anyOf.map((choice) => renderFields(choice, named, side)).join('<p class="or">or</p>')
  if (!own?.properties) return `<p class="plain">${describeType(schema)}</p>`
  const rows = Object.entries(own.properties).map(([name, field]) =>
    renderField(name, field, own.required?.includes(name) ?? false, named, side),
  )
  return `<dl class="fields">${rows.join('')}</dl>`
}

export const renderParameters = (parameters: readonly Parameter[]): string =>
  `<dl class="fields">${parameters
    .map(({ name, schema, required, description = '' }) =>
      renderField(name, { description, ...schema }, required, {}, 'request'),
    )
    .join('')}</dl>`

function renderField(
  name: string,
  schema: Schema,
  isRequired: boolean,
  named: Record<string, Schema>,
  side: Side,
): string {
  const inner = schema.items ?? schema
  // What has a name of its own is shown there; what has none is shown here, folded.
  const nested = inner.properties
    ? `<details><summary>fields</summary>${renderFields(inner, named, side)}</details>`
    : ''
  const isSaid = isRequired === (side === 'request')
  const mark = isSaid ? ` <span class="must">${isRequired ? 'required' : 'may be absent'}</span>` : ''
  const example = schema.examples?.[0]
  const shown =
    example === undefined || example === null || schema.enum
      ? ''
      : ` <span class="example">· e.g. <code>${escapeHtml(JSON.stringify(example))}</code></span>`
  return `<div><dt><code class="name">${escapeHtml(name)}</code> <span class="type">${describeType(schema)}</span>${mark}</dt><dd>${escapeHtml(schema.description ?? '')}${shown}${nested}</dd></div>`
}
