// One call of ours may take several requests (pages, retries); together they end before the promised 8 s.
import type Stripe from 'stripe'
import { ProviderError } from '../provider.ts'
import { toProviderError } from './errors.ts'

/** Below the promised 8 s, so that the answer still leaves in time. */
const callLimitMs = 7_700
const maxPages = 50

export type Deadline = {
  /** Options of one request: its timeout never reaches past the call's end. */
  request(idempotencyKey?: string): Stripe.RequestOptions
}

/** Runs one call of ours; the SDK's own timeout only watches for silence, so a dripping answer needs this race. */
export async function withinDeadline<T>(
  requestTimeoutMs: number,
  work: (deadline: Deadline) => Promise<T>,
): Promise<T> {
  const endsAt = performance.now() + callLimitMs
  const request = (idempotencyKey?: string): Stripe.RequestOptions => {
    const leftMs = Math.max(1, Math.floor(endsAt - performance.now()))
    const timeout = Math.min(requestTimeoutMs, leftMs)
    // A retry is worth starting only if it could still be answered. Several: the provider refuses to answer two uses of one
    // idempotency key at once.
    const maxNetworkRetries = leftMs >= 2 * timeout ? 3 : 0
    return { timeout, maxNetworkRetries, ...(idempotencyKey === undefined ? {} : { idempotencyKey }) }
  }
  let timer: NodeJS.Timeout | undefined
  const expiry = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new ProviderError('unavailable', 'The payment provider did not answer in time')),
      callLimitMs,
    )
  })
  try {
    return await Promise.race([work({ request }), expiry])
  } catch (error) {
    throw toProviderError(error)
  } finally {
    clearTimeout(timer)
  }
}

type ListPage<T> = { data: T[]; has_more: boolean }

/** Reads a list to its end. Too long a list is an error: half of it would be taken for the whole. */
export async function readAll<T extends { id: string }>(
  list: (startingAfter: { starting_after?: string }) => Promise<ListPage<T>>,
): Promise<T[]> {
  const found: T[] = []
  for (let page = 0; page < maxPages; page++) {
    const last = found.at(-1)
    const { data, has_more } = await list(last === undefined ? {} : { starting_after: last.id })
    found.push(...data)
    if (!has_more || data.length === 0) return found
  }
  throw new ProviderError('rejected', `The payment provider holds more than ${found.length} entries here`)
}
