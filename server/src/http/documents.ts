// /openapi.json as committed, and /docs, a reference page made from it that loads nothing from elsewhere.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { renderReference } from './reference-page.ts'

export const openApiFile = join(import.meta.dirname, '../../openapi.json')

export function registerDocuments(app: FastifyInstance): void {
  const text = readFileSync(openApiFile, 'utf8')
  const page = renderReference(JSON.parse(text))
  app.get('/openapi.json', (_request, reply) => reply.type('application/json; charset=utf-8').send(text))
  app.get('/docs', (_request, reply) =>
    reply
      .type('text/html; charset=utf-8')
      .header(
        'content-security-policy',
        "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'",
      )
      .header('x-content-type-options', 'nosniff')
      .send(page),
  )
}
