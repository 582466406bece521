// The simulator's HTTP side: reads a request, knows its environment by its key, answers as Stripe does, fails when told to.
import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ContextAccess } from '../context.ts'
import { type Environment, environments } from '../environment.ts'
import { delayAnswer, type RequestFault, type SimulatorFaults } from '../faults.ts'
import { newId } from '../ids.ts'
import {
  type ApiAnswer,
  type ApiRequest,
  answerIdempotently,
  answerOnce,
  getRoute,
  toFailure,
} from './answer.ts'
import { ApiError } from './errors.ts'

const maxBodyBytes = 1_048_576
const silenceMs = 30_000

export type SimulatorSecrets = Record<Environment, { secretKey: string; webhookSecret: string }>

type HandlerOptions = {
  secrets: SimulatorSecrets
  faults: SimulatorFaults
  access: ContextAccess
}

const digest = (value: string) => createHash('sha256').update(value).digest()

/** As a bearer token, or as the user name of basic authentication, which `curl -u` sends. */
function readKey(header: string): string {
  const bearer = /^Bearer (\S+)$/i.exec(header)?.[1]
  if (bearer !== undefined) return bearer
  const basic = /^Basic ([\w+/=-]+)$/i.exec(header)?.[1] ?? ''
  return Buffer.from(basic, 'base64').toString().split(':')[0] ?? ''
}

function getEnvironment(request: IncomingMessage, secrets: SimulatorSecrets): Environment {
  const key = readKey(request.headers.authorization ?? '')
  const found = environments.find((environment) =>
    timingSafeEqual(digest(key), digest(secrets[environment].secretKey)),
  )
  if (found !== undefined) return found
  throw new ApiError(`Invalid API Key provided: ${key.slice(0, 8)}****${key.slice(-4)}`, { status: 401 })
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length
    // The rest is read all the same: an answer sent while the caller still writes would be lost with the connection.
    if (bytes <= maxBodyBytes) chunks.push(chunk)
  }
  if (bytes > maxBodyBytes) throw new ApiError('The request is too large.', { status: 413 })
  return Buffer.concat(chunks).toString('utf8')
}

async function readRequest(request: IncomingMessage): Promise<ApiRequest> {
  const method = request.method ?? 'GET'
  const [path = '/', query = ''] = (request.url ?? '/').split('?', 2)
  const body = await readBody(request)
  const key = request.headers['idempotency-key']
  return {
    method,
    path: decodePath(path),
    encoded: method === 'POST' ? body : query,
    idempotencyKey: typeof key === 'string' ? key : undefined,
  }
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    throw new ApiError('Unrecognized request URL.', { status: 404 })
  }
}

function send(response: ServerResponse, { status, body, isReplayed, isKept }: ApiAnswer): void {
  response.writeHead(status, {
    'content-type': 'application/json',
    'request-id': newId('req_', 14),
    ...(isReplayed && { 'idempotent-replayed': 'true' }),
    // Repeating it would only bring the same again, and Stripe's libraries heed this.
    ...(isKept && status >= 500 && { 'stripe-should-retry': 'false' }),
  })
  response.end(JSON.stringify(body))
}

/** Faults that come before anything began. */
function failBefore(fault: RequestFault): void {
  if (fault === 'rate_limited') {
    throw new ApiError('Too many requests.', { status: 429, code: 'rate_limit' })
  }
  if (fault === 'server_error') throw new ApiError('Something failed.', { status: 500, type: 'api_error' })
  if (fault === 'refused') throw new ApiError('This is refused.')
  if (fault === 'no_permission') {
    throw new ApiError(
      "The provided key 'rk_****' does not have the required permissions for this endpoint on account 'acct_1'. Having the 'rak_customer_write' permission would allow this request to continue.",
      { status: 403 },
    )
  }
}

async function answer(
  { secrets, faults, access }: HandlerOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<ApiAnswer | undefined> {
  const asked = await readRequest(request)
  const environment = getEnvironment(request, secrets)
  const { method, path, encoded } = asked
  const fault = faults.onRequest({ environment, method, path, encoded })
  await delayAnswer(faults)
  if (fault !== undefined) failBefore(fault)
  const match = getRoute(asked)
  const result =
    method === 'GET'
      ? await access.read(environment, (context) => answerOnce(context, asked, match))
      : await access.write(environment, (context) =>
          answerIdempotently(context, asked, match, fault === 'execution_error'),
        )
  if (fault === undefined || fault === 'execution_error') return result
  if (fault === 'lost_answer') response.destroy()
  else response.setTimeout(silenceMs, () => response.destroy())
  return undefined
}

export function createHandler(options: HandlerOptions) {
  return (request: IncomingMessage, response: ServerResponse): void => {
    answer(options, request, response)
      .catch(toFailure)
      .then((result) => result !== undefined && !response.destroyed && send(response, result))
      .catch(() => response.destroy())
  }
}
