// Calls to the provider on behalf of a request: its failures become ours, in words for the caller.
import { RequestError } from '../domain/errors.ts'
import { ProviderError } from '../provider/provider.ts'

/** A refusal of what the caller sent is the caller's to mend when `isCallersFault`; any other failure is a 502. */
export async function callProvider<T>(call: () => Promise<T>, isCallersFault = false): Promise<T> {
  try {
    return await call()
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    if (isCallersFault && error.kind === 'rejected')
      throw new RequestError('invalid', 'provider_rejected', `${error.message}.`)
    throw new RequestError('provider_failed', `provider_${error.kind}`, `${error.message}.`, { cause: error })
  }
}
