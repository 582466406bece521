// The reference page: the OpenAPI document as one HTML page, without scripts.

type Schema = {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  description?: string
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

type Operation = {
  operationId: string
  tags: string[]
  summary: string
  description?: string
  parameters: { name: string; in: string; required: boolean; description?: string; schema: Schema }[]
  requestBody?: { content: { 'application/json': { schema: Schema } } }
  responses: Record<string, { description: string; content: { 'application/json': { schema: Schema } } }>
}

export type OpenApi = {
  info: { title: string; description: string; version: string }
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema> }
}

type Entry = { method: string; path: string; operation: Operation }

export function renderReference(document: OpenApi): string {
  const entries = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, operation]): Entry => ({ method: method.toUpperCase(), path, operation }),
    ),
  )
  const groups = [...Map.groupBy(entries, (entry) => entry.operation.tags[0] ?? 'Other')]
  const schemas = Object.entries(document.components.schemas)
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(document.info.title)} API reference</title><style>${style}</style></head><body>
<nav aria-label="Contents"><h1>${escapeHtml(document.info.title)}</h1>
${groups.map(([tag, list]) => `<h2>${escapeHtml(tag)}</h2><ul>${list.map(renderLink).join('')}</ul>`).join('\n')}
<h2>Objects</h2><ul>${schemas.map(([name]) => `<li><a href="#${name}">${name}</a></li>`).join('')}</ul></nav>
<main><p>${escapeHtml(document.info.description)} Every request carries the header <code>x-api-key</code>.
The same as a document: <a href="/openapi.json">openapi.json</a>.</p>
${groups.map(([tag, list]) => `<h2>${escapeHtml(tag)}</h2>${list.map(renderEntry).join('\n')}`).join('\n')}
<h2>Objects</h2>${schemas.map(([name, schema]) => `<section id="${name}"><h3>${name}</h3>${renderFields(schema)}</section>`).join('\n')}
</main></body></html>`
}

const renderLink = ({ method, path, operation }: Entry) =>
  `<li><a href="#${operation.operationId}"><b class="${method}">${method}</b> ${escapeHtml(path.slice(3))}</a></li>`

function renderEntry({ method, path, operation }: Entry): string {
  const body = operation.requestBody?.content['application/json'].schema
  const responses = Object.entries(operation.responses)
  const success = responses.filter(([status]) => status < '300')
  const errors = responses.filter(([status]) => status >= '300')
  return `<section id="${operation.operationId}"><h3><b class="${method}">${method}</b> <code>${escapeHtml(path)}</code></h3>
<p>${escapeHtml(operation.summary)}. ${escapeHtml(operation.description ?? '')}</p>
${operation.parameters.length > 0 ? `<h4>Parameters</h4><table>${operation.parameters.map((each) => renderRow(each.name, each.schema, each.required, each.description ?? each.in)).join('')}</table>` : ''}
${body ? `<h4>Body</h4>${renderFields(body)}` : ''}
${success.map(([status, { content }]) => `<h4>Answer ${status}</h4>${renderFields(content['application/json'].schema)}`).join('')}
<p class="errors">${errors.map(([status, { description }]) => `<span title="${escapeHtml(description)}">${status}</span>`).join(' ')}</p></section>`
}

function renderFields(schema: Schema): string {
  if (!schema.properties) return `<p>${describe(schema)}</p>`
  const rows = Object.entries(schema.properties).map(([name, each]) =>
    renderRow(name, each, schema.required?.includes(name) ?? false, each.description ?? ''),
  )
  return `<table>${rows.join('')}</table>`
}

function renderRow(name: string, schema: Schema, required: boolean, note: string): string {
  const nested = schema.items?.properties ? renderFields(schema.items) : ''
  return `<tr><td><code>${escapeHtml(name)}</code>${required ? '' : '<small> optional</small>'}</td><td>${describe(schema)}</td><td>${escapeHtml(note)}${nested}</td></tr>`
}

function describe(schema: Schema): string {
  if (schema.$ref) {
    const name = schema.$ref.split('/').at(-1) ?? ''
    return `<a href="#${name}">${name}</a>`
  }
  if (schema.anyOf) return schema.anyOf.map(describe).join(' or ')
  if (schema.enum) return schema.enum.map((each) => `<code>${escapeHtml(String(each))}</code>`).join(' ')
  if (schema.const !== undefined) return `<code>${escapeHtml(String(schema.const))}</code>`
  if (schema.items) return `array of ${schema.items.properties ? 'objects' : describe(schema.items)}`
  if (typeof schema.additionalProperties === 'object') {
    return `object of ${describe(schema.additionalProperties)}`
  }
  return escapeHtml([schema.type ?? 'object'].flat().join(' or '))
}

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

const style = `
:root{color-scheme:light dark;--line:#8884;--soft:#8881;--accent:light-dark(#0a5fb4,#7cb7ff)}
*{box-sizing:border-box}body{margin:0;font:15px/1.55 system-ui,sans-serif;display:grid;grid-template-columns:19rem 1fr}
nav{position:sticky;top:0;height:100vh;overflow:auto;padding:1rem 1.2rem;border-right:1px solid var(--line)}
nav h1{font-size:1.1rem}nav h2{font-size:.8rem;margin:1.2em 0 .3em;opacity:.7}
nav ul{list-style:none;margin:0;padding:0;font-size:.85rem}nav li{padding:.1rem 0;overflow-wrap:anywhere}
main{padding:1rem 2.5rem 4rem;max-width:62rem}a{color:var(--accent);text-decoration:none}a:hover{text-decoration:underline}
section{margin:2rem 0;padding-top:.6rem;border-top:1px solid var(--line)}h3{margin:.3em 0;font-size:1.05rem}h4{margin:1em 0 .3em;font-size:.85rem;opacity:.75}
table{border-collapse:collapse;width:100%;font-size:.88rem}td{border-bottom:1px solid var(--line);padding:.3rem .6rem .3rem 0;vertical-align:top}
td:first-child{white-space:nowrap;width:14rem}code{font:.92em ui-monospace,monospace;background:var(--soft);padding:.05em .3em;border-radius:3px}
small{opacity:.6}b{font:700 .75em ui-monospace,monospace}.GET{color:light-dark(#1a7f37,#57c46f)}.POST{color:light-dark(#0a5fb4,#7cb7ff)}.PUT{color:light-dark(#9a6700,#e0b04a)}.DELETE{color:light-dark(#c0232c,#ff8a8a)}
.errors span{font:.8rem ui-monospace,monospace;opacity:.7;margin-right:.5rem}@media(max-width:50rem){body{display:block}nav{position:static;height:auto}main{padding:1rem}}`
