// Plain values of the domain for tests: whole numbers stand for amounts, and everything not named has no meaning.
import type { Allowance } from '../../src/domain/access/allowance.ts'
import type { Period } from '../../src/domain/access/period.ts'
import { type Amount, amountFromNumber } from '../../src/domain/amount.ts'
import {
  buildCatalogue,
  type Catalogue,
  type Feature,
  type FeatureAccessEntry,
  type Product,
} from '../../src/domain/catalogue/catalogue.ts'
import type { Bonus, Counter, CustomerState, Draw, Subscription } from '../../src/domain/ledger/state.ts'

export const units = (value: number): Amount => amountFromNumber(value)

export const now = Date.UTC(2026, 0, 17, 12)
export const startedAt = Date.UTC(2026, 0, 10)
export const month: Period = { start: startedAt, end: Date.UTC(2026, 1, 10) }

export const limited = (limit: number): Allowance => ({
  hasAccess: true,
  isUnlimited: false,
  limit: units(limit),
})
export const unlimited: Allowance = { hasAccess: true, isUnlimited: true, limit: 0n }

export const bonus = (bonusId: string, amount: number, more: Partial<Bonus> = {}): Bonus => ({
  bonusId,
  featureNo: 1,
  amount: units(amount),
  drawn: 0n,
  createdAt: now,
  updatedAt: now,
  expiresAt: undefined,
  reason: undefined,
  metadata: {},
  ...more,
})

/** 'a1 b2': 1 drawn from a, then 2 from b. */
export const draws = (text: string): Draw[] =>
  text
    .split(' ')
    .filter(Boolean)
    .map((each) => ({ bonusId: each[0] as string, amount: units(Number(each.slice(1))) }))

export const spell = (list: readonly Draw[]): string =>
  list.map(({ bonusId, amount }) => `${bonusId}${Number(amount) / 1e6}`).join(' ')

export const counter = (total: number, drawn = '', period = month): Counter => ({
  featureNo: 1,
  period,
  total: units(total),
  draws: draws(drawn),
})

export const feature = (more: Partial<Feature> = {}): Feature => ({
  featureId: 'f',
  featureNo: 1,
  featureKey: 'calls',
  name: 'calls',
  description: undefined,
  type: 'limit',
  tracksUsage: true,
  usageResetInterval: 'month',
  usageResetAnchor: 'billing_cycle',
  archivedAt: null,
  archivedReason: null,
  createdAt: 0,
  ...more,
})

/** 'unlimited', a limit, or no access. */
export const entry = (grants: number | 'unlimited' | 'denied', featureKey = 'calls'): FeatureAccessEntry => ({
  featureKey,
  hasAccess: grants !== 'denied',
  limit: typeof grants === 'number' ? units(grants) : undefined,
  isUnlimited: grants === 'unlimited',
})

export const product = (
  productKey: string,
  versions: FeatureAccessEntry[][],
  more: Partial<Product> = {},
): Product => ({
  productId: productKey,
  productNo: 1,
  productKey,
  name: productKey,
  type: more.providerProductId ? 'provider' : 'custom',
  isDefault: false,
  isAddOn: false,
  limitsPerUnit: false,
  metadata: {},
  providerProductId: null,
  archivedAt: null,
  createdAt: 0,
  versions: versions.map((entries, index) => ({ version: index + 1, createdAt: 0, entries })),
  prices: [],
  ...more,
})

export const catalogue = (products: Product[], features = [feature()], revision = 1): Catalogue =>
  buildCatalogue({ environment: 'test', revision, frozenAt: null }, features, products)

function toPhase(status: string): Subscription['phase'] {
  if (['trialing', 'active', 'past_due'].includes(status)) return 'granting'
  return ['canceled', 'incomplete_expired'].includes(status) ? 'ended' : 'suspended'
}

export const subscription = (
  providerProductId: string,
  status: string,
  more: Partial<Subscription> = {},
  version?: number,
): Subscription => ({
  subscriptionId: `sub_${providerProductId}`,
  status,
  phase: toPhase(status),
  startedAt,
  billingAnchorAt: startedAt,
  canceledAt: null,
  items: [
    {
      itemId: `si_${providerProductId}`,
      providerProductId,
      providerPriceId: 'price',
      version,
      quantity: 3,
      isMetered: false,
      currency: 'eur',
      unitAmount: 100,
      recurringInterval: 'month',
      recurringIntervalCount: 1,
      isActive: true,
      currentPeriodStart: month.start,
      currentPeriodEnd: month.end,
    },
  ],
  ...more,
})

export const state = (more: Partial<CustomerState> = {}): CustomerState => ({
  revision: 1,
  catalogueRevision: 1,
  asOf: now,
  customer: {
    customerUid: 'uid',
    customerHash: 'hash',
    environment: 'test',
    customerId: 'acme',
    name: undefined,
    email: undefined,
    metadata: {},
    createdAt: startedAt,
    usageStartedAt: startedAt,
    mainEndedAt: undefined,
    fellBackAt: undefined,
    providerCustomerId: undefined,
    hasPaymentMethod: false,
    lastEventAt: undefined,
    usedFeatures: [],
  },
  assignments: [],
  subscriptions: [],
  bonuses: [],
  counters: [],
  ...more,
})
