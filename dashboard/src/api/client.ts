// Calls to the service under the session, typed by method and path. A caller who is signed out goes to sign in and comes back.
import { ApiError } from './error.ts'
import type {
  AnswerOf,
  Arguments,
  EnvironmentOperations,
  InstallationOperations,
  Method,
  OperationOf,
  PathOf,
} from './operations.ts'

export type Environment = 'test' | 'live'

type Input = {
  path?: Record<string, string | number>
  query?: Record<string, unknown>
  body?: unknown
  header?: Record<string, string>
}

type Call<Operations, Verb extends Method> = <Path extends PathOf<Operations, Verb>>(
  path: Path,
  ...input: Arguments<OperationOf<Operations, Verb, Path>>
) => Promise<AnswerOf<OperationOf<Operations, Verb, Path>>>

type Client<Operations> = {
  get: Call<Operations, 'GET'>
  post: Call<Operations, 'POST'>
  put: Call<Operations, 'PUT'>
  delete: Call<Operations, 'DELETE'>
}

export type EnvironmentApi = Client<EnvironmentOperations>

// Kept here, not in a component: every write needs it, and it lives as long as the page.
let csrfToken: string | undefined

export function keepCsrfToken(token: string): void {
  csrfToken = token
}

function createClient<Operations>(prefix: string): Client<Operations> {
  const bind = (method: Method) => (path: string, input?: Input) => send(method, prefix, path, input)
  return {
    get: bind('GET'),
    post: bind('POST'),
    put: bind('PUT'),
    delete: bind('DELETE'),
  } as unknown as Client<Operations>
}

/** Session, people and links. */
export const installationApi = createClient<InstallationOperations>('/dashboard/api')

/** Everything of an environment: public routes by their own path (/v1/…), the dashboard's by what follows the environment. */
export const environmentApis: Record<Environment, EnvironmentApi> = {
  test: createClient<EnvironmentOperations>('/dashboard/api/test'),
  live: createClient<EnvironmentOperations>('/dashboard/api/live'),
}

/** Also for links that the browser follows by itself: downloads and event streams. */
export function writeAddress(prefix: string, path: string, input: Input = {}): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(input.path?.[name] ?? '')),
  )
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(input.query ?? {})) {
    if (value !== undefined && value !== null && value !== '') query.set(name, String(value))
  }
  const text = query.toString()
  return `${prefix}${filled}${text === '' ? '' : `?${text}`}`
}

async function send(method: Method, prefix: string, path: string, input: Input = {}): Promise<unknown> {
  const headers: Record<string, string> = { accept: 'application/json', ...input.header }
  if (method !== 'GET' && csrfToken !== undefined) headers['x-csrf-token'] = csrfToken
  if (input.body !== undefined) headers['content-type'] = 'application/json'
  const response = await reach(writeAddress(prefix, path, input), {
    method,
    headers,
    credentials: 'same-origin',
    ...(input.body === undefined ? {} : { body: JSON.stringify(input.body) }),
  })
  const answer: unknown = await response.json().catch(() => undefined)
  if (response.ok) return answer
  const error = readError(response, answer)
  if (error.code === 'signed_out') leaveForSignIn()
  throw error
}

async function reach(address: string, request: RequestInit): Promise<Response> {
  try {
    return await fetch(address, request)
  } catch {
    throw new ApiError('The service could not be reached.', 0, 'unreachable')
  }
}

function readError(response: Response, answer: unknown): ApiError {
  const sentence =
    answer !== null && typeof answer === 'object' && 'error' in answer
      ? String(answer.error)
      : `The service answered with status ${response.status}.`
  const code = response.headers.get('x-error-code') ?? 'unknown'
  return new ApiError(sentence, response.status, code, response.headers.get('x-request-id') ?? undefined)
}

/** To sign in, and afterwards back to where it was. */
function leaveForSignIn(): void {
  const { pathname, search } = window.location
  if (pathname === '/login' || pathname === '/join') return
  window.location.assign(`/login?next=${encodeURIComponent(pathname + search)}`)
}
