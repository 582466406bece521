// The official SDK, set up as the service uses it.
import Stripe from 'stripe'
import { findTraceparent } from '../../telemetry/trace.ts'

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
    httpClient: createHttpClient(),
    ...address,
  })

/** The SDK's own, which tells the provider of the trace that a call belongs to. */
function createHttpClient(): Stripe.HttpClient {
  const client = Stripe.createNodeHttpClient()
  const makeRequest = client.makeRequest.bind(client)
  client.makeRequest = (host, port, path, method, headers, ...rest) => {
    const traceparent = findTraceparent()
    const told = traceparent === undefined ? headers : { ...headers, traceparent }
    return makeRequest(host, port, path, method, told, ...rest)
  }
  return client
}
