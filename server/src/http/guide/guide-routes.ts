// /guide: the documents of docs/ as pages with search, each also as the Markdown it was written in; and /llms.txt, which names them.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { serveDocument } from '../documents.ts'
import { renderGuidePage } from './guide-page.ts'
import { findAttachments, type GuidePage, guidePath, readGuide } from './read-guide.ts'
import { type Rendered, renderMarkdown } from './render-markdown.ts'

export function registerGuide(app: FastifyInstance): void {
  const pages = readGuide()
  const attachments = findAttachments()
  const paths = new Map(pages.map(({ file, path }) => [file, path]))
  for (const { file, path } of attachments) paths.set(file, path)
  const render = remember((page: GuidePage) =>
    renderMarkdown(page.markdown, page.file, (file) => paths.get(file)),
  )
  for (const page of pages) {
    serveDocument(app, page.path, 'text/html', () => renderGuidePage(page, render(page), pages))
    serveDocument(app, `${page.path}.md`, 'text/markdown', () => page.markdown)
  }
  for (const { path, read } of attachments) serveDocument(app, path, 'application/json', read)
  serveDocument(app, `${guidePath}/search.json`, 'application/json', () =>
    JSON.stringify(pages.flatMap((page) => toIndex(page, render(page)))),
  )
  serveDocument(app, `${guidePath}/guide.css`, 'text/css', () => readOwn('guide.css'))
  serveDocument(app, `${guidePath}/guide.js`, 'text/javascript', () => readOwn('guide.js'))
  serveDocument(app, '/llms.txt', 'text/plain', () => renderLlms(pages))
}

/** What the page's script searches in: an entry a heading. */
const toIndex = ({ path, title }: GuidePage, { sections }: Rendered) =>
  sections.map(({ heading: { id, text: heading, depth }, text }) => ({
    href: depth === 1 ? path : `${path}#${id}`,
    title,
    heading: depth === 1 ? '' : heading,
    text,
  }))

/** For programs that read: what it is, and where its documents are without the pages around them. */
function renderLlms(pages: GuidePage[]): string {
  const groups = Map.groupBy(
    pages.filter(({ group }) => group !== ''),
    ({ group }) => group,
  )
  const lists = [...groups].map(
    ([group, of]) =>
      `## ${group}\n\n${of.map(({ title, path, about }) => `- [${title}](${path}.md)${about === '' ? '' : `: ${about}`}`).join('\n')}\n`,
  )
  return `# Tollkeeper

> May this customer use this feature, and how much is left? Tollkeeper answers that, records usage exactly once, manages bonuses,
> and makes checkout and portal links of a payment provider. One process over PostgreSQL, self-hosted, Apache-2.0.

An HTTP API with a key in \`x-api-key\` (\`tk_test_…\` or \`tk_live_…\`, which decides the environment), a TypeScript SDK
(\`@tollkeeper/sdk\`), OpenFeature's remote protocol, a dashboard and a command line. Until it has a provider's key, the test
environment sells through a simulator with hosted checkout and portal pages.

## API

- [OpenAPI](/openapi.json): every route, field, example and error.
- [Reference](/docs): the same as a page where every route can be tried.

${lists.join('\n')}`
}

const readOwn = (name: string): string => readFileSync(join(import.meta.dirname, name), 'utf8')

/** Made when it is first asked for, then kept. */
function remember<Key, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const made = new Map<Key, Value>()
  return (key) => {
    if (!made.has(key)) made.set(key, make(key))
    return made.get(key) as Value
  }
}
