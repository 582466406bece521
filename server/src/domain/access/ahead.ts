// What time alone will bring a customer: resets, renewals, the end of trials, of bonuses and of what was cancelled. The next of each.
import { amountToNumber } from '../amount.ts'
import { givesAccess } from '../billing/subscription.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import { type CustomerState, isOpen, type Subscription } from '../ledger/state.ts'
import type { FeatureAccess } from './feature-access.ts'

export type AheadKind = 'reset' | 'renewal' | 'trial_end' | 'bonus_expiry' | 'cancellation'

export type Ahead = { at: number; kind: AheadKind; customerId: string; text: string }

type Moving = {
  catalogue: Catalogue
  state: CustomerState
  access: readonly FeatureAccess[]
  now: number
}

/** After now, up to and including `to`, soonest first. */
export function computeAhead({ catalogue, state, access, now }: Moving, to: number): Ahead[] {
  const { customerId } = state.customer
  const all = [
    ...listResets(access),
    ...state.subscriptions.flatMap((subscription) => listFates(catalogue, subscription, now)),
    ...listExpiries(catalogue, state, now),
  ]
  return all
    .filter(({ at }) => at > now && at <= to)
    .map((each) => ({ customerId, ...each }))
    .sort((one, other) => one.at - other.at)
}

type Coming = Omit<Ahead, 'customerId'>

/** Of what was used: where nothing was, a reset changes nothing. */
const listResets = (access: readonly FeatureAccess[]): Coming[] =>
  access.flatMap(({ feature, usage }) =>
    usage?.nextReset === undefined || usage.used === 0n
      ? []
      : {
          at: usage.nextReset,
          kind: 'reset' as const,
          text: `${feature.name}: ${amountToNumber(usage.used)} used are reset`,
        },
  )

function listFates(catalogue: Catalogue, subscription: Subscription, now: number): Coming[] {
  const { items, canceledAt, billingAnchorAt } = subscription
  if (!givesAccess(subscription) || items.length === 0) return []
  const names = [...new Set(items.map((item) => nameOf(catalogue, item.providerProductId)))].join(', ')
  const ends = items.map((item) => item.currentPeriodEnd)
  if (canceledAt !== null) return [{ at: Math.max(...ends), kind: 'cancellation', text: `${names} ends` }]
  const at = Math.min(...ends)
  // A billing cycle that is still to begin is what a trial ends with.
  return billingAnchorAt > now
    ? [{ at: billingAnchorAt, kind: 'trial_end', text: `The trial of ${names} ends` }]
    : [{ at, kind: 'renewal', text: `${names} renews` }]
}

const nameOf = (catalogue: Catalogue, providerProductId: string): string =>
  catalogue.productsByProviderId.get(providerProductId)?.name ?? providerProductId

const listExpiries = (catalogue: Catalogue, { bonuses }: CustomerState, now: number): Coming[] =>
  bonuses.flatMap((bonus) => {
    if (bonus.expiresAt === undefined || !isOpen(bonus, now)) return []
    const feature = catalogue.featuresByNo.get(bonus.featureNo)
    if (!feature) return []
    const left = amountToNumber(bonus.amount - bonus.drawn)
    const text = `A bonus of ${feature.name} expires, ${left} left`
    return [{ at: bonus.expiresAt, kind: 'bonus_expiry' as const, text }]
  })
