// The running service that a command asks over HTTP, with the key in TOLLKEEPER_API_KEY.
import { Tollkeeper } from '@tollkeeper/sdk/src/sdk.ts'
import { UsageError } from './usage-error.ts'

export type Variables = Record<string, string | undefined>

/** Waits out limits and short outages; the key is not on the command line, where every user of the machine could read it. */
export function openRemote(variables: Variables, url: string | undefined): Tollkeeper {
  const apiKey = variables.TOLLKEEPER_API_KEY
  if (!apiKey) throw new UsageError('A key is needed in TOLLKEEPER_API_KEY.')
  const baseUrl = url ?? variables.TOLLKEEPER_URL ?? 'http://localhost:4100'
  if (!/^https?:$/.test(URL.parse(baseUrl)?.protocol ?? ''))
    throw new UsageError('--url must be an http address.')
  return new Tollkeeper({ apiKey, baseUrl, retries: 6 })
}
