// The errors the simulator answers with, in the shape of Stripe's own.
import type { ZodError } from 'zod'

type ApiErrorOptions = {
  status?: number
  type?: string
  code?: string | undefined
  param?: string | undefined
  declineCode?: string
}

export class ApiError extends Error {
  readonly status: number
  readonly type: string
  readonly code: string | undefined
  readonly param: string | undefined
  readonly declineCode: string | undefined

  constructor(message: string, options: ApiErrorOptions = {}) {
    super(message)
    this.status = options.status ?? 400
    this.type = options.type ?? 'invalid_request_error'
    this.code = options.code
    this.param = options.param
    this.declineCode = options.declineCode
  }
}

/** The thing named by the path is answered 404, one named by a parameter 400. */
export function missing(noun: string, id: string, param = 'id'): ApiError {
  return new ApiError(`No such ${noun}: '${id}'`, {
    status: param === 'id' ? 404 : 400,
    code: 'resource_missing',
    param,
  })
}

export function declined(): ApiError {
  return new ApiError('Your card was declined.', {
    status: 402,
    type: 'card_error',
    code: 'card_declined',
    declineCode: 'generic_decline',
  })
}

export function onlyOneOf(...params: string[]): ApiError {
  return new ApiError(`You may only specify one of these parameters: ${params.join(', ')}.`)
}

export function toErrorBody(error: ApiError): Record<string, unknown> {
  const { type, code, param, message, declineCode } = error
  return {
    error: {
      type,
      message,
      ...(code && { code }),
      ...(param && { param }),
      ...(declineCode && { decline_code: declineCode }),
    },
  }
}

function toParam(path: PropertyKey[]): string {
  return path.map((part, index) => (index === 0 ? String(part) : `[${String(part)}]`)).join('')
}

/** The first thing wrong with the parameters, told as Stripe tells it. */
export function fromZod(error: ZodError): ApiError {
  const issue = error.issues[0]
  if (issue === undefined) return new ApiError('Invalid parameters')
  if (issue.code === 'unrecognized_keys') {
    const param = toParam([...issue.path, issue.keys[0] ?? ''])
    return new ApiError(`Received unknown parameter: ${param}`, { code: 'parameter_unknown', param })
  }
  const param = toParam(issue.path)
  if (issue.code === 'invalid_type' && issue.message.endsWith('undefined')) {
    return new ApiError(`Missing required param: ${param}.`, { code: 'parameter_missing', param })
  }
  if (issue.code === 'custom' && typeof issue.params?.code === 'string') {
    return new ApiError(issue.message, { code: issue.params.code, param })
  }
  return new ApiError(`Invalid ${param}: ${issue.message}`, { param })
}
