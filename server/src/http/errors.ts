// The one table from kinds of errors to statuses, and the one shape of an error's body.
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { type ErrorKind, RequestError, ThrottledError } from '../domain/errors.ts'

const statuses: Record<ErrorKind, number> = {
  invalid: 400,
  unauthorized: 401,
  forbidden: 403,
  missing: 404,
  conflict: 409,
  throttled: 429,
  provider_failed: 502,
  unavailable: 503,
}

export function sendError(reply: FastifyReply, status: number, code: string, message: string): FastifyReply {
  const text = JSON.stringify({ error: message })
  reply.request.answerText = text
  return (
    reply
      .code(status)
      // Set here too: what the framework refuses by itself never reaches the hook that sets it.
      .header('x-request-id', reply.request.id)
      .header('x-error-code', code)
      .header('content-type', 'application/json; charset=utf-8')
      .send(text)
  )
}

export function handleError(error: Error, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (error instanceof RequestError) {
    if (error.kind === 'unavailable' || error.kind === 'provider_failed')
      request.log.warn({ err: error }, 'refused')
    if (error.kind === 'unavailable') reply.header('retry-after', '1')
    if (error instanceof ThrottledError)
      reply.header('retry-after', String(Math.max(1, Math.ceil(error.retryAfterMs / 1000))))
    return sendError(reply, statuses[error.kind], error.code, error.message)
  }
  const framework = findFrameworkError(error)
  if (framework) return sendError(reply, ...framework)
  if (isContention(error)) {
    request.log.warn({ err: error }, 'waited too long')
    reply.header('retry-after', '1')
    return sendError(
      reply,
      503,
      'busy',
      'What this would change is being changed by others; try again shortly.',
    )
  }
  if (isStorageFailure(error)) {
    request.log.error({ err: error }, 'storage failed')
    reply.header('retry-after', '1')
    return sendError(
      reply,
      503,
      'storage_unavailable',
      'The database cannot be reached right now; try again shortly.',
    )
  }
  request.log.error({ err: error }, 'unexpected error')
  return sendError(reply, 500, 'internal_error', 'Something went wrong on our side.')
}

type Answer = [status: number, code: string, message: string]

function findFrameworkError(error: Error): Answer | undefined {
  const { statusCode, code } = error as FastifyError
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return [413, 'body_too_large', 'The body is larger than 1 MiB.']
  if (code === 'FST_ERR_BAD_URL') return [400, 'bad_path', 'The path is not valid percent-encoded UTF-8.']
  if (statusCode === 414) return [400, 'bad_path', 'A part of the path has more than 2000 characters.']
  if (statusCode === 415) return [415, 'unsupported_media_type', error.message]
  if (code === 'FST_ERR_CTP_INVALID_CONTENT_LENGTH') {
    return [400, 'bad_content_length', 'The body is not as long as its content-length says.']
  }
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500)
    return [statusCode, 'bad_request', error.message]
  return undefined
}

/** A body that was refused before anything was known of who sends it. */
export const isUnreadBody = (error: Error): boolean =>
  String((error as FastifyError).code).startsWith('FST_ERR_CTP_')

// Classes of SQLSTATE for a connection lost, resources or time used up, and an operator's intervention; and Node's codes.
const storageCodes = /^(08|53|57|58|25P03|ECONN|EPIPE|ENOENT|ETIMEDOUT|EAI_)/

/** A lock that was not to be had in time, or a deadlock that did not end. */
export const isContention = (error: unknown): boolean =>
  /^(55P03|40P01)$/.test(String((error as { code?: unknown }).code))

export function isStorageFailure(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: unknown }
  if (typeof code === 'string') return storageCodes.test(code)
  return typeof message === 'string' && /connection|timeout|terminated/i.test(message)
}
