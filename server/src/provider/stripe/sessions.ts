// Checkout and portal sessions at Stripe.
import Stripe from 'stripe'
import type { CheckoutRequest, PortalRequest, ProviderCheckoutSession } from '../provider.ts'
import type { Deadline } from './deadline.ts'
import { toCheckoutSession } from './objects.ts'

function toSessionParams(request: CheckoutRequest): Stripe.Checkout.SessionCreateParams {
  const { metadata, ...params } = request.params ?? {}
  return {
    ...params,
    mode: 'subscription',
    customer: request.providerCustomerId,
    line_items: [
      {
        price: request.providerPriceId,
        ...(request.quantity === undefined ? {} : { quantity: request.quantity }),
      },
    ],
    success_url: request.successUrl,
    ...(request.cancelUrl === undefined ? {} : { cancel_url: request.cancelUrl }),
    metadata: { ...(metadata as Record<string, string> | undefined), ...request.metadata },
  }
}

export async function createCheckout(
  stripe: Stripe,
  deadline: Deadline,
  request: CheckoutRequest,
  idempotencyKey: string,
): Promise<ProviderCheckoutSession> {
  const options = deadline.request(idempotencyKey)
  return toCheckoutSession(await stripe.checkout.sessions.create(toSessionParams(request), options))
}

export async function readCheckout(
  stripe: Stripe,
  deadline: Deadline,
  id: string,
): Promise<ProviderCheckoutSession> {
  return toCheckoutSession(await stripe.checkout.sessions.retrieve(id, {}, deadline.request()))
}

export async function expireCheckout(
  stripe: Stripe,
  deadline: Deadline,
  id: string,
): Promise<ProviderCheckoutSession> {
  const session = await readCheckout(stripe, deadline, id)
  if (session.status !== 'open') return session
  try {
    return toCheckoutSession(await stripe.checkout.sessions.expire(id, {}, deadline.request()))
  } catch (error) {
    // It may have been paid or have expired in between; then what it is now is the answer.
    if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error
    return readCheckout(stripe, deadline, id)
  }
}

export async function createPortal(
  stripe: Stripe,
  deadline: Deadline,
  { providerCustomerId, returnUrl, flow }: PortalRequest,
): Promise<{ url: string }> {
  const session = await stripe.billingPortal.sessions.create(
    {
      customer: providerCustomerId,
      ...(returnUrl === undefined ? {} : { return_url: returnUrl }),
      ...(flow === undefined ? {} : { flow_data: { type: flow } }),
    },
    deadline.request(),
  )
  return { url: session.url }
}
