// Paying on the hosted checkout page: the card is tried, and a card that pays makes the subscription.

import { ApiError } from '../api/errors.ts'
import { type Context, getObject } from '../context.ts'
import { findCard } from '../customers/cards.ts'
import { createCustomer } from '../customers/customers.ts'
import { attachPaymentMethod, createPaymentMethod } from '../customers/payment-methods.ts'
import { save, saveAndEmit } from '../events/record.ts'
import type { StoredCustomer, StoredSession } from '../objects.ts'
import { createSubscription } from '../subscriptions/create.ts'

export type PaymentResult =
  | { outcome: 'paid'; session: StoredSession }
  | { outcome: 'needs_action' }
  | { outcome: 'refused'; message: string }

/** An open session whose time is over counts as expired even before that was noted. */
export function isOpen(session: StoredSession, now: number): boolean {
  return session.status === 'open' && session.expires_at > now
}

async function complete(
  context: Context,
  session: StoredSession,
  cardNumber: string,
): Promise<StoredSession> {
  const card = findCard(cardNumber)
  if (card === undefined) throw new ApiError('Your card number is not one of the test cards.')
  const customer =
    session.customer === null
      ? await createCustomer(context, {})
      : await getObject<StoredCustomer>(context, 'customer', session.customer, 'customer')
  const method = await attachPaymentMethod(context, await createPaymentMethod(context, card), customer.id)
  if (customer.invoice_settings.default_payment_method === null) {
    const changed = { ...customer, invoice_settings: { default_payment_method: method.id } }
    await saveAndEmit(context, 'customer.updated', changed, customer)
  }
  const subscription = await createSubscription(context, {
    customer: customer.id,
    lines: session.internal.lines,
    data: session.internal.subscriptionData,
    paymentMethod: method.id,
    status: 'active',
  })
  const completed: StoredSession = {
    ...session,
    status: 'complete',
    payment_status: subscription.status === 'trialing' ? 'no_payment_required' : 'paid',
    customer: customer.id,
    subscription: subscription.id,
    url: null,
    internal: { ...session.internal, pendingCard: null },
  }
  await saveAndEmit(context, 'checkout.session.completed', completed)
  return completed
}

export async function pay(
  context: Context,
  session: StoredSession,
  cardNumber: string,
): Promise<PaymentResult> {
  const card = findCard(cardNumber)
  if (card === undefined) {
    return { outcome: 'refused', message: 'This is not one of the test cards listed below.' }
  }
  if (card.kind === 'declined') {
    return { outcome: 'refused', message: 'Your card was declined. Please try another card.' }
  }
  if (card.kind === 'needs_action') {
    await save(context, {
      ...session,
      internal: { ...session.internal, pendingCard: card.number },
    } as StoredSession)
    return { outcome: 'needs_action' }
  }
  return { outcome: 'paid', session: await complete(context, session, cardNumber) }
}

/** The second step of a card that asks for authentication. */
export async function authenticate(
  context: Context,
  session: StoredSession,
  isAuthentic: boolean,
): Promise<PaymentResult> {
  const { pendingCard } = session.internal
  if (pendingCard === null) return { outcome: 'refused', message: 'Please enter your card first.' }
  if (isAuthentic) return { outcome: 'paid', session: await complete(context, session, pendingCard) }
  await save(context, { ...session, internal: { ...session.internal, pendingCard: null } } as StoredSession)
  return { outcome: 'refused', message: 'We could not authenticate your card. Please try another one.' }
}
