// When a call is tried again, and after how long.

/** What went wrong with one try. `isUnsent`: the service cannot have seen it. */
export type Failure = { status: number; isUnsent: boolean; retryAfterMs: number | undefined }

const firstDelayMs = 200
const longestDelayMs = 8_000
/** A service that asks for more than this is not waited for: the caller hears at once. */
const longestRetryAfterMs = 60_000

/**
 * Whether another try can help and do no harm. A call that is not repeatable (it would be done twice, or refused as done)
 * is tried again only if the service certainly did nothing.
 */
export function isWorthRetrying(failure: Failure, isRepeatable: boolean): boolean {
  if ((failure.retryAfterMs ?? 0) > longestRetryAfterMs) return false
  if (failure.status === 429 || failure.isUnsent) return true
  return isRepeatable && (failure.status === 0 || (failure.status >= 502 && failure.status <= 504))
}

/** Exponential with full jitter, so that callers who failed together do not return together; never before Retry-After. */
export function computeDelayMs(
  retry: number,
  retryAfterMs: number | undefined,
  random: () => number,
): number {
  const spread = random() * Math.min(longestDelayMs, firstDelayMs * 2 ** (retry - 1))
  return (retryAfterMs ?? 0) + spread
}

/** Seconds or a date, as HTTP has it. */
export function readRetryAfterMs(header: string | null, now: number): number | undefined {
  if (header === null) return undefined
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1000
  const at = Date.parse(header)
  return Number.isNaN(at) ? undefined : Math.max(0, at - now)
}

/** Resolves after the delay; rejects with the signal's reason when that comes first. */
export function sleep(delayMs: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort)
      resolve()
    }, delayMs)
    if (signal?.aborted) abort()
    else signal?.addEventListener('abort', abort, { once: true })
  })
}
