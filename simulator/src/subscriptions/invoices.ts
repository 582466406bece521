// Invoices: one at a subscription's start, at each renewal, and at a change that is charged at once.
import { z } from 'zod'
import { oneOf, text } from '../api/form.ts'
import { answerList, noParams, paging, type Route, route } from '../api/route.ts'
import { type Context, getObject } from '../context.ts'
import { save, saveAndEmit } from '../events/record.ts'
import { newId } from '../ids.ts'
import type { Stored, StoredCustomer, StoredPrice, StoredSubscription } from '../objects.ts'
import { type InvoiceLine, type Prices, sumLines } from './amounts.ts'

type BillingReason = 'subscription_create' | 'subscription_cycle' | 'subscription_update'

type StoredInvoice = Stored<'invoice'> & {
  customer: string
  status: 'paid' | 'open'
  ending_balance: number
  [field: string]: unknown
}

/** The prices that subscriptions name, as they are now. */
export async function loadPrices(context: Context, ...subscriptions: StoredSubscription[]): Promise<Prices> {
  const ids = subscriptions.flatMap(({ items }) => items.data.map((item) => item.price))
  const found = (await context.store.findObjects([...new Set(ids)])) as unknown as StoredPrice[]
  return new Map(found.map((price) => [price.id, price]))
}

function renderLine(line: InvoiceLine, invoiceId: string, subscriptionId: string): Record<string, unknown> {
  const { price, itemId, quantity, amount, description, period, isProration } = line
  return {
    id: newId('il_1'),
    object: 'line_item',
    amount,
    currency: price.currency,
    description,
    discount_amounts: [],
    discountable: !isProration,
    discounts: [],
    invoice: invoiceId,
    livemode: price.livemode,
    metadata: {},
    parent: {
      type: 'subscription_item_details',
      invoice_item_details: null,
      subscription_item_details: {
        invoice_item: null,
        proration: isProration,
        proration_details: { credited_items: null },
        subscription: subscriptionId,
        subscription_item: itemId,
      },
    },
    period,
    pretax_credit_amounts: [],
    pricing: {
      type: 'price_details',
      price_details: { price: price.id, product: price.product },
      unit_amount_decimal: price.unit_amount_decimal,
    },
    quantity,
    quantity_decimal: quantity === null ? null : String(quantity),
    subscription: subscriptionId,
    subtotal: amount,
    taxes: [],
  }
}

/** What a customer has to pay of a total: what is held in favour is used first, and what is left over is held. */
export function computeDue(total: number, balance: number): { amountDue: number; endingBalance: number } {
  const sum = total + balance
  return { amountDue: Math.max(0, sum), endingBalance: Math.min(0, sum) }
}

export type Billing = { reason: BillingReason; lines: InvoiceLine[]; isPaid: boolean; at: number }

/** Makes an invoice without keeping it yet, so that its subscription can name it and be told of first. */
export async function draftInvoice(
  context: Context,
  subscription: StoredSubscription,
  { reason, lines, isPaid, at }: Billing,
): Promise<StoredInvoice> {
  const customer = await getObject<StoredCustomer>(context, 'customer', subscription.customer)
  const id = newId('in_1')
  const total = sumLines(lines)
  const { amountDue, endingBalance } = computeDue(total, customer.balance ?? 0)
  const isSettled = isPaid || amountDue === 0
  return {
    id,
    object: 'invoice',
    created: at,
    livemode: context.environment === 'live',
    customer: customer.id,
    customer_email: customer.email,
    customer_name: customer.name,
    currency: subscription.currency,
    status: isSettled ? 'paid' : 'open',
    billing_reason: reason,
    amount_due: amountDue,
    amount_paid: isSettled ? amountDue : 0,
    amount_remaining: isSettled ? 0 : amountDue,
    attempt_count: amountDue === 0 ? 0 : 1,
    starting_balance: customer.balance ?? 0,
    ending_balance: endingBalance,
    subtotal: total,
    subtotal_excluding_tax: total,
    total,
    total_excluding_tax: total,
    effective_at: at,
    number: newId('SIM-', 8).toUpperCase(),
    parent: {
      type: 'subscription_details',
      quote_details: null,
      subscription_details: { metadata: subscription.metadata, subscription: subscription.id },
    },
    period_start: at,
    period_end: at,
    status_transitions: {
      finalized_at: at,
      marked_uncollectible_at: null,
      paid_at: isSettled ? at : null,
      voided_at: null,
    },
    lines: {
      object: 'list',
      data: lines.map((line) => renderLine(line, id, subscription.id)),
      has_more: false,
      url: `/v1/invoices/${id}/lines`,
    },
  }
}

export async function issueInvoice(context: Context, invoice: StoredInvoice): Promise<void> {
  const customer = await getObject<StoredCustomer>(context, 'customer', invoice.customer)
  if ((customer.balance ?? 0) !== invoice.ending_balance) {
    await save(context, { ...customer, balance: invoice.ending_balance } as StoredCustomer)
  }
  await saveAndEmit(context, invoice.status === 'paid' ? 'invoice.paid' : 'invoice.payment_failed', invoice)
}

const listParams = z.strictObject({
  ...paging,
  customer: text.optional(),
  subscription: text.optional(),
  status: oneOf('draft', 'open', 'paid', 'uncollectible', 'void').optional(),
})

export const invoiceRoutes: Route[] = [
  route('GET', '/v1/invoices', listParams, (context, _id, { customer, subscription, status, ...page }) =>
    answerList(context, page, {
      object: 'invoice',
      ...(customer === undefined ? {} : { owner: customer }),
      ...(status === undefined ? {} : { statuses: [status] }),
      ...(subscription === undefined
        ? {}
        : { contains: { parent: { subscription_details: { subscription } } } }),
    }),
  ),
  route('GET', '/v1/invoices/:id', noParams, (context, id) => getObject(context, 'invoice', id)),
]
