// What the routes of events, of the provider and of the test clock take and answer, for as long as generated.ts does not have them.
import type { AuditEntry } from './generated.ts'

type EnvironmentPath = { environment: 'test' | 'live' }

export type ListedEvent = {
  id: string
  customerId: string
  featureKey: string
  amount: number
  occurredAt: number
  source: 'usage' | 'usage_set_adjustment'
  eventKey?: string
  metadata: Record<string, string>
  customerName?: string
  productKey?: string
  isEdited: boolean
  isDeleted: boolean
}

export type ProviderEvent = {
  eventId: string
  type: string
  subjectKind: string
  subjectId: string
  customerId?: string
  createdAt: number
  receivedAt: number
  doneAt: number | null
  attempts: number
  lastError: string | null
}

export type ProviderDifference = {
  kind: 'customer' | 'product'
  id: string
  text: string
  field?: string
  ours?: string
  theirs?: string
}

export type ProviderSubscription = {
  subscriptionId: string
  status: string
  phase: string
  startedAt: number | null
  canceledAt: number | null
  items: {
    productKey: string | null
    productName: string
    version: number
    quantity: number
    unitAmount: number | null
    currency: string
    recurringInterval: string | null
    currentPeriodStart: number
    currentPeriodEnd: number
  }[]
}

export type AheadMark = {
  at: number
  kind: 'reset' | 'renewal' | 'trial_end' | 'bonus_expiry' | 'cancellation'
  customerId: string
  text: string
}

/** By method and path: what a call is made of, and its answer. */
export type AwaitedProviderOperations = {
  'GET /dashboard/api/{environment}/charts/requests': {
    path: {
      environment: 'test' | 'live'
    }
    query?: {
      from?: number
      to?: number
    }
    answer: {
      points: {
        at: number
        requests: number
        refused429: number
        errors5xx: number
      }[]
      byKey: {
        keyId: string
        name: string
        requests: number
        refused429: number
      }[]
    }
  }
  'GET /dashboard/api/{environment}/events': {
    path: {
      environment: 'test' | 'live'
    }
    query?: {
      featureKey?: string
      productKey?: string
      /** Your own id of the customer */
      customerId?: string
      source?: 'usage' | 'usage_set_adjustment'
      search?: string
      from?: number
      to?: number
      /** From 1 to 100; 50 unless said otherwise */
      limit?: number
      /** The nextCursor of the page before */
      cursor?: string
    }
    answer: {
      asOf: number
      events: ListedEvent[]
      nextCursor: string | null
    }
  }
  'GET /dashboard/api/{environment}/events.csv': {
    path: {
      environment: 'test' | 'live'
    }
    query?: {
      featureKey?: string
      productKey?: string
      /** Your own id of the customer */
      customerId?: string
      source?: 'usage' | 'usage_set_adjustment'
      search?: string
      from?: number
      to?: number
    }
    answer: undefined
  }
  'GET /dashboard/api/{environment}/events/{eventId}/history': {
    path: {
      environment: 'test' | 'live'
      eventId: string
    }
    answer: {
      entries: AuditEntry[]
    }
  }
  'POST /dashboard/api/{environment}/events/{eventId}/preview': {
    path: {
      environment: 'test' | 'live'
      eventId: string
    }
    body?: {
      amount?: number
      occurredAt?: number
      delete?: true
    }
    answer: {
      periods: {
        featureKey: string
        start: number
        end: number
        before: {
          used: number
          remaining?: number
        }
        after: {
          used: number
          remaining?: number
        }
      }[]
    }
  }
  'GET /dashboard/api/{environment}/provider': {
    path: EnvironmentPath
    answer: {
      mode: 'simulator' | 'account' | 'none'
      dashboardUrl?: string
      simulatorUrl?: string
      webhookUrl: string
      lastEventAt: number | null
      lastReconciledAt: number | null
      inbox: { waiting: number; failing: number; doneToday: number; oldestWaitingAt: number | null }
      lagPerHour: { at: number; p50Ms: number; maxMs: number; count: number }[]
      catalogueImport: { isRunning: boolean }
      unlinked: { count: number }
    }
  }
  'GET /dashboard/api/{environment}/provider/events': {
    path: EnvironmentPath
    query?: { state?: 'waiting' | 'failing' | 'done'; limit?: number; cursor?: string }
    answer: { events: ProviderEvent[]; nextCursor: string | null }
  }
  'POST /dashboard/api/{environment}/provider/events/{eventId}/retry': {
    path: EnvironmentPath & { eventId: string }
    answer: unknown
  }
  'POST /dashboard/api/{environment}/provider/compare': {
    path: EnvironmentPath
    body?: { cursor?: string }
    answer: { differences: ProviderDifference[]; nextCursor: string | null }
  }
  'POST /dashboard/api/{environment}/customers/{customerId}/sync': {
    path: EnvironmentPath & { customerId: string }
    answer: { changed: boolean }
  }
  'GET /dashboard/api/{environment}/customers/{customerId}/provider': {
    path: EnvironmentPath & { customerId: string }
    answer: {
      providerCustomerId: string | null
      providerUrl?: string
      subscriptions: ProviderSubscription[]
      checkouts: { createdAt: number; state: string; url?: string }[]
    }
  }
  'POST /dashboard/api/{environment}/simulator/products': {
    path: EnvironmentPath
    body: {
      name: string
      prices: {
        unitAmount: number
        currency: string
        interval: 'day' | 'week' | 'month' | 'year'
        intervalCount?: number
        trialDays?: number
      }[]
    }
    answer: { providerProductId: string; providerPriceIds: string[] }
  }
  'POST /dashboard/api/{environment}/simulator/subscriptions/{subscriptionId}/advance': {
    path: EnvironmentPath & { subscriptionId: string }
    answer: { currentPeriodEnd: number }
  }
  'POST /dashboard/api/{environment}/simulator/subscriptions/{subscriptionId}/cancel': {
    path: EnvironmentPath & { subscriptionId: string }
    answer: unknown
  }
  'POST /dashboard/api/{environment}/simulator/customers/{customerId}/fail-next-payment': {
    path: EnvironmentPath & { customerId: string }
    answer: unknown
  }
  'GET /dashboard/api/test/clock/ahead': {
    query?: { to?: number }
    answer: { now: number; isFrozen: boolean; ahead: AheadMark[] }
  }
  'GET /dashboard/api/test/clock/changes': {
    query: { from: number; to: number }
    answer: { entries: { at: number; customerId?: string; kind?: string; text: string }[] }
  }
}
