// A page of the guide: the contents, the document, and what is on it; readable without its script, which adds search and copying.

import { escapeHtml } from '../reference/html.ts'
import { renderFrame } from '../reference/page-frame.ts'
import type { GuidePage } from './read-guide.ts'
import type { Heading, Rendered } from './render-markdown.ts'

export function renderGuidePage(page: GuidePage, { html, headings }: Rendered, pages: GuidePage[]): string {
  const index = pages.indexOf(page)
  return renderFrame({
    title: `${page.title} · Tollkeeper guide`,
    styles: ['/docs/reference.css', '/guide/guide.css'],
    scripts: ['/docs/frame.js', '/guide/guide.js'],
    header: `<a class="brand" href="/guide">Tollkeeper <span>guide</span></a>
<label class="search"><span class="hidden">Search</span><input id="search" type="search" placeholder="Search the guide" autocomplete="off"><kbd>/</kbd></label>
<a class="other" href="/docs">API reference</a>`,
    contents: renderContents(page, pages),
    main: `<section id="found" aria-live="polite" hidden></section>
<div class="document"><article>${html}${renderNeighbours(pages[index - 1], pages[index + 1])}</article>${renderOutline(headings)}</div>`,
  })
}

function renderContents(current: GuidePage, pages: GuidePage[]): string {
  const groups = Map.groupBy(pages, ({ group }) => group)
  return [...groups]
    .map(
      ([group, of]) =>
        `${group === '' ? '' : `<h2>${escapeHtml(group)}</h2>`}<ul>${of.map((page) => `<li><a href="${page.path}"${page === current ? ' aria-current="page"' : ''}>${escapeHtml(page.title)}</a></li>`).join('')}</ul>`,
    )
    .join('\n')
}

/** Worth a column from three headings on. */
function renderOutline(headings: Heading[]): string {
  const shown = headings.filter(({ depth }) => depth === 2)
  if (shown.length < 3) return ''
  return `<div class="outline" role="navigation" aria-label="On this page"><p>On this page</p><ul>${shown.map(({ id, text }) => `<li><a href="#${id}">${escapeHtml(text)}</a></li>`).join('')}</ul></div>`
}

function renderNeighbours(before: GuidePage | undefined, after: GuidePage | undefined): string {
  const link = (page: GuidePage | undefined, rel: string, arrow: string) =>
    page
      ? `<a rel="${rel}" href="${page.path}"><span>${arrow}</span>${escapeHtml(page.title)}</a>`
      : '<span></span>'
  return `<footer>${link(before, 'prev', 'Before')}${link(after, 'next', 'Next')}</footer>`
}
