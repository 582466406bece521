// Turns what the SDK throws into our ProviderError: a kind to act on and a text that is safe to show.
import Stripe from 'stripe'
import { ProviderError } from '../provider.ts'

const missing = 'resource_missing'

/** The provider's texts may quote keys and link into the account's dashboard; neither leaves this process. */
export function publicText(message: string): string {
  return message
    .replace(/\b(sk|rk|pk|whsec)_[\w*]+/g, '[redacted]')
    .replace(/\s*(\bSee\s+)?https?:\/\/\S+/gi, '')
    .trim()
    .slice(0, 300)
}

/** Stripe names what the key lacks: "Having the 'rak_customer_write' permission would allow this request to continue." */
function describeRefusedKey(error: Stripe.errors.StripeError): string {
  const permissions = [...error.message.matchAll(/'(rak_\w+)'/g)].map((match) => match[1])
  const lacks = permissions.length > 0 ? `: it lacks the permission ${permissions.join(', ')}` : ''
  return `The payment provider refused the service's key${lacks}`
}

/** Errors too are kept under an idempotency key once execution began, and given again for a day. */
function readKeyState({ statusCode = 0, headers, type }: Stripe.errors.StripeError) {
  const isReplayed = headers?.['idempotent-replayed'] === 'true' || type === 'StripeIdempotencyError'
  const isRefusal = statusCode >= 400 && statusCode < 500 && ![409, 429].includes(statusCode)
  const isKept = statusCode >= 500 && headers?.['stripe-should-retry'] === 'false'
  return { isReplayed, endsKey: isReplayed || isRefusal || isKept }
}

export function toProviderError(error: unknown): ProviderError {
  if (error instanceof ProviderError) return error
  if (!(error instanceof Stripe.errors.StripeError)) {
    const text = error instanceof Error ? error.message : String(error)
    return new ProviderError('rejected', 'The payment provider call could not be made', {
      cause: publicText(text),
    })
  }
  const { type, statusCode, code, requestId } = error
  const options = { cause: { type, statusCode, code, requestId }, ...readKeyState(error) }
  if (
    error instanceof Stripe.errors.StripeAuthenticationError ||
    error instanceof Stripe.errors.StripePermissionError
  ) {
    return new ProviderError('unauthorized', describeRefusedKey(error), options)
  }
  const text = publicText(error.message)
  if (statusCode === 404 || code === missing) return new ProviderError('not_found', text, options)
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500 && ![409, 429].includes(statusCode)) {
    return new ProviderError('rejected', `The payment provider refused: ${text}`, options)
  }
  return new ProviderError('unavailable', 'The payment provider did not answer', options)
}
