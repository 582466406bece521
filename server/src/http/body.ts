// Reading bodies: JSON in UTF-8 or nothing. What cannot be read is said only once the caller is known.
import { isUtf8 } from 'node:buffer'
import type { FastifyInstance } from 'fastify'
import { invalid } from '../domain/errors.ts'
import { parseExactly } from './exact-json.ts'

const contentTypeForm = /^[^\s/;]+\/[^\s/;]+\s*(;.*)?$/

export function addBodyParsers(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  // Fastify refuses a content type it cannot read before the body is known to be empty.
  app.addHook('onRequest', ({ headers }, _reply, done) => {
    const type = headers['content-type']
    if (type !== undefined && !contentTypeForm.test(type))
      headers['content-type'] = 'application/octet-stream'
    done()
  })
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    async (_request: unknown, body: Buffer) => readJson(body),
  )
  // An empty body counts as absent, whatever its content type; any other must be JSON.
  app.addContentTypeParser('*', { parseAs: 'buffer' }, async (_request: unknown, body: Buffer) => {
    if (body.length === 0) return undefined
    return new UnsupportedMediaType()
  })
}

/** Its own kind of refusal: only HTTP knows of content types. */
class UnsupportedMediaType extends Error {
  readonly statusCode = 415
  constructor() {
    super('The body must be JSON, with the content-type application/json.')
  }
}

/** An Error stands in for a body that cannot be read. */
function readJson(body: Buffer): unknown {
  if (body.length === 0) return undefined
  if (!isUtf8(body)) return invalid('The body is not valid UTF-8.', 'invalid_json')
  try {
    const parsed = parseExactly(body)
    return 'value' in parsed ? parsed.value : parsed.repeated
  } catch {
    return invalid('The body is not valid JSON.', 'invalid_json')
  }
}

/** As it was parsed; none counts as one without fields. */
export function getBody({ body }: { body: unknown }): unknown {
  if (body instanceof Error) throw body
  return body === undefined ? {} : body
}
