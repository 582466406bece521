// What a browser has to fetch for the first page, as the build left it.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'

const root = join(import.meta.dirname, '../..')
const dist = join(root, 'dashboard/dist')
const mostBytes = 250_000

/** A script with everything that it imports when it is loaded; what it imports when asked is not of the first page. */
function collect(name: string, found = new Set<string>()): Set<string> {
  if (found.has(name)) return found
  found.add(name)
  const text = readFileSync(join(dist, 'assets', name), 'utf8')
  for (const [, next] of text.matchAll(/(?:\bfrom|\bimport)\s*["']\.\/([\w.-]+\.js)["']/g)) {
    collect(next as string, found)
  }
  return found
}

const measure = (names: Iterable<string>): number =>
  [...names].reduce((sum, name) => sum + gzipSync(readFileSync(join(dist, 'assets', name))).length, 0)

/** The file that a page's chunk is in. */
const findChunk = (entry: string, page: string): string => {
  const text = readFileSync(join(dist, 'assets', entry), 'utf8')
  const found = new RegExp(`\\.?/?(?:assets/)?(${page}-[\\w-]+\\.js)`).exec(text)?.[1]
  assert.ok(found, `${page} is a chunk of its own`)
  return found
}

describe('the built dashboard', () => {
  execFileSync(process.execPath, [join(root, 'scripts/build-dashboard.mjs')], { stdio: 'pipe' })
  const html = readFileSync(join(dist, 'index.html'), 'utf8')
  const entry = /src="\/assets\/([\w.-]+\.js)"/.exec(html)?.[1] as string

  it('fetches at most 250 kB of JavaScript (gzip) for the first page, charts aside', () => {
    const names = collect(findChunk(entry, 'home'), collect(entry))
    const bytes = measure(names)
    assert.ok(bytes <= mostBytes, `${bytes} bytes in ${[...names].join(', ')}`)
    assert.ok(bytes > 50_000, 'the measure finds the scripts')
    assert.ok(![...names].some((name) => name.startsWith('chart-drawing')), 'charts come when one is shown')
  })

  it('writes nothing into the page that its policy would refuse', () => {
    assert.doesNotMatch(html, /<script(?![^>]*\bsrc=)[^>]*>|<style|\sstyle=|\son\w+=/)
    assert.match(html, /<meta name="csp-nonce" content="__CSP_NONCE__"/)
  })

  it('has each text compressed beside it', () => {
    const plain = statSync(join(dist, 'assets', entry)).size
    for (const ending of ['br', 'gz'])
      assert.ok(statSync(join(dist, 'assets', `${entry}.${ending}`)).size < plain)
  })

  it('is not built again while nothing changes', () => {
    const before = statSync(join(dist, 'index.html')).mtimeMs
    const said = execFileSync(process.execPath, [join(root, 'scripts/build-dashboard.mjs')], {
      encoding: 'utf8',
    })
    assert.equal(said, '')
    assert.equal(statSync(join(dist, 'index.html')).mtimeMs, before)
  })
})
