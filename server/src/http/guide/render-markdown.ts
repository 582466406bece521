// Markdown into HTML: headings with anchors, code to copy, links between documents as links between pages. Raw HTML is shown, not
// obeyed.
import { posix } from 'node:path'
import { Marked, type Token, type Tokens } from 'marked'
import { escapeHtml } from '../reference/html.ts'

export type Heading = { id: string; text: string; depth: number }
/** What stands below one heading, as plain text: what is searched in. */
export type Section = { heading: Heading; text: string }
export type Rendered = { html: string; headings: Heading[]; sections: Section[] }

/** Where a file of the repository is served, if it is. */
export type FindPath = (file: string) => string | undefined

export function renderMarkdown(markdown: string, file: string, findPath: FindPath): Rendered {
  const headings: Heading[] = []
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth }) {
        const { id } = headings[count++] as Heading
        return `<h${depth} id="${id}"><a class="self" href="#${id}">${this.parser.parseInline(tokens)}</a></h${depth}>\n`
      },
      link({ href, tokens }) {
        const inside = this.parser.parseInline(tokens)
        const target = resolveLink(href, file, findPath)
        if (target === undefined) return `<span title="a file of the repository">${inside}</span>`
        const isElsewhere = /^https?:/.test(target)
        return `<a href="${escapeHtml(target)}"${isElsewhere ? ' rel="noreferrer"' : ''}>${inside}</a>`
      },
      code({ text, lang }) {
        return `<div class="panel"><div class="bar"><span>${escapeHtml(languages[lang ?? ''] ?? lang ?? '')}</span><button type="button" class="copy">Copy</button></div><pre tabindex="0"><code>${escapeHtml(text)}</code></pre></div>\n`
      },
      html: ({ text }) => escapeHtml(text),
      image: ({ text }) => escapeHtml(text),
    },
  })
  let count = 0
  const tokens = marked.lexer(markdown)
  const sections: Section[] = []
  for (const token of tokens) {
    if (token.type === 'heading') {
      const { depth } = token as Tokens.Heading
      const text = toText(token)
      headings.push({ id: toId(text, headings), text, depth })
      sections.push({ heading: headings.at(-1) as Heading, text: '' })
    } else {
      const section = sections.at(-1)
      if (section) section.text = `${section.text} ${toText(token)}`.trim()
    }
  }
  // A table that is wider than the page is scrolled by itself, by keyboard too.
  const html = marked
    .parser(tokens)
    .replaceAll('<table>', '<div class="wide" tabindex="0"><table>')
    .replaceAll('</table>', '</table></div>')
  return { html, headings, sections }
}

const languages: Record<string, string> = { sh: 'Shell', ts: 'TypeScript', tsx: 'TypeScript', json: 'JSON' }

/** Undefined for what is served nowhere. */
function resolveLink(href: string, file: string, findPath: FindPath): string | undefined {
  if (/^(https?:|mailto:|#|\/)/.test(href)) return href
  if (/^\w+:/.test(href)) return undefined
  const [path = '', anchor] = href.split('#')
  const target = findPath(posix.normalize(posix.join(posix.dirname(file), path)))
  return target && (anchor === undefined ? target : `${target}#${anchor}`)
}

/** As GitHub makes them, so that a link to a heading works in both places. */
function toId(text: string, before: Heading[]): string {
  const id = text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-')
  const same = before.filter((other) => other.id === id || other.id.replace(/-\d+$/, '') === id).length
  return same === 0 ? id : `${id}-${same}`
}

function toText(token: Token): string {
  if (token.type === 'table') {
    const { header, rows } = token as Tokens.Table
    return [header, ...rows].flatMap((row) => row.map((cell) => cell.tokens.map(toText).join(''))).join(' ')
  }
  if (token.type === 'list') return (token as Tokens.List).items.map(toText).join(' ')
  if ('tokens' in token && token.tokens) return token.tokens.map(toText).join('')
  return 'text' in token ? String(token.text).replaceAll(/\s+/g, ' ') : ' '
}
