// The steps of random histories, as plain data: what a counterexample shows. Events and bonuses are named by the order in
// which they came to be, instants by their distance from now or from a reset.
export const customerIds = ['ann', 'bob'] as const
export const trackedKeys = ['calls', 'seats'] as const
export const featureKeys = [...trackedKeys, 'flag', 'cap'] as const
export const productKeys = ['basic', 'pro', 'free'] as const
export const intervals = ['never', 'hour', 'day', 'week', 'month', 'quarter', 'year'] as const
export const anchors = ['billing_cycle', 'calendar'] as const

export type CustomerId = string
export type FeatureKey = (typeof featureKeys)[number]
export type ProductKey = string
export type Instant = { from: 'now' | 'lastReset' | 'nextReset'; plus: number }
export type Allowed = 'none' | 'denied' | 'unlimited' | number
export type Access = Partial<Record<FeatureKey, Allowed>>
export type Subject = { customerId: CustomerId; featureKey: FeatureKey }
export type RecordItem = Subject & {
  eventKey: string
  amount?: number
  at?: Instant
  enforceLimit?: boolean
  metadata?: Record<string, string>
}

/** One member for each name, so that a name tells the fields. */
type Doing<Name extends string, Fields> = Name extends string ? { do: Name } & Fields : never

export type Step =
  | Doing<'record', RecordItem>
  | Doing<'batch', { items: RecordItem[] }>
  | Doing<'set', Subject & { eventKey: string; used: number }>
  | Doing<'amend', { event: number } & EventChange>
  | Doing<'delete event' | 'read event', { event: number }>
  | Doing<'give', Subject & { amount: number; expires?: Instant; idempotencyKey?: string; reason?: string }>
  | Doing<
      'change bonus',
      {
        bonus: number
        amount?: number
        expires?: Instant | null
        reason?: string | null
        metadata?: Record<string, string> | null
      }
    >
  | Doing<'delete bonus' | 'read bonus', { bonus: number }>
  | Doing<'check', Subject & { amount?: number }>
  | Doing<'clock' | 'move start', Subject & { to: Instant }>
  | Doing<'clock at expiry', { bonus: number; plus: number }>
  | Doing<FeatureVerb, { featureKey: FeatureKey }>
  | Doing<'change feature', { featureKey: FeatureKey } & FeatureChange>
  | Doing<'set access', { productKey: ProductKey; access: Access }>
  | Doing<ProductVerb, { productKey: ProductKey }>
  | Doing<'assign' | 'unassign', { customerId: CustomerId; productKey: ProductKey }>
  | Doing<
      'create customer',
      { customerId: CustomerId; customProductKeys: ProductKey[]; ifExists?: 'return' | 'update' }
    >
  | Doing<'summarise', Subject & { interval: 'hour' | 'day' | 'week' | 'month'; from: Instant; to: Instant }>
  | Doing<'rename customer', { customerId: CustomerId; name: string }>
  | Doing<'migrate one', { customerId: CustomerId; productKey: ProductKey }>
  | Doing<CustomerVerb, { customerId: CustomerId }>

type CustomerVerb = 'delete customer' | 'read customer' | 'read access' | 'list usage' | 'list bonuses'
type FeatureVerb = 'create feature' | 'delete feature' | 'archive feature' | 'unarchive feature'
type ProductVerb =
  | 'new version'
  | 'migrate'
  | 'archive product'
  | 'unarchive product'
  | 'make default'
  | 'unmake default'
  | 'make add-on'
  | 'unmake add-on'
  | 'count units'
  | 'count no units'
  | 'delete product'
  | 'read product'
type EventChange = {
  amount?: number
  at?: Instant
  eventKey?: string | null
  metadata?: Record<string, string> | null
}
type FeatureChange = {
  usageResetInterval?: (typeof intervals)[number]
  usageResetAnchor?: (typeof anchors)[number]
  tracksUsage?: boolean
}

/** The fixture that a history begins in. */
export type Beginning = {
  startAt: number
  features: { usageResetInterval: (typeof intervals)[number]; usageResetAnchor: (typeof anchors)[number] }[]
  products: Access[]
  freeIsDefault: boolean
  assigned: ProductKey[][]
}
