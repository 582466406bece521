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
    path: showPath(request.url).slice(0, 1_000),
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
  /secret|passw|passphrase|pwd|api[-_]?key|authori[sz]ation|credential|bearer|(access|refresh|session|csrf|auth|bearer|id)[-_]?token|^(token|signature|cookie|set-cookie)$/i
// Addresses of checkouts and portals let whoever has them act for the customer.
const secretNames = new Set(['url'])
// Keys and webhook secrets as this service and payment providers write them, whatever stands before them; signed tokens; and what an
// address says of who may use it.
const secretForms: [form: RegExp, shown: string][] = [
  [/([a-z]{2,6}_(?:test|live)_|[a-z]{0,4}sec_)[\w-]{6,}/gi, '$1…'],
  [/\beyJ[\w-]{8,}\.[\w-]+\.[\w-]*/g, 'eyJ…'],
  [/(:\/\/[^/\s:@]*):[^/\s@]+@/g, '$1:…@'],
]
const parameterForm = /([?&]([^=&?#\s"]+)=)[^&#\s"]+/g

const hideKeys = (text: string): string =>
  secretForms
    .reduce((rest, [form, shown]) => rest.replaceAll(form, shown), text)
    .replaceAll(parameterForm, (whole, head, name) => (secretName.test(name) ? `${head}…` : whole))

/** Escapes would hide a key from those who look for one. */
function showPath(url: string): string {
  try {
    return hideKeys(decodeURIComponent(url))
  } catch {
    return hideKeys(url)
  }
}

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
