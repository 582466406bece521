// Refusals as OpenFeature's protocol has them: a code of its own, and what was refused.
import type { FastifyReply, FastifyRequest } from 'fastify'

const errorCodes: Record<string, string> = {
  invalid_json: 'PARSE_ERROR',
  unsupported_media_type: 'PARSE_ERROR',
  body_too_large: 'PARSE_ERROR',
  targeting_key_missing: 'TARGETING_KEY_MISSING',
  invalid_context: 'INVALID_CONTEXT',
  flag_not_found: 'FLAG_NOT_FOUND',
}

/** Every error of the service has the one shape; on its way out it is put into the protocol's. */
export async function writeProtocolError(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): Promise<unknown> {
  if (reply.statusCode < 400 || typeof payload !== 'string') return payload
  const { key } = (request.params ?? {}) as { key?: string }
  return JSON.stringify({
    ...(key === undefined ? {} : { key }),
    errorCode: errorCodes[String(reply.getHeader('x-error-code'))] ?? 'GENERAL',
    errorDetails: JSON.parse(payload).error,
  })
}
