// /openapi.json as committed, and /docs, a reference page made from it that loads nothing from elsewhere.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { renderReference } from './reference/reference-page.ts'

export const openApiFile = join(import.meta.dirname, '../../openapi.json')

// Scripts and styles are files of our own; the page asks nobody but this service.
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

export function registerDocuments(app: FastifyInstance): void {
  const text = readFileSync(openApiFile, 'utf8')
  app.get('/openapi.json', (_request, reply) => reply.type('application/json; charset=utf-8').send(text))
  serveDocument(app, '/docs', 'text/html', () => renderReference(JSON.parse(text)))
  serveDocument(app, '/docs/reference.css', 'text/css', () => readOwn('reference.css'))
  serveDocument(app, '/docs/reference.js', 'text/javascript', () => readOwn('reference.js'))
  serveDocument(app, '/docs/frame.js', 'text/javascript', () => readOwn('frame.js'))
}

/** Made when it is first asked for, then kept. */
export function serveDocument(app: FastifyInstance, path: string, type: string, make: () => string): void {
  let content: string | undefined
  app.get(path, (_request, reply) => {
    content ??= make()
    return reply
      .type(`${type}; charset=utf-8`)
      .header('cache-control', 'no-cache')
      .header('content-security-policy', policy)
      .header('referrer-policy', 'no-referrer')
      .header('x-content-type-options', 'nosniff')
      .send(content)
  })
}

const readOwn = (name: string): string => readFileSync(join(import.meta.dirname, 'reference', name), 'utf8')
