// The metadata that the service puts on what it makes at the payment provider, and keeps callers from writing.
import { invalid, quote } from '../errors.ts'

/** Metadata keys that are ours. */
const metadataPrefix = 'tollkeeper_'

export function checkMetadataKeys(metadata: object, field: string): void {
  const taken = Object.keys(metadata).find((key) => key.startsWith(metadataPrefix))
  if (taken !== undefined)
    throw invalid(`${field}: keys that begin with ${metadataPrefix} are ours, but ${quote(taken)} came.`)
}
