// Runs one API request of the simulator: finds the endpoint, keeps idempotency, renders and expands the answer.
import { createHash } from 'node:crypto'
import type { Context } from '../context.ts'
import { ApiError, toErrorBody } from './errors.ts'
import { expand } from './expand.ts'
import { type Form, parseForm } from './form.ts'
import { type Rendered, render } from './render.ts'
import type { Route, RouteAnswer } from './route.ts'
import { findRoute } from './routes.ts'

export type ApiRequest = {
  method: string
  path: string
  /** The form: from the query of a GET or DELETE, the body of a POST. */
  encoded: string
  idempotencyKey: string | undefined
}

/** `isKept`: a repetition with the same idempotency key gets this answer again. */
export type ApiAnswer = { status: number; body: unknown; isReplayed: boolean; isKept?: boolean }

type Matched = { route: Route; id: string }

export function getRoute({ method, path }: ApiRequest): Matched {
  const match = findRoute(method, path)
  if (match !== undefined) return match
  throw new ApiError(`Unrecognized request URL (${method}: ${path.slice(0, 200)}).`, { status: 404 })
}

export function toFailure(error: unknown): ApiAnswer {
  const known =
    error instanceof ApiError
      ? error
      : new ApiError('The simulator failed.', { status: 500, type: 'api_error' })
  return { status: known.status, body: toErrorBody(known), isReplayed: false }
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

async function toBody(context: Context, path: string, answer: RouteAnswer): Promise<Rendered> {
  if ('list' in answer) {
    const data = await render(context, answer.list)
    return { id: '', object: 'list', url: path, has_more: answer.hasMore, data }
  }
  if ('found' in answer) {
    const { found, nextPage } = answer
    const data = await render(context, found)
    return {
      id: '',
      object: 'search_result',
      url: path,
      has_more: nextPage !== null,
      next_page: nextPage,
      data,
    }
  }
  return (await render(context, [answer]))[0] as Rendered
}

/** Checks the parameters, and gives what is then to be done. */
function prepare({ encoded, path }: ApiRequest, { route, id }: Matched) {
  const form = parseForm(encoded)
  const paths = takeExpand(form)
  const run = route.prepare(form)
  return async (context: Context): Promise<ApiAnswer> => {
    const { id: bodyId, ...rest } = await toBody(context, path, await run(context, id))
    const body = bodyId === '' ? { ...rest } : { id: bodyId, ...rest }
    await expand(context, body as Rendered, paths)
    return { status: 200, body, isReplayed: false }
  }
}

export async function answerOnce(context: Context, request: ApiRequest, match: Matched): Promise<ApiAnswer> {
  return prepare(request, match)(context)
}

/**
 * As Stripe does it: once execution began, the first answer is kept for its key, an error as well as a success, and given
 * again; parameters that are refused before do not take the key. Call inside the environment's lock: the key is looked up,
 * used and kept in one transaction with its effect. `fails` lets the execution fail once it began.
 */
export async function answerIdempotently(
  context: Context,
  request: ApiRequest,
  match: Matched,
  fails: boolean,
): Promise<ApiAnswer> {
  const { idempotencyKey } = request
  const execute = async (run: (context: Context) => Promise<ApiAnswer>) => {
    if (fails) throw new ApiError('An unknown error occurred.', { status: 500, type: 'api_error' })
    return run(context)
  }
  if (idempotencyKey === undefined || request.method !== 'POST') return execute(prepare(request, match))
  if (idempotencyKey.length > 255) throw new ApiError('Idempotency keys are at most 255 characters long.')
  const fingerprint = createHash('sha256')
    .update(`${request.method} ${request.path}\n${request.encoded}`)
    .digest('hex')
  const first = await context.store.findAnswer(idempotencyKey)
  if (first !== undefined) {
    if (first.fingerprint === fingerprint) {
      return { status: first.status, body: first.body, isReplayed: true, isKept: true }
    }
    throw new ApiError(
      `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${idempotencyKey}' if you meant to execute a different request.`,
      { type: 'idempotency_error' },
    )
  }
  const run = prepare(request, match)
  const answer = await context.store.attempt(() => execute(run)).catch(toFailure)
  const kept = { fingerprint, status: answer.status, body: answer.body }
  await context.store.saveAnswer(idempotencyKey, kept, Date.now())
  return { ...answer, isKept: true }
}
