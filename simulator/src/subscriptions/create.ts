// Making a subscription, by API or at checkout: its trial, its anchor, the first periods of its items, the first charge.

import { ApiError } from '../api/errors.ts'
import { type Context, getObject } from '../context.ts'
import { saveAndEmit } from '../events/record.ts'
import {
  newId,
  type Recurring,
  type StoredItem,
  type StoredPrice,
  type StoredSubscription,
  type SubscriptionData,
} from '../objects.ts'
import { computePeriod } from './billing-cycle.ts'

export type Line = { price: string; quantity: number }

const daySeconds = 86_400

export async function getRecurringPrice(
  context: Context,
  priceId: string,
  param: string,
): Promise<StoredPrice & { recurring: Recurring }> {
  const price = await getObject<StoredPrice>(context, 'price', priceId, param)
  const { recurring } = price
  if (!price.active) throw new ApiError('The price specified is inactive.', { param })
  if (recurring === null) {
    throw new ApiError('The price specified is set to `type=one_time`, but a recurring price is needed.', {
      param,
    })
  }
  return { ...price, recurring }
}

export function computeTrialEnd(now: number, data: SubscriptionData): number | null {
  if (data.trialEnd !== undefined) return data.trialEnd
  return data.trialPeriodDays === undefined ? null : now + data.trialPeriodDays * daySeconds
}

export type NewSubscription = {
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
    quantity: line.quantity,
    metadata: {},
    current_period_start: Math.max(period.start, notBefore),
    current_period_end: period.end,
  }
}

export async function createSubscription(
  context: Context,
  input: NewSubscription,
): Promise<StoredSubscription> {
  const { now } = context
  const { data, lines } = input
  const prices = []
  for (const [index, line] of lines.entries()) {
    prices.push(await getRecurringPrice(context, line.price, `items[${index}][price]`))
  }
  const trialEnd = computeTrialEnd(now, data)
  const startedAt = input.startedAt ?? now
  const id = newId('sub_1')
  const anchor = trialEnd ?? input.anchor ?? startedAt
  const items = prices.map(({ recurring }, index) => {
    const line = lines[index] as Line
    const item = newItem({ id, billing_cycle_anchor: anchor }, line, recurring, now, startedAt)
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
    currency: prices[0]?.currency ?? 'usd',
    start_date: startedAt,
    billing_cycle_anchor: anchor,
    cancel_at: null,
    cancel_at_period_end: false,
    canceled_at: null,
    ended_at: null,
    trial_start: trialEnd === null ? null : startedAt,
    trial_end: trialEnd,
    trial_settings: {
      end_behavior: { missing_payment_method: data.missingPaymentMethod ?? 'create_invoice' },
    },
    pause_collection: null,
    default_payment_method: input.paymentMethod,
    description: data.description ?? null,
    metadata: data.metadata,
    items: { object: 'list', data: items, has_more: false, url: `/v1/subscription_items?subscription=${id}` },
    internal: {
      dunningEndsAt: null,
      recurring: Object.fromEntries(prices.map((price) => [price.id, price.recurring])),
    },
  }
  await saveAndEmit(context, 'customer.subscription.created', subscription)
  return subscription
}
