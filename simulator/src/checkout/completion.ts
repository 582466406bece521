// Paying on the hosted checkout page: the card is tried, and a card that pays makes the subscription.
import { type Context, getObject } from '../context.ts'
import { findCard } from '../customers/cards.ts'
import { createCustomer } from '../customers/customers.ts'
import { attachPaymentMethod, createPaymentMethod } from '../customers/payment-methods.ts'
import { save, saveAndEmit } from '../events/record.ts'
import type { StoredSession } from '../hosted-objects.ts'
import type { Line, StoredCustomer, StoredPrice } from '../objects.ts'
import { computeTrialEnd, createSubscription, isRecurring } from '../subscriptions/create.ts'

export type PaymentResult =
  | { outcome: 'paid'; session: StoredSession }
  | { outcome: 'needs_action' }
  | { outcome: 'refused'; message: string }

/** An open session whose time is over counts as expired even before that was noted. */
export function isOpen(session: StoredSession, now: number): boolean {
  return session.status === 'open' && session.expires_at > now
}

/** A trial that was opened with `if_required`, and costs nothing now, can be started without a card. */
export function needsCard(session: StoredSession, now: number): boolean {
  const isTrial = computeTrialEnd(now, session.internal.subscriptionData) !== null
  return !(isTrial && session.payment_method_collection === 'if_required' && session.amount_total === 0)
}

/** What is bought once is paid with the first invoice and leaves no item. */
async function findRecurringLines(context: Context, lines: Line[]): Promise<Line[]> {
  const prices = (await context.store.findObjects(
    lines.map((line) => line.price),
  )) as unknown as StoredPrice[]
  return lines.filter((line) => prices.some((price) => price.id === line.price && isRecurring(price)))
}

async function complete(
  context: Context,
  session: StoredSession,
  cardNumber: string | undefined,
): Promise<StoredSession> {
  const customer =
    session.customer === null
      ? await createCustomer(context, { email: session.customer_email ?? undefined })
      : await getObject<StoredCustomer>(context, 'customer', session.customer, 'customer')
  const card = cardNumber === undefined ? undefined : findCard(cardNumber)
  // The card becomes the subscription's own; the customer's default stays what it was.
  const method =
    card && (await attachPaymentMethod(context, await createPaymentMethod(context, card), customer.id))
  const subscription = await createSubscription(context, {
    customer: customer.id,
    lines: await findRecurringLines(context, session.internal.lines),
    data: session.internal.subscriptionData,
    paymentMethod: method?.id ?? null,
    status: 'active',
  })
  const completed: StoredSession = {
    ...session,
    status: 'complete',
    payment_status: session.amount_total === 0 ? 'no_payment_required' : 'paid',
    customer: customer.id,
    customer_details: {
      address: null,
      business_name: null,
      email: customer.email,
      individual_name: null,
      name: customer.name,
      phone: customer.phone,
      tax_exempt: 'none',
      tax_ids: [],
    },
    subscription: subscription.id,
    invoice: subscription.latest_invoice,
    url: null,
    internal: { ...session.internal, pendingCard: null },
  }
  await saveAndEmit(context, 'checkout.session.completed', completed)
  return completed
}

const withPendingCard = (session: StoredSession, pendingCard: string | null): StoredSession => ({
  ...session,
  internal: { ...session.internal, pendingCard },
})

export async function pay(
  context: Context,
  session: StoredSession,
  cardNumber: string,
): Promise<PaymentResult> {
  if (cardNumber === '' && !needsCard(session, context.now)) {
    return { outcome: 'paid', session: await complete(context, session, undefined) }
  }
  const card = findCard(cardNumber)
  if (card === undefined) {
    return { outcome: 'refused', message: 'This is not one of the test cards listed below.' }
  }
  const isFailing = session.amount_total > 0 && context.faults.failingCharges > 0
  if (isFailing) context.faults.countCharge()
  if (card.kind === 'declined' || isFailing) {
    return { outcome: 'refused', message: 'Your card was declined. Please try another card.' }
  }
  if (card.kind === 'needs_action') {
    await save(context, withPendingCard(session, card.number))
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
  await save(context, withPendingCard(session, null))
  return { outcome: 'refused', message: 'We could not authenticate your card. Please try another one.' }
}
