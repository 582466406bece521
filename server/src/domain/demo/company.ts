// What the company of the demo data sells: its features, its products, and how much a customer of each product tends to use.
import type { ResetInterval } from '../access/period.ts'
import type { FeatureType } from '../catalogue/catalogue.ts'
import type { FeatureAccessItem } from '../catalogue/product.ts'

export type DemoFeature = {
  featureKey: string
  name: string
  description: string
  type: FeatureType
  usageResetInterval?: ResetInterval
}

export const demoFeatures: readonly DemoFeature[] = [
  {
    featureKey: 'api_calls',
    name: 'API calls',
    description: 'Requests to the documents API in a month.',
    type: 'limit',
  },
  {
    featureKey: 'seats',
    name: 'Seats',
    description: 'People who can sign in; they stay until they are removed.',
    type: 'limit',
    usageResetInterval: 'never',
  },
  {
    featureKey: 'exports',
    name: 'Report exports',
    description: 'Reports exported as PDF in a day.',
    type: 'limit',
    usageResetInterval: 'day',
  },
  {
    featureKey: 'ai_credits',
    name: 'AI credits',
    description: 'Summaries and answers, billed by what they cost: 0.35 is a short summary.',
    type: 'limit',
  },
  {
    featureKey: 'sso',
    name: 'Single sign-on',
    description: 'Sign in with the company’s identity provider.',
    type: 'boolean',
  },
  {
    featureKey: 'priority_support',
    name: 'Priority support',
    description: 'An answer within four hours.',
    type: 'boolean',
  },
]

/** A limit, unlimited, or what a boolean feature is. */
type Grant = number | 'unlimited' | boolean

export type DemoPrice = { unitAmount: number; interval: 'month' | 'year' }

export type DemoProduct = {
  productKey: string
  name: string
  grants: Readonly<Record<string, Grant>>
  /** Without one it is not sold by the provider. The first is the default. */
  prices: readonly DemoPrice[]
  isDefault?: boolean
  isAddOn?: boolean
  limitsPerUnit?: boolean
}

export type DemoPlan = 'free' | 'starter' | 'pro' | 'enterprise'

export const demoAddOn = 'ai_pack'

export const demoProducts: readonly DemoProduct[] = [
  {
    productKey: 'free',
    name: 'Free',
    isDefault: true,
    prices: [],
    grants: { api_calls: 1_000, seats: 2, exports: 3, ai_credits: 5, sso: false, priority_support: false },
  },
  {
    productKey: 'starter',
    name: 'Starter',
    prices: [
      { unitAmount: 2_900, interval: 'month' },
      { unitAmount: 29_000, interval: 'year' },
    ],
    grants: { api_calls: 20_000, seats: 5, exports: 20, ai_credits: 50, sso: false, priority_support: false },
  },
  {
    productKey: 'pro',
    name: 'Pro',
    prices: [
      { unitAmount: 9_900, interval: 'month' },
      { unitAmount: 99_000, interval: 'year' },
    ],
    grants: {
      api_calls: 100_000,
      seats: 20,
      exports: 100,
      ai_credits: 250,
      sso: true,
      priority_support: false,
    },
  },
  {
    productKey: 'enterprise',
    name: 'Enterprise',
    prices: [],
    grants: {
      api_calls: 2_000_000,
      seats: 'unlimited',
      exports: 'unlimited',
      ai_credits: 2_500,
      sso: true,
      priority_support: true,
    },
  },
  {
    productKey: demoAddOn,
    name: 'AI pack',
    isAddOn: true,
    limitsPerUnit: true,
    prices: [{ unitAmount: 1_500, interval: 'month' }],
    grants: { ai_credits: 100 },
  },
]

/** As the operations that set a product's feature access take it. */
export const toFeatureAccess = ({ grants }: DemoProduct): FeatureAccessItem[] =>
  Object.entries(grants).map(([featureKey, grant]) => ({
    featureKey,
    hasAccess: grant !== false,
    ...(grant === 'unlimited' ? { isUnlimited: true as const } : {}),
    ...(typeof grant === 'number' ? { limit: grant } : {}),
  }))

// Where there is no limit, there is still a usual amount.
const usualOfEnterprise: Record<string, number> = { seats: 60, exports: 40 }

/** The limit of a plan, or what its customers usually use where there is none. */
export function usualAmount(plan: DemoPlan, featureKey: string): number {
  const grant = demoProducts.find(({ productKey }) => productKey === plan)?.grants[featureKey]
  return typeof grant === 'number' ? grant : (usualOfEnterprise[featureKey] ?? 0)
}
