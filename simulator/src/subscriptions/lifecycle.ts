// What a subscription does by itself as time passes: trial ends, renewals, failed payments, cancellations. Pure.
import type { StoredSubscription } from '../objects.ts'
import { computePeriod } from './billing-cycle.ts'

export type ChargeOutcome = 'paid' | 'failed' | 'no_method'
export type DunningPolicy = { days: number; outcome: 'canceled' | 'unpaid' | 'past_due' }
/** `billedAt` is set when the step begins a period that is charged. */
export type Step = { subscription: StoredSubscription; event: string; billedAt?: number }

const daySeconds = 86_400
/** How long an unpaid first invoice may stay so. */
const incompleteSeconds = 23 * 3_600

const hasEnded = ({ status }: StoredSubscription) => status === 'canceled' || status === 'incomplete_expired'

/** When the subscription next changes by itself; null if never. */
export function computeDueAt(subscription: StoredSubscription): number | null {
  if (hasEnded(subscription)) return null
  if (subscription.status === 'incomplete') return subscription.created + incompleteSeconds
  const times = [
    subscription.cancel_at,
    subscription.internal.dunningEndsAt,
    subscription.pause_collection?.resumes_at ?? null,
    ...(subscription.status === 'paused'
      ? []
      : subscription.items.data.map((item) => item.current_period_end)),
  ].filter((time) => time !== null)
  return times.length === 0 ? null : Math.min(...times)
}

export function endSubscription(subscription: StoredSubscription, at: number): StoredSubscription {
  return {
    ...subscription,
    status: 'canceled',
    canceled_at: subscription.canceled_at ?? at,
    ended_at: at,
    internal: { ...subscription.internal, dunningEndsAt: null },
  }
}

/** An unpaid subscription goes on without being charged, and a paused collection charges nobody. */
const isCharged = ({ status, pause_collection: pause }: StoredSubscription) =>
  status !== 'unpaid' && pause === null

/** What a charge made at that instant leaves it as. */
export function settle(
  subscription: StoredSubscription,
  at: number,
  charge: ChargeOutcome,
  policy: DunningPolicy,
): StoredSubscription {
  if (!isCharged(subscription)) return subscription
  const isPaid = charge === 'paid'
  const dunningEndsAt = isPaid ? null : (subscription.internal.dunningEndsAt ?? at + policy.days * daySeconds)
  return {
    ...subscription,
    status: isPaid ? 'active' : 'past_due',
    internal: { ...subscription.internal, dunningEndsAt },
  }
}

/** Moves on every item whose period is over at that instant. */
function renewItems(subscription: StoredSubscription, at: number): StoredSubscription {
  const data = subscription.items.data.map((item) => {
    const recurring = subscription.internal.recurring[item.price]
    if (item.current_period_end > at || recurring === undefined) return item
    const { end } = computePeriod(subscription.billing_cycle_anchor, recurring, item.current_period_end)
    return { ...item, current_period_start: item.current_period_end, current_period_end: end }
  })
  return { ...subscription, items: { ...subscription.items, data } }
}

const updated = (subscription: StoredSubscription): Step => ({
  subscription,
  event: 'customer.subscription.updated',
})

function ended(subscription: StoredSubscription, at: number): Step {
  return { subscription: endSubscription(subscription, at), event: 'customer.subscription.deleted' }
}

function renewed(
  subscription: StoredSubscription,
  at: number,
  charge: ChargeOutcome,
  policy: DunningPolicy,
): Step {
  const step = updated(settle(renewItems(subscription, at), at, charge, policy))
  return isCharged(subscription) ? { ...step, billedAt: at } : step
}

function stepTrial(
  subscription: StoredSubscription,
  at: number,
  charge: ChargeOutcome,
  policy: DunningPolicy,
): Step {
  const whenMissing = subscription.trial_settings.end_behavior.missing_payment_method
  if (charge === 'no_method' && whenMissing === 'cancel') return ended(subscription, at)
  if (charge === 'no_method' && whenMissing === 'pause') {
    return { subscription: { ...subscription, status: 'paused' }, event: 'customer.subscription.paused' }
  }
  return renewed({ ...subscription, status: 'active' }, at, charge, policy)
}

function stepDunning(
  subscription: StoredSubscription,
  at: number,
  charge: ChargeOutcome,
  policy: DunningPolicy,
): Step {
  const settled = { ...subscription, internal: { ...subscription.internal, dunningEndsAt: null } }
  if (charge === 'paid') return updated({ ...settled, status: 'active' })
  if (policy.outcome !== 'canceled') return updated({ ...settled, status: policy.outcome })
  const details = { ...subscription.cancellation_details, reason: 'payment_failed' as const }
  return ended({ ...subscription, cancellation_details: details }, at)
}

/** The one thing that happens at the due instant, and the event that tells of it. */
export function computeStep(
  subscription: StoredSubscription,
  charge: ChargeOutcome,
  policy: DunningPolicy,
): Step | undefined {
  const at = computeDueAt(subscription)
  if (at === null) return undefined
  if (subscription.status === 'incomplete') {
    return updated({ ...subscription, status: 'incomplete_expired', ended_at: at })
  }
  if (subscription.cancel_at !== null && subscription.cancel_at <= at) return ended(subscription, at)
  const { dunningEndsAt } = subscription.internal
  if (dunningEndsAt !== null && dunningEndsAt <= at) return stepDunning(subscription, at, charge, policy)
  const resumesAt = subscription.pause_collection?.resumes_at ?? null
  if (resumesAt !== null && resumesAt <= at) return updated({ ...subscription, pause_collection: null })
  if (subscription.status === 'trialing') return stepTrial(subscription, at, charge, policy)
  return renewed(subscription, at, charge, policy)
}
