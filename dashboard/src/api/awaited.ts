// What the routes of statistics and of the provider take and answer, for as long as generated.ts does not have them.
import type { Bonus } from '@tollkeeper/sdk/src/generated/api.ts'

type EnvironmentPath = { environment: 'test' | 'live' }

/** By method and path: what a call is made of, and its answer. */
export type AwaitedOperations = {
  'GET /dashboard/api/{environment}/overview': {
    path: EnvironmentPath
    answer: {
      asOf: number
      figures: {
        eventsToday: { value: number; perHour: number[] }
        activeCustomers: { value: number; perDay: number[] }
        refusedToday: { value: number; perHour: number[] }
        customers: { value: number }
      }
      attention: {
        kind: 'over_limit' | 'near_limit' | 'past_due' | 'provider_event' | 'unlinked_customer'
        customerId?: string
        customerName?: string
        featureKey?: string
        used?: number
        allowance?: number
        at?: number
        text: string
      }[]
      refusals: { featureKey: string; reason: string; count: number }[]
      checklist: { hasCustomer: boolean; hasKey: boolean; hasEvent: boolean; hasProvider: boolean }
    }
  }
  'GET /dashboard/api/{environment}/charts/usage': {
    path: EnvironmentPath
    query: {
      interval: 'hour' | 'day'
      from?: number
      to?: number
      groupBy?: 'none' | 'feature' | 'product' | 'customer'
      featureKey?: string
      customerId?: string
      productKey?: string
      measure?: 'amount' | 'events'
    }
    answer: {
      asOf: number
      isExact: boolean
      interval: 'hour' | 'day'
      points: { at: number; values: Record<string, number> }[]
      series: { key: string; name: string; total: number }[]
    }
  }
  'GET /dashboard/api/{environment}/charts/limit': {
    path: EnvironmentPath
    query: { customerId: string; featureKey: string; periods?: string }
    answer: {
      points: { at: number; used: number }[]
      resets: number[]
      changes: { at: number; text: string }[]
      limit: { from: number; to: number; limit: number | null }[]
    }
  }
  'GET /dashboard/api/{environment}/customer-rows': {
    path: EnvironmentPath
    query?: {
      search?: string
      productKey?: string
      status?: 'over' | 'near' | 'ok'
      featureKey?: string
      sort?: 'created' | 'share'
      limit?: number
      cursor?: string
    }
    answer: {
      asOf: number
      customers: {
        customerId: string
        name?: string
        email?: string
        createdAt: number
        products: { key: string; name: string; status: string; isDefault: boolean; isAddOn: boolean }[]
        hottest: { featureKey: string; used: number; allowance: number | null; share: number | null } | null
        perDay: number[]
        eventsTotal14d: number
      }[]
      nextCursor: string | null
      total: number
    }
  }
  'GET /dashboard/api/{environment}/customers/{customerId}/timeline': {
    path: EnvironmentPath & { customerId: string }
    query?: { kinds?: string; limit?: number; cursor?: string }
    answer: {
      entries: {
        kind: 'usage' | 'change' | 'checkout' | 'subscription'
        at: number
        until?: number
        title: string
        detail?: string
        actor?: string
        featureKey?: string
        amount?: number
        count?: number
        requestId?: string
        before?: unknown
        after?: unknown
      }[]
      nextCursor: string | null
    }
  }
  'GET /dashboard/api/{environment}/products/holders': {
    path: EnvironmentPath
    answer: {
      asOf: number
      products: { productKey: string; holders: number; byVersion: { version: number; holders: number }[] }[]
    }
  }
  'POST /dashboard/api/{environment}/products/{productKey}/preview': {
    path: EnvironmentPath & { productKey: string }
    body: {
      featureAccess: { featureKey: string; hasAccess: boolean; limit?: number; isUnlimited?: true }[]
      version?: number
    }
    answer: {
      holders: number
      affected: number
      overLimit: {
        customerId: string
        name?: string
        featureKey: string
        used: number
        before: number | null
        after: number | null
      }[]
      overLimitCount: number
      isExact: boolean
    }
  }
  'GET /dashboard/api/{environment}/features/{featureKey}/statistics': {
    path: EnvironmentPath & { featureKey: string }
    answer: {
      asOf: number
      topCustomers: {
        customerId: string
        name?: string
        used: number
        allowance: number | null
        share: number | null
      }[]
      histogram: { from: number; to: number | null; count: number }[]
      customers: { used: number; atLimit: number; near: number; unlimited: number }
    }
  }
  'GET /dashboard/api/{environment}/features/{featureKey}/impact': {
    path: EnvironmentPath & { featureKey: string }
    answer: {
      products: { productKey: string; versions: number[] }[]
      customersWithUsage: number
      events: number
      openBonuses: number
    }
  }
  'GET /dashboard/api/{environment}/bonus-rows': {
    path: EnvironmentPath
    query?: {
      state?: 'open' | 'expiring' | 'used' | 'expired'
      featureKey?: string
      customerId?: string
      limit?: number
      cursor?: string
    }
    answer: { bonuses: (Bonus & { customerName?: string })[]; nextCursor: string | null }
  }
  'GET /dashboard/api/{environment}/provider': {
    path: EnvironmentPath
    answer: { catalogueImport: { isRunning: boolean } }
  }
}
