// What went wrong with a call, in the service's own sentence, with what is needed to find it in the log.
export class ApiError extends Error {
  readonly status: number
  readonly code: string
  readonly requestId: string | undefined

  constructor(sentence: string, status: number, code: string, requestId?: string) {
    super(sentence)
    this.name = 'ApiError'
    this.status = status
    this.code = code
    this.requestId = requestId
  }
}
