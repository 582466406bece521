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

/** What a webhook endpoint subscribes to, and what reconciliation looks for; Stripe lists at most 20 types at once. */
export const eventTypes = [
  'checkout.session.async_payment_succeeded',
  'checkout.session.completed',
  'checkout.session.expired',
  'customer.created',
  'customer.deleted',
  'customer.subscription.created',
  'customer.subscription.deleted',
  'customer.subscription.paused',
  'customer.subscription.resumed',
  'customer.subscription.updated',
  'customer.updated',
  'payment_method.attached',
  'payment_method.detached',
  'price.created',
  'price.deleted',
  'price.updated',
  'product.created',
  'product.deleted',
  'product.updated',
]
const isOurs = new Set(eventTypes)

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

/** A session, subscription or payment method matters for its customer, a price for its product. */
function findSubject(event: Stripe.Event): ProviderEventSubject | undefined {
  const object = event.data.object as EventObject
  const id = findId(object.id) ?? ''
  if (object.object === 'customer') return { kind: 'customer', id }
  if (object.object === 'product') return { kind: 'product', id }
  // A detached payment method names its customer only among the previous values.
  const previous = event.data.previous_attributes as EventObject | undefined
  const customer = findId(object.customer) ?? findId(previous?.customer)
  if (customer !== undefined) return { kind: 'customer', id: customer }
  const product = findId(object.product)
  return product === undefined ? undefined : { kind: 'product', id: product }
}

/** Undefined for one that concerns nobody here. */
function findEvent(event: Stripe.Event): ProviderEvent | undefined {
  const subject = isOurs.has(event.type) ? findSubject(event) : undefined
  return (
    subject && {
      eventId: event.id,
      type: event.type,
      createdAt: toMs(event.created),
      subject,
    }
  )
}

const thinEvent = 'This is a thin event; give the webhook endpoint the payload style “snapshot”'

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
): ProviderEvent | undefined {
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
  } catch (error) {
    // The signature was right: the SDK looks at the body only then.
    if (error instanceof Error && error.message.includes('thin event'))
      throw new InvalidWebhookError(thinEvent)
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
  return findEvent(event)
}

export async function readEventPage(
  stripe: Stripe,
  deadline: Deadline,
  sinceAt: number,
  cursor: string | undefined,
): Promise<ProviderPage<ProviderEvent>> {
  const after = cursor === undefined ? {} : { starting_after: cursor }
  const page = await stripe.events.list(
    { created: { gte: Math.floor(sinceAt / 1000) }, types: eventTypes, limit: 100, ...after },
    deadline.request(),
  )
  const items = page.data.flatMap((event) => findEvent(event) ?? [])
  return { items, nextCursor: page.has_more ? (page.data.at(-1)?.id ?? null) : null }
}
