// Changing a running subscription: other prices and quantities, cancelling at the period's end, resuming, trials.
import { ApiError, missing } from '../api/errors.ts'
import type { Context } from '../context.ts'
import type { Recurring, RecurringPrice, StoredItem, StoredSubscription } from '../objects.ts'
import { computePeriod } from './billing-cycle.ts'
import { checkQuantity, getRecurringPrice, newItem } from './create.ts'

export type ItemChange = {
  id?: string | undefined
  price?: string | undefined
  quantity?: number | undefined
  deleted?: boolean | undefined
}

const isSame = (one: Recurring | undefined, other: Recurring) =>
  one?.interval === other.interval && one.interval_count === other.interval_count

/** Starts the billing cycle anew, as a change of interval does. */
export function restartCycle(subscription: StoredSubscription, now: number): StoredSubscription {
  const data = subscription.items.data.map((item) => {
    const recurring = subscription.internal.recurring[item.price]
    if (recurring === undefined) return item
    return {
      ...item,
      current_period_start: now,
      current_period_end: computePeriod(now, recurring, now).end,
    }
  })
  return { ...subscription, billing_cycle_anchor: now, items: { ...subscription.items, data } }
}

function changeItem(item: StoredItem, change: ItemChange, price: RecurringPrice | undefined): StoredItem {
  const { quantity: before, ...rest } = item
  const isMetered = price === undefined ? before === undefined : price.recurring.usage_type === 'metered'
  return {
    ...rest,
    price: price?.id ?? item.price,
    ...(!isMetered && { quantity: change.quantity ?? before ?? 1 }),
  }
}

export async function changeItems(
  context: Context,
  subscription: StoredSubscription,
  changes: ItemChange[],
): Promise<StoredSubscription> {
  const recurring = { ...subscription.internal.recurring }
  let data = subscription.items.data
  let restarts = false
  for (const [index, change] of changes.entries()) {
    const param = `items[${index}]`
    const price =
      change.price === undefined
        ? undefined
        : await getRecurringPrice(context, change.price, `${param}[price]`)
    if (price !== undefined) {
      recurring[price.id] = price.recurring
      checkQuantity(price, change.quantity, `${param}[quantity]`)
      if (price.currency !== subscription.currency) {
        throw new ApiError('The price specified has another currency than the subscription.', { param })
      }
    }
    if (change.id === undefined) {
      if (price === undefined) throw new ApiError(`Missing required param: ${param}[price].`, { param })
      const isMetered = price.recurring.usage_type === 'metered'
      const line = { price: price.id, ...(!isMetered && { quantity: change.quantity ?? 1 }) }
      const item = newItem(subscription, line, price.recurring, context.now, context.now)
      const end = subscription.status === 'trialing' ? subscription.trial_end : null
      data = [...data, { ...item, current_period_end: end ?? item.current_period_end }]
      continue
    }
    const current = data.find((item) => item.id === change.id)
    if (current === undefined) throw missing('subscription_item', change.id, `${param}[id]`)
    if (price !== undefined) restarts ||= !isSame(recurring[current.price], price.recurring)
    data = change.deleted
      ? data.filter((item) => item !== current)
      : data.map((item) => (item === current ? changeItem(item, change, price) : item))
  }
  if (data.length === 0) throw new ApiError('A subscription must have at least one active item.')
  const changed = {
    ...subscription,
    items: { ...subscription.items, data },
    internal: { ...subscription.internal, recurring },
  }
  return restarts && subscription.status !== 'trialing' ? restartCycle(changed, context.now) : changed
}

export function computePeriodEnd(subscription: StoredSubscription): number {
  return Math.max(...subscription.items.data.map((item) => item.current_period_end))
}

/** `canceled_at` is when it was asked for, though the subscription runs on. */
export function cancelAt(subscription: StoredSubscription, at: number, now: number): StoredSubscription {
  const details = { ...subscription.cancellation_details, reason: 'cancellation_requested' as const }
  return { ...subscription, cancel_at: at, canceled_at: now, cancellation_details: details }
}

/** As the API's own parameter does it: the flag is set beside the date. */
export function cancelAtPeriodEnd(subscription: StoredSubscription, now: number): StoredSubscription {
  const ending = cancelAt(subscription, computePeriodEnd(subscription), now)
  return { ...ending, cancel_at_period_end: true }
}

/** As the portal does it: in flexible billing mode there is only the date. */
export function cancelInPortal(subscription: StoredSubscription, now: number): StoredSubscription {
  return subscription.billing_mode.type === 'flexible'
    ? cancelAt(subscription, computePeriodEnd(subscription), now)
    : cancelAtPeriodEnd(subscription, now)
}

export function keepRunning(subscription: StoredSubscription): StoredSubscription {
  return {
    ...subscription,
    cancel_at: null,
    cancel_at_period_end: false,
    canceled_at: null,
    cancellation_details: { comment: null, feedback: null, feedback_option: null, reason: null },
  }
}
