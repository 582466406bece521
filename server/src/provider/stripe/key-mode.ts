// What a Stripe key says of itself; apart from the adapter, so that reading the configuration does not load the SDK.
import type { Environment } from '../../domain/environment.ts'

/** The mode a key belongs to; undefined for anything that is not a secret or restricted key. */
export function keyMode(secretKey: string): Environment | undefined {
  return /^(?:sk|rk)_(test|live)_\w+$/.exec(secretKey)?.[1] as Environment | undefined
}
