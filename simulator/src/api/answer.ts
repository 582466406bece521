// Runs one API request of the simulator: finds the endpoint, keeps idempotency, renders and expands the answer.
import { createHash } from 'node:crypto'
import type { Context } from '../context.ts'
import { ApiError } from './errors.ts'
import { expand } from './expand.ts'
import { type Form, parseForm } from './form.ts'
import { type Rendered, render } from './render.ts'
import type { Route } from './route.ts'
import { findRoute } from './routes.ts'

export type ApiRequest = {
  method: string
  path: string
  /** The form: from the query of a GET or DELETE, the body of a POST. */
  encoded: string
  idempotencyKey: string | undefined
}

export type ApiAnswer = { status: number; body: unknown; isReplayed: boolean }

type Matched = { route: Route; id: string }

export function getRoute({ method, path }: ApiRequest): Matched {
  const match = findRoute(method, path)
  if (match !== undefined) return match
  throw new ApiError(`Unrecognized request URL (${method}: ${path.slice(0, 200)}).`, { status: 404 })
}

function takeExpand(form: Form): string[] {
  const paths = form.expand
  delete form.expand
  if (paths === undefined) return []
  const list = typeof paths === 'string' ? [] : Object.values(paths)
  if (list.length === 0 || !list.every((path) => typeof path === 'string')) {
    throw new ApiError('Invalid array', { param: 'expand' })
  }
  return list
}

export async function answerOnce(
  context: Context,
  request: ApiRequest,
  { route, id }: Matched,
): Promise<ApiAnswer> {
  const form = parseForm(request.encoded)
  const paths = takeExpand(form)
  const answer = await route.run(context, id, form)
  let body: Rendered
  if ('list' in answer) {
    const data = await render(context, answer.list)
    body = { id: '', object: 'list', url: request.path, has_more: answer.hasMore, data }
  } else {
    body = (await render(context, [answer]))[0] as Rendered
  }
  await expand(context, body, paths)
  const { id: bodyId, ...rest } = body
  return { status: 200, body: bodyId === '' ? rest : body, isReplayed: false }
}

/** Call inside the environment's lock: the key is looked up, used and kept in one transaction with its effect. */
export async function answerIdempotently(
  context: Context,
  request: ApiRequest,
  match: Matched,
): Promise<ApiAnswer> {
  const { idempotencyKey } = request
  if (idempotencyKey === undefined || request.method !== 'POST') return answerOnce(context, request, match)
  if (idempotencyKey.length > 255) throw new ApiError('Idempotency keys are at most 255 characters long.')
  const fingerprint = createHash('sha256')
    .update(`${request.method} ${request.path}\n${request.encoded}`)
    .digest('hex')
  const first = await context.store.findAnswer(idempotencyKey)
  if (first !== undefined) {
    if (first.fingerprint === fingerprint) return { status: first.status, body: first.body, isReplayed: true }
    throw new ApiError(
      `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${idempotencyKey}' if you meant to execute a different request.`,
      { type: 'idempotency_error' },
    )
  }
  const answer = await answerOnce(context, request, match)
  const kept = { fingerprint, status: answer.status, body: answer.body }
  await context.store.saveAnswer(idempotencyKey, kept, Date.now())
  return answer
}
