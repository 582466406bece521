// The metadata that goes to the payment provider: what the service puts there and keeps callers from writing, and what the
// provider would not keep.
import { invalid, quote } from '../errors.ts'

/** Metadata keys that are ours. */
const metadataPrefix = 'tollkeeper_'

/** Of anything there: the most that the provider keeps. */
const keysAtMost = 50

export function checkMetadataKeys(metadata: object, field: string): void {
  const taken = Object.keys(metadata).find((key) => key.startsWith(metadataPrefix))
  if (taken !== undefined)
    throw invalid(`${field}: keys that begin with ${metadataPrefix} are ours, but ${quote(taken)} came.`)
}

/** That the provider keeps all of it beside ours: it takes an empty value as none. */
export function checkMetadata(metadata: Record<string, string>, field: string, ours: object): void {
  checkMetadataKeys(metadata, field)
  const left = keysAtMost - Object.keys(ours).length
  if (Object.keys(metadata).length > left) {
    throw invalid(`${field} takes at most ${left} keys at a checkout: the others of ${keysAtMost} are ours.`)
  }
  const empty = Object.keys(metadata).find((key) => metadata[key] === '')
  if (empty !== undefined) {
    throw invalid(`${field}.${empty} must not be empty: the payment provider takes that as no value.`)
  }
}
