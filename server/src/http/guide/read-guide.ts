// The documents of the guide, as they lie in docs/. Their order, groups and titles are those of the list in docs/README.md, which
// is also the guide's first page; a document that the list does not name comes last, under its own heading.
import { globSync, readFileSync, statSync } from 'node:fs'
import { join, posix } from 'node:path'
import { lexer, type Token, type Tokens } from 'marked'

export type GuidePage = {
  /** From the root of the repository. */
  file: string
  /** Where it is served; with `.md` after it, as it was written. */
  path: string
  title: string
  /** What the list says of it. */
  about: string
  group: string
  markdown: string
}

const root = join(import.meta.dirname, '../../../..')
export const guidePath = '/guide'
const listFile = 'docs/README.md'

/** The first is the list itself. */
export function readGuide(): GuidePage[] {
  const markdown = read(listFile)
  const tokens = lexer(markdown)
  const first = { file: listFile, path: guidePath, title: 'Overview', about: '', group: '', markdown }
  const listed = readList(tokens).filter(({ file }) => isThere(file))
  const names = new Set([listFile, ...listed.map(({ file }) => file)])
  const others = globSync('docs/**/*.md', { cwd: root })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((file) => !names.has(file))
    .sort()
    .map((file) => ({
      file,
      title: findHeading(read(file)) ?? file,
      about: '',
      group: file.startsWith('docs/decisions/') ? 'Decisions' : 'More',
    }))
  const pages = [...listed, ...others].map((page) => ({
    ...page,
    path: toPath(page.file),
    markdown: read(page.file),
  }))
  return [first, ...pages]
}

/** Files beside the documents that they link to. */
export const findAttachments = (): { file: string; path: string; read(): string }[] =>
  globSync('docs/**/*.json', { cwd: root })
    .map((path) => path.replaceAll('\\', '/'))
    .map((file) => ({ file, path: toPath(file), read: () => read(file) }))

/** `docs/recipes/seats.md` is at /guide/recipes/seats, `sdk/README.md` at /guide/sdk. */
const toPath = (file: string): string => {
  const name = file.replace(/^docs\//, '').replace(/(\/?README)?\.md$/, '')
  return name === '' ? guidePath : `${guidePath}/${name.toLowerCase()}`
}

/** The groups are headings, the documents the items below them: `- [Title](file.md): what it tells.` */
function readList(tokens: Token[]): Omit<GuidePage, 'path' | 'markdown'>[] {
  let group = ''
  const pages: Omit<GuidePage, 'path' | 'markdown'>[] = []
  for (const token of tokens) {
    if (token.type === 'heading' && token.depth === 2) group = (token as Tokens.Heading).text
    if (token.type !== 'list') continue
    for (const { text } of (token as Tokens.List).items) {
      const [, title, href, about = ''] = /^\[([^\]]+)\]\(([^)#]+\.md)\)(?:: (.*))?$/s.exec(text) ?? []
      if (title && href)
        pages.push({ file: posix.join('docs', href), title, about: about.replaceAll('\n', ' '), group })
    }
  }
  return pages
}

const findHeading = (markdown: string): string | undefined => /^# (.+)$/m.exec(markdown)?.[1]
const read = (file: string): string => readFileSync(join(root, file), 'utf8')
const isThere = (file: string): boolean => statSync(join(root, file), { throwIfNoEntry: false }) !== undefined
