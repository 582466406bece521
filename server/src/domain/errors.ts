// A request that cannot be done, with a public sentence and a stable code; http/errors.ts maps kinds to statuses.

export type ErrorKind =
  | 'invalid'
  | 'unauthorized'
  | 'forbidden'
  | 'missing'
  | 'conflict'
  | 'throttled'
  | 'provider_failed'
  | 'unavailable'

export class RequestError extends Error {
  readonly kind: ErrorKind
  readonly code: string

  constructor(kind: ErrorKind, code: string, message: string, options?: ErrorOptions) {
    super(message, options)
    this.kind = kind
    this.code = code
  }
}

/** Not now: `retryAfterMs` says when. */
export class ThrottledError extends RequestError {
  readonly retryAfterMs: number

  constructor(code: string, message: string, retryAfterMs: number) {
    super('throttled', code, message)
    this.retryAfterMs = retryAfterMs
  }
}

export const invalid = (message: string, code = 'invalid_request') =>
  new RequestError('invalid', code, message)

export const missing = (noun: string, key: string) =>
  new RequestError('missing', `${noun.replaceAll(' ', '_')}_not_found`, `There is no ${noun} ${quote(key)}.`)

export const conflict = (code: string, message: string) => new RequestError('conflict', code, message)

export const overloaded = () =>
  new RequestError(
    'unavailable',
    'overloaded',
    'The service has too much to do right now; try again shortly.',
  )

/** A caller's text inside a sentence: quoted, and cut so that an answer never grows with the question. */
export function quote(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text)
}

const itemFields = {
  events: ['customerId', 'featureKey', 'eventKey', 'amount', 'occurredAt', 'metadata', 'enforceLimit'],
  customers: ['customerId', 'name', 'email', 'metadata', 'usageStartedAt', 'customProductKeys', 'ifExists'],
}

export type BatchNoun = keyof typeof itemFields

const fieldsByCode: Record<string, string> = {
  customer_not_found: 'customerId: ',
  feature_not_found: 'featureKey: ',
}

/** What is said of one item of a batch: a sentence that begins with a field names it in its place, any other is of the item. */
export function placeInBatch(
  noun: BatchNoun,
  index: number,
  { code, message }: Pick<RequestError, 'code' | 'message'>,
): string {
  const sentence = `${fieldsByCode[code] ?? ''}${message}`
  const isOfField = itemFields[noun].some((field) => new RegExp(`^${field}\\b`).test(sentence))
  return `${noun}[${index}]${isOfField ? '.' : ': '}${sentence}`
}
