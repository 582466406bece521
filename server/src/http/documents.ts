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
  const files = [
    ['/docs', 'text/html', renderReference(JSON.parse(text))],
    ['/docs/reference.css', 'text/css', readOwn('reference.css')],
    ['/docs/reference.js', 'text/javascript', readOwn('reference.js')],
  ] as const
  for (const [path, type, content] of files) {
    app.get(path, (_request, reply) =>
      reply
        .type(`${type}; charset=utf-8`)
        .header('cache-control', 'no-cache')
        .header('content-security-policy', policy)
        .header('referrer-policy', 'no-referrer')
        .header('x-content-type-options', 'nosniff')
        .send(content),
    )
  }
}

const readOwn = (name: string): string => readFileSync(join(import.meta.dirname, 'reference', name), 'utf8')
