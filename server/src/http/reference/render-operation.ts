// One operation: its words and fields on the left; on the right how to call it, what it answers, and a form to try it.
import { escapeHtml, renderJson } from './html.ts'
import type { Entry, OpenApi, Operation, Parameter } from './openapi-document.ts'
import { nameOf, renderFields, renderParameters } from './render-schema.ts'

const places = [
  ['path', 'Path'],
  ['query', 'Query'],
  ['header', 'Headers'],
] as const

export function renderOperation(entry: Entry, document: OpenApi): string {
  const { method, path, operation } = entry
  const { schemas } = document.components
  const body = operation.requestBody?.content['application/json']
  const parameters = places.map(([place, title]) => {
    const of = operation.parameters.filter((each) => each.in === place)
    return of.length > 0 ? `<h4>${title}</h4>${renderParameters(of)}` : ''
  })
  const words = `${entry.operation.summary} ${operation.description ?? ''} ${method} ${path} ${operation.operationId}`
  return `<section class="operation" id="${operation.operationId}" data-words="${escapeHtml(words.toLowerCase())}">
<div class="words">
<h3><a class="self" href="#${operation.operationId}">${escapeHtml(operation.summary)}</a></h3>
<p class="route"><b class="${method}">${method}</b> <code>${escapeHtml(path)}</code></p>
${operation.description ? `<p>${escapeHtml(operation.description)}</p>` : ''}
${parameters.join('')}
${body ? `<h4>Body</h4>${renderFields(body.schema, schemas, 'request')}` : ''}
${listSuccesses(operation)
  .map(([status, { content }]) => {
    const { schema } = content['application/json']
    return `<h4>Answer <span class="status">${status}</span></h4>${renderFields(schema, schemas, 'answer')}`
  })
  .join('')}
${renderErrors(operation, document)}
</div>
<div class="code">${renderSamples(operation)}${renderExample(operation)}${renderForm(entry)}</div>
</section>`
}

type Success = { description: string; content: { 'application/json': { schema: object; example?: unknown } } }

const listSuccesses = ({ responses }: Operation): [string, Success][] =>
  Object.entries(responses).filter((each): each is [string, Success] => !('$ref' in each[1]))

function renderErrors({ responses }: Operation, { components }: OpenApi): string {
  const rows = Object.entries(responses).flatMap(([status, response]) => {
    if (!('$ref' in response)) return []
    const answer = components.responses[nameOf(response.$ref)]
    const codes = answer?.headers['x-error-code'].schema.examples ?? []
    return `<div><dt><span class="status">${status}</span> ${escapeHtml(answer?.description ?? '')}</dt><dd>${codes.map((code) => `<code>${code}</code>`).join(' ')}</dd></div>`
  })
  return `<details class="errors"><summary>Errors</summary><dl>${rows.join('')}</dl></details>`
}

function renderSamples({ operationId, 'x-codeSamples': samples }: Operation): string {
  const tabs = samples.map(
    ({ label }, index) =>
      `<button type="button" role="tab" id="${operationId}-tab-${index}" aria-controls="${operationId}-sample-${index}" aria-selected="${index === 0}" data-label="${label}">${label}</button>`,
  )
  const panels = samples.map(
    ({ source }, index) =>
      `<pre role="tabpanel" id="${operationId}-sample-${index}" aria-labelledby="${operationId}-tab-${index}" tabindex="0"${index === 0 ? '' : ' hidden'}><code>${escapeHtml(source)}</code></pre>`,
  )
  return `<div class="panel samples"><div class="bar"><div role="tablist" aria-label="How to call it">${tabs.join('')}</div><button type="button" class="copy">Copy</button></div>${panels.join('')}</div>`
}

const renderExample = (operation: Operation): string =>
  listSuccesses(operation)
    .slice(0, 1)
    .map(
      ([status, { content }]) =>
        `<div class="panel"><div class="bar"><span>Answer ${status}</span></div><pre tabindex="0"><code>${renderJson(content['application/json'].example)}</code></pre></div>`,
    )
    .join('')

function renderForm({ method, path, operation }: Entry): string {
  const example = operation.requestBody?.content['application/json'].example
  const rows = operation.parameters.map((parameter) => renderInput(operation, parameter))
  const text =
    example === undefined
      ? ''
      : `<label>Body<textarea name="body" rows="${Math.min(14, JSON.stringify(example, null, 2).split('\n').length)}" spellcheck="false">${escapeHtml(JSON.stringify(example, null, 2))}</textarea></label>`
  return `<details class="panel try"><summary>Try it</summary><form data-method="${method}" data-path="${escapeHtml(path)}">${rows.join('')}${text}<button type="submit">Send ${method}</button><output aria-live="polite"></output></form></details>`
}

function renderInput({ operationId }: Operation, { name, in: place, required, schema }: Parameter): string {
  const example = String(schema.examples?.[0] ?? schema.enum?.[0] ?? '')
  const about = `name="${escapeHtml(name)}" data-in="${place}" id="${operationId}-${escapeHtml(name)}"`
  const input = schema.enum
    ? `<select ${about}${required ? ' required' : ''}>${required ? '' : '<option></option>'}${schema.enum.map((each) => `<option>${escapeHtml(String(each))}</option>`).join('')}</select>`
    : `<input ${about} autocomplete="off" spellcheck="false" ${required ? `required value="${escapeHtml(example)}"` : `placeholder="${escapeHtml(example)}"`}>`
  return `<label>${escapeHtml(name)}${input}</label>`
}
