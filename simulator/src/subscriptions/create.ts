// Making a subscription, by API or at checkout: its trial, its anchor, the first periods of its items, the first invoice.
import { ApiError } from '../api/errors.ts'
import { type Context, getObject } from '../context.ts'
import { saveAndEmit } from '../events/record.ts'
import { newId } from '../ids.ts'
import type {
  BillingMode,
  Line,
  Recurring,
  RecurringPrice,
  StoredItem,
  StoredPrice,
  StoredSubscription,
  SubscriptionData,
  TrialSettings,
} from '../objects.ts'
import { computePeriodLines } from './amounts.ts'
import { computePeriod } from './billing-cycle.ts'
import { draftInvoice, issueInvoice } from './invoices.ts'

const daySeconds = 86_400

export const flexible: BillingMode = { type: 'flexible', flexible: { proration_discounts: 'included' } }
export const classic: BillingMode = { type: 'classic', flexible: null }

export async function getActivePrice(context: Context, priceId: string, param: string): Promise<StoredPrice> {
  const price = await getObject<StoredPrice>(context, 'price', priceId, param)
  if (price.active) return price
  throw new ApiError('The price specified is inactive. This field only accepts active prices.', { param })
}

export const isRecurring = (price: StoredPrice): price is RecurringPrice => price.recurring !== null

export async function getRecurringPrice(
  context: Context,
  priceId: string,
  param: string,
): Promise<RecurringPrice> {
  const price = await getActivePrice(context, priceId, param)
  if (isRecurring(price)) return price
  throw new ApiError('The price specified is set to `type=one_time`, but a recurring price is needed.', {
    param,
  })
}

/** Of a metered price usage says how much; a quantity would be a mistake. */
export function checkQuantity(price: StoredPrice, quantity: number | undefined, param: string): void {
  if (price.recurring?.usage_type === 'metered' && quantity !== undefined) {
    throw new ApiError(`\`${param}\` is not allowed when the price's usage type is \`metered\`.`, { param })
  }
}

export function computeTrialEnd(now: number, data: SubscriptionData): number | null {
  if (data.trialEnd !== undefined) return data.trialEnd
  return data.trialPeriodDays === undefined ? null : now + data.trialPeriodDays * daySeconds
}

export function toTrialSettings(end: Partial<TrialSettings['end_behavior']>): TrialSettings {
  return { end_behavior: { billing_cycle_anchor: null, missing_payment_method: 'create_invoice', ...end } }
}

type NewSubscription = {
  customer: string
  lines: Line[]
  data: SubscriptionData
  paymentMethod: string | null
  /** Of the first charge; a trial makes none. */
  status: 'active' | 'incomplete'
  startedAt?: number
  anchor?: number
}

export function newItem(
  subscription: Pick<StoredSubscription, 'id' | 'billing_cycle_anchor'>,
  line: Line,
  recurring: Recurring,
  now: number,
  notBefore: number,
): StoredItem {
  const period = computePeriod(subscription.billing_cycle_anchor, recurring, now)
  return {
    id: newId('si_', 14),
    object: 'subscription_item',
    created: now,
    subscription: subscription.id,
    price: line.price,
    ...(line.quantity !== undefined && { quantity: line.quantity }),
    metadata: {},
    current_period_start: Math.max(period.start, notBefore),
    current_period_end: period.end,
  }
}

async function loadLines(context: Context, lines: Line[]): Promise<{ line: Line; price: RecurringPrice }[]> {
  const loaded = []
  for (const [index, line] of lines.entries()) {
    const price = await getRecurringPrice(context, line.price, `items[${index}][price]`)
    checkQuantity(price, line.quantity, `items[${index}][quantity]`)
    const isMetered = price.recurring.usage_type === 'metered'
    loaded.push({ price, line: isMetered ? line : { ...line, quantity: line.quantity ?? 1 } })
  }
  if (new Set(loaded.map(({ price }) => price.currency)).size > 1) {
    throw new ApiError('All prices of a subscription must have the same currency.', { param: 'items' })
  }
  return loaded
}

export async function createSubscription(
  context: Context,
  input: NewSubscription,
): Promise<StoredSubscription> {
  const { now } = context
  const { data } = input
  const lines = await loadLines(context, input.lines)
  const trialEnd = computeTrialEnd(now, data)
  const startedAt = input.startedAt ?? now
  const id = newId('sub_1')
  const anchor = trialEnd ?? input.anchor ?? startedAt
  const items = lines.map(({ line, price }) => {
    const item = newItem({ id, billing_cycle_anchor: anchor }, line, price.recurring, now, startedAt)
    // A trial is one period, however long: the cycle begins at its end.
    return trialEnd === null
      ? item
      : { ...item, current_period_start: startedAt, current_period_end: trialEnd }
  })
  const subscription: StoredSubscription = {
    id,
    object: 'subscription',
    created: now,
    livemode: context.environment === 'live',
    customer: input.customer,
    status: trialEnd === null ? input.status : 'trialing',
    currency: lines[0]?.price.currency ?? 'usd',
    start_date: startedAt,
    billing_cycle_anchor: anchor,
    billing_mode: data.billingMode ?? flexible,
    cancel_at: null,
    cancel_at_period_end: false,
    canceled_at: null,
    cancellation_details: { comment: null, feedback: null, feedback_option: null, reason: null },
    ended_at: null,
    trial_start: trialEnd === null ? null : startedAt,
    trial_end: trialEnd,
    trial_settings: data.trialSettings ?? toTrialSettings({}),
    pause_collection: null,
    default_payment_method: input.paymentMethod,
    description: data.description ?? null,
    latest_invoice: null,
    metadata: data.metadata,
    items: { object: 'list', data: items, has_more: false, url: `/v1/subscription_items?subscription=${id}` },
    internal: {
      dunningEndsAt: null,
      recurring: Object.fromEntries(lines.map(({ price }) => [price.id, price.recurring])),
    },
  }
  const prices = new Map(lines.map(({ price }) => [price.id, price]))
  const invoice = await draftInvoice(context, subscription, {
    reason: 'subscription_create',
    lines: computePeriodLines(subscription, prices),
    isPaid: subscription.status !== 'incomplete',
    at: now,
  })
  const billed = { ...subscription, latest_invoice: invoice.id }
  await saveAndEmit(context, 'customer.subscription.created', billed)
  await issueInvoice(context, invoice)
  return billed
}
