// The pages: what is built is served with its policy and caching, and nothing else is a page.
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import Fastify, { type FastifyInstance } from 'fastify'
import { registerPages } from '../../src/http/dashboard/pages.ts'
import { call, startTestService, type TestService } from '../service.ts'

const folder = mkdtempSync(join(tmpdir(), 'tollkeeper-pages-'))
let app: FastifyInstance
before(() => {
  app = Fastify()
  registerPages(app, folder)
})
after(async () => {
  await app.close()
  rmSync(folder, { recursive: true, force: true })
})

const get = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers })

describe('pages', () => {
  it('say that they are being built, and come back by themselves', async () => {
    const page = await get('/test/customers')
    assert.equal(page.statusCode, 503)
    assert.match(page.body, /http-equiv="refresh"[\s\S]*being built/)
    assert.ok(page.headers['retry-after'])
  })

  it('are the built file at every page’s address, with a policy and a nonce of their own', async () => {
    writeFileSync(join(folder, 'index.html'), '<meta name="csp-nonce" content="__CSP_NONCE__">')
    const nonces = new Set<string>()
    for (const url of [
      '/',
      '/login',
      '/join',
      '/test',
      '/test/customers/a%2Fb?x=1',
      '/live/x',
      '/settings/people',
    ]) {
      const page = await get(url)
      assert.equal(page.statusCode, 200, url)
      const policy = String(page.headers['content-security-policy'])
      const nonce = /'nonce-([\w-]{22})'/.exec(policy)?.[1] as string
      assert.equal(page.body, `<meta name="csp-nonce" content="${nonce}">`)
      assert.match(policy, /default-src 'none'; script-src 'self'; style-src 'self' 'nonce-/)
      assert.match(policy, /base-uri 'none'; form-action 'self'; frame-ancestors 'none'/)
      assert.doesNotMatch(policy, /unsafe/)
      assert.equal(page.headers['cache-control'], 'no-cache')
      assert.equal(page.headers['x-content-type-options'], 'nosniff')
      assert.equal(page.headers['referrer-policy'], 'same-origin')
      nonces.add(nonce)
    }
    assert.equal(nonces.size, 7)
  })

  it('load files that are kept for ever, packed as the browser takes them', async () => {
    mkdirSync(join(folder, 'assets'))
    for (const [name, text] of [
      ['a-1.js', 'plain'],
      ['a-1.js.br', 'brotli'],
      ['a-1.js.gz', 'gzip'],
    ] as const)
      writeFileSync(join(folder, 'assets', name), text)
    for (const [accepted, text, encoding] of [
      ['gzip, br', 'brotli', 'br'],
      ['gzip, br;q=0', 'gzip', 'gzip'],
      ['identity', 'plain', undefined],
    ] as const) {
      const file = await get('/assets/a-1.js', { 'accept-encoding': accepted })
      assert.deepEqual([file.statusCode, file.body, file.headers['content-encoding']], [200, text, encoding])
      assert.equal(file.headers['cache-control'], 'public, max-age=31536000, immutable')
      assert.match(String(file.headers['content-type']), /^text\/javascript/)
      assert.equal(file.headers.vary, 'accept-encoding')
    }
    writeFileSync(join(folder, 'theme.js'), 'theme')
    assert.equal((await get('/theme.js')).headers['cache-control'], 'no-cache')
  })

  it('lead to no other file', async () => {
    writeFileSync(join(folder, 'assets', 'notes.txt'), 'x')
    writeFileSync(join(folder, '..', 'tollkeeper-outside.js'), 'x')
    for (const url of [
      '/assets/notes.txt',
      '/assets/..%2findex.html',
      '/assets/..%2f..%2ftollkeeper-outside.js',
      '/..%2ftollkeeper-outside.js',
      '/index.html',
      '/assets/missing.js',
      '/assets/.hidden.js',
      '/assets/',
    ]) {
      assert.equal((await get(url)).statusCode, 404, url)
    }
    rmSync(join(folder, '..', 'tollkeeper-outside.js'))
  })
})

describe('addresses that are no page', () => {
  let service: TestService
  before(async () => {
    service = await startTestService()
  })
  after(() => service.close())

  it('stay errors in JSON', async () => {
    for (const path of [
      '/nowhere',
      '/tests',
      '/dashboard',
      '/dashboard/api/nowhere',
      '/x.js',
      '/v1',
      '/assets/x.js',
    ]) {
      const { status, body } = await call(undefined, service.urls[0] as string, 'GET', path, undefined, {})
      assert.deepEqual([status, typeof body?.error], [404, 'string'], path)
    }
  })
})
