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

export function toProviderError(error: unknown): ProviderError {
  if (error instanceof ProviderError) return error
  if (!(error instanceof Stripe.errors.StripeError)) {
    const text = error instanceof Error ? error.message : String(error)
    return new ProviderError('rejected', 'The payment provider call could not be made', {
      cause: publicText(text),
    })
  }
  const { type, statusCode, code, requestId } = error
  const cause = { type, statusCode, code, requestId }
  if (
    error instanceof Stripe.errors.StripeAuthenticationError ||
    error instanceof Stripe.errors.StripePermissionError
  ) {
    return new ProviderError('unauthorized', "The payment provider refused the service's key", { cause })
  }
  if (statusCode === 404 || code === missing) {
    return new ProviderError('not_found', publicText(error.message), { cause })
  }
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500 && ![409, 429].includes(statusCode)) {
    return new ProviderError('rejected', `The payment provider refused: ${publicText(error.message)}`, {
      cause,
    })
  }
  return new ProviderError('unavailable', 'The payment provider did not answer', { cause })
}
