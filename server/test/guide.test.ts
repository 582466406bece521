// The guide at /guide: every document is a page, every link leads somewhere, search finds, and the browser complains of nothing.
import assert from 'node:assert/strict'
import { existsSync, globSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { lexer, type Token, walkTokens } from 'marked'
import type { Page } from 'playwright-core'
import { readGuide } from '../src/http/guide/read-guide.ts'
import { renderMarkdown } from '../src/http/guide/render-markdown.ts'
import { runAxe } from './axe.ts'
import { type Browsing, findBrowser, noBrowser, startBrowser } from './browser.ts'
import { startTestService, type TestService } from './service.ts'

const root = join(import.meta.dirname, '../..')
const browser = await findBrowser()
const documents = globSync('{docs/**/*.md,*.md,{sdk,simulator,examples/*}/README.md}', { cwd: root })

/** Links of a document to other files, and to headings of its own; addresses elsewhere are left out. */
function findLinks(markdown: string): string[] {
  const links: string[] = []
  walkTokens(lexer(markdown), (token: Token) => {
    if (token.type === 'link' || token.type === 'image') links.push(String(token.href))
  })
  return links.filter((href) => !/^(https?|mailto):|^\//.test(href))
}

const findIds = (markdown: string): string[] =>
  renderMarkdown(markdown, '', () => undefined).headings.map(({ id }) => id)

/** What is wrong with a document's links, on disk. */
function findBroken(file: string, markdown: string): string[] {
  return findLinks(markdown).flatMap((href) => {
    const [path = '', anchor] = href.split('#')
    const target = path === '' ? file : join(dirname(file), path)
    if (!existsSync(join(root, target))) return [`${file}: ${href}`]
    if (anchor === undefined || !target.endsWith('.md')) return []
    const text = path === '' ? markdown : readFileSync(join(root, target), 'utf8')
    return findIds(text).includes(anchor) ? [] : [`${file}: ${href}`]
  })
}

describe('documents', () => {
  it('link to files and headings that exist', () => {
    assert.ok(documents.length > 20)
    assert.deepEqual(
      documents.flatMap((file) => findBroken(file, readFileSync(join(root, file), 'utf8'))),
      [],
    )
  })

  it('link to files and headings that exist: a violation is found', () => {
    const planted = '# A\n[x](nowhere.md) [y](#none) [z](glossary.md#none) [fine](glossary.md#words)'
    assert.deepEqual(findBroken('docs/x.md', planted), [
      'docs/x.md: nowhere.md',
      'docs/x.md: #none',
      'docs/x.md: glossary.md#none',
    ])
  })

  it('are listed where they exist, with a title that no other has', () => {
    const pages = readGuide()
    const listed = findLinks(readFileSync(join(root, 'docs/README.md'), 'utf8'))
    assert.equal(pages.filter(({ about }) => about !== '').length, listed.length)
    assert.equal(new Set(pages.map(({ title }) => title)).size, pages.length)
    assert.equal(new Set(pages.map(({ path }) => path)).size, pages.length)
    for (const file of globSync('docs/**/*.md', { cwd: root }))
      assert.ok(
        pages.some((page) => page.file === file),
        file,
      )
  })
})

describe('Markdown', () => {
  const render = (text: string) => renderMarkdown(text, 'docs/a/b.md', (file) => paths[file])
  const paths: Record<string, string> = { 'docs/c.md': '/guide/c' }

  it('shows raw HTML instead of obeying it', () => {
    const { html } = render('<script>alert(1)</script>\n\na <b onclick="x">b</b>\n\n```ts\n<i>\n```')
    assert.doesNotMatch(html, /<(script|b|i)\b/)
    assert.match(html, /&lt;script&gt;/)
  })

  it('leads to pages, and nowhere but to them, to the web and to its own headings', () => {
    const { html } = render('[c](../c.md#x) [d](../d.md) [w](https://example.com) [j](javascript:alert(1))')
    assert.match(html, /href="\/guide\/c#x"/)
    assert.deepEqual([...html.matchAll(/href="([^"]*)"/g)].length, 2)
  })

  it('names headings as GitHub does, each once', () => {
    const ids = findIds('# What happens, when `x` fails?\n## Twice\n## Twice\n## Twice')
    assert.deepEqual(ids, ['what-happens-when-x-fails', 'twice', 'twice-1', 'twice-2'])
  })
})

describe('/guide', () => {
  let service: TestService
  const get = async (path: string) => {
    const response = await fetch(`${service.urls[0]}${path}`)
    return { status: response.status, headers: response.headers, text: await response.text() }
  }

  before(async () => {
    service = await startTestService()
  })
  after(() => service?.close())

  it('serves every document as a page and as it was written', async () => {
    for (const { path, title, markdown } of readGuide()) {
      const page = await get(path)
      assert.equal(page.status, 200, path)
      assert.match(page.headers.get('content-security-policy') ?? '', /script-src 'self'/)
      assert.ok(page.text.includes(`<title>${title.replaceAll('&', '&amp;')} · Tollkeeper guide`), path)
      assert.equal((await get(`${path}.md`)).text, markdown)
    }
  })

  it('has no link that leads nowhere, over all pages', async () => {
    const [seen, waiting] = [new Map<string, string>(), ['/guide', '/docs']]
    for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
      const { status, text, headers } = await get(path)
      assert.equal(status, 200, path)
      seen.set(path, text)
      if (!headers.get('content-type')?.startsWith('text/html')) continue
      for (const [, href = ''] of text.matchAll(/ (?:href|src)="(\/[^"#]*)/g))
        if (!seen.has(href) && !waiting.includes(href)) waiting.push(href)
    }
    assert.ok(seen.size > readGuide().length)
    for (const [path, text] of seen)
      for (const [, page = '', id = ''] of text.matchAll(/ href="((?:\/guide[^"#]*)?)#([^"]+)"/g))
        assert.ok(seen.get(page || path)?.includes(` id="${id}"`), `${path}: ${page}#${id}`)
  })

  it('tells programs what there is in /llms.txt, and all of it is there', async () => {
    const { text, headers } = await get('/llms.txt')
    assert.match(headers.get('content-type') ?? '', /^text\/plain/)
    const links = [...text.matchAll(/\]\((\/[^)]+)\)/g)].map((match) => match[1] as string)
    assert.ok(links.includes('/openapi.json') && links.includes('/guide/sdk.md'))
    for (const link of links) assert.equal((await get(link)).status, 200, link)
  })

  describe('in a browser', { skip: browser ? false : noBrowser }, () => {
    let browsing: Browsing
    let page: Page
    const complaints: string[] = []

    before(async () => {
      browsing = await startBrowser(browser as string, { viewport: { width: 1280, height: 900 } })
      page = await browsing.context.newPage()
      page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
      page.on('pageerror', (error) => complaints.push(error.message))
      await page.goto(`${service.urls[0]}/guide`)
    })
    after(() => browsing?.close())

    it('finds what is written on another page, and goes there', async () => {
      await page.keyboard.press('/')
      await page.keyboard.type('account owner')
      const result = page.locator('#found a', { hasText: 'Words' }).first()
      await result.waitFor()
      assert.ok(await page.locator('#found mark').first().isVisible())
      assert.ok(await page.locator('article').isHidden())
      await page.fill('#search', 'no such words')
      await page.getByText('Nothing matches.').waitFor()
      await page.fill('#search', 'account owner')
      await result.click()
      await page.waitForURL(/\/guide\/glossary/)
      assert.ok(await page.locator('article').isVisible())
    })

    it('copies code', async () => {
      await browsing.context.grantPermissions(['clipboard-read', 'clipboard-write'])
      await page.goto(`${service.urls[0]}/guide/sdk`)
      await page.locator('.copy').first().click()
      await page.getByText('Copied').waitFor()
      assert.equal(await page.evaluate('navigator.clipboard.readText()'), 'npm install @tollkeeper/sdk')
    })

    it('is accessible in light and dark, fits a phone, and made the browser complain of nothing', async () => {
      for (const path of ['/guide', '/guide/concepts', '/guide/sdk', '/guide/glossary', '/guide/performance'])
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.setViewportSize({ width: 1280, height: 900 })
          await page.emulateMedia({ colorScheme })
          await page.goto(`${service.urls[0]}${path}`)
          assert.deepEqual(await runAxe(page), [], `${path} in ${colorScheme}`)
          await takeScreenshot(page, `guide-${path.split('/').at(-1)}-${colorScheme}`)
          await page.setViewportSize({ width: 390, height: 800 })
          const width = await page.evaluate<number>('document.documentElement.scrollWidth')
          assert.ok(width <= 390, `${path} is ${width} px wide`)
        }
      assert.deepEqual(complaints, [])
    })
  })
})

/** Only when SCREENSHOTS names a folder. */
async function takeScreenshot(page: Page, name: string): Promise<void> {
  const folder = process.env.SCREENSHOTS
  if (!folder) return
  mkdirSync(folder, { recursive: true })
  await page.screenshot({ path: join(folder, `${name}.png`) })
}
