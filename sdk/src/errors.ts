// What a failed call throws.

export type ErrorDetails = {
  status: number
  code: string
  requestId?: string | undefined
  retryAfterMs?: number | undefined
  cause?: unknown
}

/** A call that did not succeed. Neither it nor its cause ever holds the API key. */
export class TollkeeperError extends Error {
  override readonly name = 'TollkeeperError'
  /** The HTTP status; 0 when no answer came. */
  readonly status: number
  /**
   * Stable, for programs: the service's own (`customer_not_found`, `event_key_reused`, …), or `network_error`, `timeout`,
   * `unreadable_answer`, `invalid_request` and `invalid_options` of this client.
   */
  readonly code: string
  /** Names the request in the service's log, when there was an answer. */
  readonly requestId: string | undefined
  /** How long the service asked to wait, when it did. */
  readonly retryAfterMs: number | undefined

  constructor(message: string, details: ErrorDetails) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause })
    this.status = details.status
    this.code = details.code
    this.requestId = details.requestId
    this.retryAfterMs = details.retryAfterMs
  }
}
