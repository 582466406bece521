// A request as the live log shows it: without secrets, and cut.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { RequestLine } from '../operations/requests/request-log.ts'
import type { Services } from '../operations/services.ts'

const shownBytes = 2_048
// What is larger is not taken apart only to be cut.
const readBytes = 64 * 1_024

/** Called when a request was answered while somebody watches; requests without a valid key are nobody's. */
export function collectLine(request: FastifyRequest, reply: FastifyReply, services: Services): void {
  const { requestLog } = services
  const { admission } = request
  if (!admission || !requestLog.takes(admission.environment)) return
  requestLog.add(admission.environment, toLine(request, reply, admission.keyId))
}

function toLine(request: FastifyRequest, reply: FastifyReply, keyId: string): RequestLine {
  const ms = reply.elapsedTime
  const code = reply.getHeader('x-error-code')
  return {
    requestId: request.id,
    at: Math.round(Date.now() - ms),
    method: request.method,
    path: hideKeys(request.url).slice(0, 1_000),
    route: request.routeOptions.url?.replaceAll(/:(\w+)/g, '{$1}') ?? null,
    status: reply.statusCode,
    ms: Math.round(ms * 10) / 10,
    keyId,
    code: typeof code === 'string' ? code : null,
    body: showBody(request),
    answer: showText(request.answerText),
  }
}

function showBody({ body, headers }: FastifyRequest): string | null {
  if (body === undefined || body === null || body instanceof Error || Buffer.isBuffer(body)) return null
  return Number(headers['content-length'] ?? 0) > readBytes ? tooLarge : redact(body)
}

function showText(text: string | undefined): string | null {
  if (text === undefined) return null
  if (text.length > readBytes) return tooLarge
  try {
    return redact(JSON.parse(text))
  } catch {
    return notShown
  }
}

const tooLarge = '(too large to show)'
const notShown = '(not shown)'

// Words that are names of features too (tokens, signatures) count only where they stand for one secret.
const secretName =
  /secret|passw|api[-_]?key|authori[sz]ation|credential|(access|refresh|session|csrf|auth|bearer|id)[-_]?token|^(token|signature|cookie|set-cookie)$/i
// Addresses of checkouts and portals let whoever has them act for the customer.
const secretNames = new Set(['url'])
// Keys as this service and payment providers write them.
const keyForm = /\b([a-z]{2,6}_(?:test|live)_)[\w-]{6,}/g

const hideKeys = (text: string): string => text.replaceAll(keyForm, '$1…')

/** As JSON, without the values of what sounds like a secret. */
export function redact(value: unknown): string {
  try {
    const text = JSON.stringify(value, (name, each) => {
      if (name !== '' && (secretName.test(name) || secretNames.has(name))) return '(hidden)'
      return typeof each === 'string' ? hideKeys(each) : each
    })
    return cut(text ?? '')
  } catch {
    // Nested more deeply than can be written.
    return notShown
  }
}

function cut(text: string): string {
  if (Buffer.byteLength(text) <= shownBytes) return text
  return `${Buffer.from(text)
    .subarray(0, shownBytes)
    .toString()
    .replace(/\uFFFD+$/, '')}…`
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The text that was answered, as far as it was JSON. */
    answerText: string | undefined
  }
}
