// The reference page: the OpenAPI document as HTML, readable without its script, which adds search, copying and trying.

import { escapeHtml, renderJson } from './html.ts'
import type { Entry, OpenApi, Schema } from './openapi-document.ts'
import { renderFrame } from './page-frame.ts'
import { renderOperation } from './render-operation.ts'
import { renderFields } from './render-schema.ts'

export function renderReference(document: OpenApi): string {
  const entries = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, operation]): Entry => ({ method: method.toUpperCase(), path, operation }),
    ),
  )
  const groups = document.tags.map((tag) => ({
    ...tag,
    id: toId(tag.name),
    entries: entries.filter(({ operation }) => operation.tags.includes(tag.name)),
  }))
  const objects = Object.entries(document.components.schemas)
  const title = escapeHtml(document.info.title)
  return renderFrame({
    title: `${document.info.title} API reference`,
    styles: ['/docs/reference.css'],
    scripts: ['/docs/frame.js', '/docs/reference.js'],
    header: `<a class="brand" href="#top">${title} <span>API reference</span></a>
<label class="search"><span class="hidden">Search</span><input id="search" type="search" placeholder="Search routes and fields" autocomplete="off"><kbd>/</kbd></label>
<label class="key"><span>API key</span><input id="key" type="password" autocomplete="off" spellcheck="false" placeholder="tk_test_… for trying" title="Kept in this page until you leave it, and sent only to this service"></label>`,
    contents: `<ul><li><a href="#top">Introduction</a></li><li><a href="/guide">Guide</a></li></ul>
${groups.map(({ name, id, entries: of }) => `<h2><a href="#${id}">${escapeHtml(name)}</a></h2><ul>${of.map(renderLink).join('')}</ul>`).join('\n')}
<h2><a href="#objects">Objects</a></h2><ul>${objects.map(([name]) => `<li data-words="${name.toLowerCase()}"><a href="#${name}">${name}</a></li>`).join('')}</ul>`,
    main: `<p id="nothing" hidden>Nothing matches.</p>
${renderIntroduction(document)}
${groups.map(({ name, id, description, entries: of }) => `<section class="group" id="${id}"><h2>${escapeHtml(name)}</h2><p>${escapeHtml(description)}</p>${of.map((each) => renderOperation(each, document)).join('\n')}</section>`).join('\n')}
<section class="group" id="objects"><h2>Objects</h2>${objects.map(([name, schema]) => renderObject(name, schema, document)).join('\n')}</section>`,
  })
}

const toId = (name: string): string => `tag-${name.toLowerCase().replaceAll(/\W+/g, '-')}`

const renderLink = ({ method, path, operation }: Entry): string =>
  `<li data-words="${escapeHtml(`${operation.summary} ${operation.description ?? ''} ${method} ${path} ${operation.operationId}`.toLowerCase())}"><a href="#${operation.operationId}" title="${method} ${escapeHtml(path)}"><b class="${method}">${method === 'DELETE' ? 'DEL' : method}</b>${escapeHtml(operation.summary)}</a></li>`

function renderObject(name: string, schema: Schema, { components }: OpenApi): string {
  return `<section class="object" id="${name}" data-words="${name.toLowerCase()} ${Object.keys(
    schema.properties ?? {},
  )
    .join(' ')
    .toLowerCase()}"><h3><a class="self" href="#${name}">${name}</a></h3><p>${escapeHtml(schema.description ?? '')}</p>${renderFields(schema, components.schemas, 'answer')}</section>`
}

function renderIntroduction({ info, components: { headers } }: OpenApi): string {
  const rows = [
    ['x-request-id', headers.RequestId],
    ['ratelimit', headers.RateLimit],
    ['ratelimit-policy', headers.RateLimitPolicy],
    ['retry-after', headers.RetryAfter],
  ] as const
  return `<section class="operation" id="top"><div class="words">
<h1>API reference</h1><p>${escapeHtml(info.description)} The same as a document, for generators: <a href="/openapi.json">openapi.json</a>.</p>
<h4>Keys</h4><p>Every request carries its key in <code>x-api-key</code>. A key belongs to one environment, <code>tk_test_…</code> or <code>tk_live_…</code>, and sees nothing of the other. It must never reach a browser. The one you enter above stays in this page until you leave it.</p>
<h4>Retries</h4><p>A 2xx means committed. After any other answer, or none, send the same again: usage counts once per <code>eventKey</code>, bonuses once per <code>Idempotency-Key</code>.</p>
<h4>Lists</h4><p>Pages of <code>limit</code> items; <code>nextCursor</code> asks for the next as <code>cursor</code>, and is null on the last.</p>
<h4>Headers of every answer</h4><dl class="fields">${rows.map(([name, header]) => `<div><dt><code class="name">${name}</code></dt><dd>${escapeHtml(header?.description ?? '')} <span class="example">· e.g. <code>${escapeHtml(header?.schema.examples[0] ?? '')}</code></span></dd></div>`).join('')}</dl>
</div><div class="code"><div class="panel"><div class="bar"><span>An error</span></div><pre tabindex="0"><code>HTTP/1.1 400 Bad Request
x-error-code: invalid_request
x-request-id: req_mhzk2q1x7a_3f

${renderJson({ error: 'amount must be a number, but "3" came.' })}</code></pre></div></div></section>`
}
