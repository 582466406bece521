// The official SDK, set up as the service uses it.
import Stripe from 'stripe'

/** The version the mapping was written against; the SDK's types are those of the same version. */
const apiVersion = '2026-10-28.endive'

/** Stripe's own unless given. */
export type StripeAddress = { host?: string; port?: number; protocol?: 'http' | 'https' }

export const openStripe = (secretKey: string, address: StripeAddress, timeoutMs = 3_500): Stripe =>
  new Stripe(secretKey, {
    apiVersion,
    telemetry: false,
    maxNetworkRetries: 1,
    timeout: timeoutMs,
    ...address,
  })
