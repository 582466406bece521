// Reads Stripe's events: verifies a webhook's signature, age and mode, and finds what an event is about.
import type Stripe from 'stripe'
import type { Environment } from '../../domain/environment.ts'
import {
  InvalidWebhookError,
  type ProviderEvent,
  type ProviderEventSubject,
  type ProviderPage,
} from '../provider.ts'
import type { Deadline } from './deadline.ts'
import { toMs } from './objects.ts'

const toleranceS = 300

type EventObject = {
  object?: unknown
  id?: unknown
  customer?: unknown
  product?: unknown
}

function findId(reference: unknown): string | undefined {
  if (typeof reference === 'string') return reference
  if (typeof reference === 'object' && reference !== null && 'id' in reference) return findId(reference.id)
  return undefined
}

function toSubject(event: Stripe.Event): ProviderEventSubject {
  const object = event.data.object as EventObject
  const id = findId(object.id) ?? ''
  if (object.object === 'customer') return { kind: 'customer', id }
  if (object.object === 'product') return { kind: 'product', id }
  if (object.object === 'checkout.session') {
    return { kind: 'checkout_session', id, providerCustomerId: findId(object.customer) ?? null }
  }
  // A detached payment method names its customer only among the previous values.
  const previous = event.data.previous_attributes as EventObject | undefined
  const customer = findId(object.customer) ?? findId(previous?.customer)
  if (customer !== undefined) return { kind: 'customer', id: customer }
  const product = findId(object.product)
  if (product !== undefined) return { kind: 'product', id: product }
  return { kind: 'other', id }
}

function toEvent(event: Stripe.Event): ProviderEvent {
  return {
    eventId: event.id,
    type: event.type,
    createdAt: toMs(event.created),
    livemode: event.livemode,
    subject: toSubject(event),
  }
}

export type WebhookReading = {
  stripe: Stripe
  webhookSecret: string
  environment: Environment
}

export function readWebhook(
  { stripe, webhookSecret, environment }: WebhookReading,
  rawBody: Buffer | string,
  signatureHeader: string | undefined,
  nowMs: number,
): ProviderEvent {
  let event: Stripe.Event
  try {
    event = stripe.webhooks.constructEvent(
      rawBody,
      signatureHeader ?? '',
      webhookSecret,
      toleranceS,
      undefined,
      nowMs,
    )
  } catch {
    throw new InvalidWebhookError('The signature is missing, wrong or too old')
  }
  // The SDK refuses only what is too old.
  const signedAtS = Number(/(?:^|,)t=(\d+)/.exec(signatureHeader ?? '')?.[1])
  if (!(signedAtS - Math.floor(nowMs / 1000) <= toleranceS)) {
    throw new InvalidWebhookError('The signature is from the future')
  }
  if (
    typeof event?.id !== 'string' ||
    typeof event.type !== 'string' ||
    typeof event.data?.object !== 'object'
  ) {
    throw new InvalidWebhookError('The body is not an event')
  }
  if (event.livemode !== (environment === 'live')) {
    throw new InvalidWebhookError(`The event is not of the ${environment} environment`)
  }
  return toEvent(event)
}

export async function readEventPage(
  stripe: Stripe,
  deadline: Deadline,
  sinceAt: number,
  cursor: string | undefined,
): Promise<ProviderPage<ProviderEvent>> {
  const after = cursor === undefined ? {} : { starting_after: cursor }
  const page = await stripe.events.list(
    { created: { gte: Math.floor(sinceAt / 1000) }, limit: 100, ...after },
    deadline.request(),
  )
  return { items: page.data.map(toEvent), nextCursor: page.has_more ? (page.data.at(-1)?.id ?? null) : null }
}
