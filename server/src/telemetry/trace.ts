// The trace that a request belongs to, by the W3C's header `traceparent`: it is told in the log and passed on to the provider.
import { AsyncLocalStorage } from 'node:async_hooks'

export type Trace = { traceparent: string; traceId: string }

// Version 00 has exactly four parts; later ones may add more behind them. Ids of zeros alone are invalid.
const form = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(-.{0,200})?$/

/** Undefined for one that is missing or malformed: then the request has no trace. */
export function readTrace(header: string | string[] | undefined): Trace | undefined {
  if (typeof header !== 'string') return undefined
  const [, version, traceId, rest] = form.exec(header) ?? []
  if (traceId === undefined || (version === '00' && rest !== undefined)) return undefined
  return { traceparent: header, traceId }
}

const current = new AsyncLocalStorage<Trace>()

/** Whatever the work asks of the provider carries the trace. */
export const withTrace = <T>(trace: Trace | undefined, work: () => T): T =>
  trace ? current.run(trace, work) : work()

export const findTraceparent = (): string | undefined => current.getStore()?.traceparent
