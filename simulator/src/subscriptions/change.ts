// Changing a running subscription: other prices and quantities, cancelling at the period's end, resuming, trials.

import { ApiError, missing } from '../api/errors.ts'
import type { Context } from '../context.ts'
import type { Recurring, StoredItem, StoredSubscription } from '../objects.ts'
import { computePeriod } from './billing-cycle.ts'
import { getRecurringPrice, newItem } from './create.ts'

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

function replaceItem(items: StoredItem[], change: ItemChange): StoredItem[] {
  const current = items.find((item) => item.id === change.id)
  if (current === undefined) throw missing('subscription_item', change.id ?? '', 'items')
  if (change.deleted) return items.filter((item) => item !== current)
  const changed = {
    ...current,
    price: change.price ?? current.price,
    quantity: change.quantity ?? current.quantity,
  }
  return items.map((item) => (item === current ? changed : item))
}

export async function changeItems(
  context: Context,
  subscription: StoredSubscription,
  changes: ItemChange[],
): Promise<StoredSubscription> {
  const recurring = { ...subscription.internal.recurring }
  let data = subscription.items.data
  let restarts = false
  for (const change of changes) {
    const price =
      change.price === undefined ? undefined : await getRecurringPrice(context, change.price, 'items')
    if (price !== undefined) recurring[price.id] = price.recurring
    if (change.id === undefined) {
      if (price === undefined) throw new ApiError('Missing required param: items[price].', { param: 'items' })
      const line = { price: price.id, quantity: change.quantity ?? 1 }
      const item = newItem(subscription, line, price.recurring, context.now, context.now)
      const end = subscription.status === 'trialing' ? subscription.trial_end : null
      data = [...data, { ...item, current_period_end: end ?? item.current_period_end }]
    } else {
      const before = data.find((item) => item.id === change.id)
      if (price !== undefined && before !== undefined) {
        restarts ||= !isSame(recurring[before.price], price.recurring)
      }
      data = replaceItem(data, change)
    }
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
  return { ...subscription, cancel_at: at, canceled_at: now }
}

export function cancelAtPeriodEnd(subscription: StoredSubscription, now: number): StoredSubscription {
  const ending = cancelAt(subscription, computePeriodEnd(subscription), now)
  return { ...ending, cancel_at_period_end: true }
}

export function keepRunning(subscription: StoredSubscription): StoredSubscription {
  return { ...subscription, cancel_at: null, cancel_at_period_end: false, canceled_at: null }
}
