// Calls to the provider on behalf of a request: they end in time, and their failures become ours, in words for the caller.
import { RequestError } from '../../domain/errors.ts'
import { ProviderError, type ProviderErrorKind } from '../../provider/provider.ts'

/** Together, however many calls a request needs: it is answered within 10 s, and before it is cut as too slow. */
const requestLimitMs = 8_300

const callersFaults = new Set<ProviderErrorKind>(['rejected', 'not_found'])

/** A refusal of what the caller sent is the caller's to mend when `isCallersFault`; any other failure is a 502. */
export async function callProvider<T>(call: () => Promise<T>, isCallersFault = false): Promise<T> {
  try {
    return await endWithin(requestLimitMs, call())
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    if (isCallersFault && callersFaults.has(error.kind))
      throw new RequestError('invalid', 'provider_rejected', `${error.message}.`)
    throw new RequestError('provider_failed', `provider_${error.kind}`, `${error.message}.`, { cause: error })
  }
}

/** What is still under way then goes on by itself: every call can be repeated without harm. */
export async function endWithin<T>(limitMs: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const expiry = new Promise<never>((_, reject) => {
    const late = new ProviderError('unavailable', 'The payment provider did not answer in time')
    timer = setTimeout(() => reject(late), limitMs)
  })
  try {
    return await Promise.race([work, expiry])
  } finally {
    clearTimeout(timer)
  }
}
