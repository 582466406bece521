// A handler for your own server, through which a browser reads its own customer's access: the key stays where it is.
import { TollkeeperError } from './errors.ts'
import type { FeatureKey } from './keys.ts'
import { invalidOption } from './options.ts'
import type { AccessMap } from './resources/feature-access.ts'

export type HandlerOptions = {
  /**
   * Whose access this request may read: the customer id of who is signed in, or null for nobody. Take it from your session,
   * never from what the browser can choose.
   */
  identify(request: Request): string | null | undefined | Promise<string | null | undefined>
  /** Origins of other pages that may ask, with their cookies: none unless given. No wildcards. */
  allowedOrigins?: readonly string[] | undefined
  /** Told of failures, of which the browser only hears that there was one. */
  onError?: ((error: unknown) => void) | undefined
}

/** What the handler asks the service. */
export type AccessReader = {
  access(customerId: string, options: { signal: AbortSignal }): Promise<AccessMap>
  check(
    customerId: string,
    featureKey: FeatureKey,
    options: { signal: AbortSignal; amount?: number | undefined },
  ): Promise<unknown>
}

export type Handler = (request: Request) => Promise<Response>

/**
 * `GET …` answers the customer's whole map; `GET …?featureKey=api_calls&amount=3` answers the check of one feature. Whatever
 * else the address says, the customer is the one that `identify` named.
 */
export function createHandler(reader: AccessReader, options: HandlerOptions): Handler {
  const origins = new Set(options.allowedOrigins ?? [])
  for (const origin of origins)
    if (!URL.canParse(origin) || new URL(origin).origin !== origin)
      throw invalidOption(
        'allowedOrigins must be origins such as https://app.example.com, without wildcards.',
      )

  async function respond(request: Request): Promise<Response> {
    if (request.method === 'OPTIONS') return new Response(null, { status: 204 })
    if (request.method !== 'GET') return toError(405, 'method_not_allowed', 'Only GET is answered here.')
    const customerId = await options.identify(request)
    if (typeof customerId !== 'string' || customerId === '')
      return toError(401, 'not_identified', 'Nobody is signed in.')
    const query = new URL(request.url).searchParams
    const featureKey = query.get('featureKey')
    const amount = query.get('amount')
    const { signal } = request
    if (featureKey === null) return toJson(200, await reader.access(customerId, { signal }))
    if (amount !== null && !/^\d{1,13}(\.\d{1,6})?$/.test(amount))
      return toError(400, 'invalid_request', 'amount must be a number that is not below 0.')
    const asked = amount === null ? { signal } : { signal, amount: Number(amount) }
    return toJson(200, await reader.check(customerId, featureKey as FeatureKey, asked))
  }

  return async (request) => {
    let response: Response
    try {
      response = await respond(request)
    } catch (error) {
      response = toFailure(error)
      if (response.status >= 500) options.onError?.(error)
    }
    return withHeaders(response, request, origins)
  }
}

function withHeaders(response: Response, request: Request, origins: ReadonlySet<string>): Response {
  const { headers } = response
  // One person's answer must not be another's, on this machine or on the way.
  headers.set('cache-control', 'no-store')
  headers.set('x-content-type-options', 'nosniff')
  headers.set('allow', 'GET')
  if (origins.size === 0) return response
  headers.set('vary', 'Origin')
  const origin = request.headers.get('origin')
  if (origin === null || !origins.has(origin)) return response
  headers.set('access-control-allow-origin', origin)
  headers.set('access-control-allow-credentials', 'true')
  if (request.method === 'OPTIONS') headers.set('access-control-allow-methods', 'GET')
  return response
}

/** What is wrong with the question is told; what is wrong between your server and the service is not the browser's to know. */
function toFailure(error: unknown): Response {
  if (error instanceof TollkeeperError && (error.status === 404 || error.status === 400))
    return toError(error.status, error.code, error.message)
  return toError(502, 'unavailable', 'Access cannot be read right now; try again shortly.')
}

const toError = (status: number, code: string, message: string) => {
  const response = toJson(status, { error: message })
  response.headers.set('x-error-code', code)
  return response
}

const toJson = (status: number, body: unknown) =>
  new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8' },
  })
