// What the routes of the provider, of the test clock and of the demo data take and answer, for as long as generated.ts does not
// have them.
import type { AuditEntry } from './generated.ts'

export type Ahead = {
  at: number
  kind: 'reset' | 'renewal' | 'trial_end' | 'bonus_expiry' | 'cancellation'
  customerId: string
  text: string
}

export type ProviderDifference = {
  kind: 'customer' | 'product'
  id: string
  text: string
  field?: string
  ours?: string
  theirs?: string
}

export type ProviderEvent = {
  eventId: string
  type: string
  subjectKind: 'customer' | 'product'
  subjectId: string
  customerId?: string
  createdAt: number
  receivedAt: number
  doneAt: number | null
  attempts: number
  lastError: string | null
}

export type ProviderStatus = {
  mode: 'simulator' | 'account' | 'none'
  dashboardUrl?: string
  simulatorUrl?: string
  webhookUrl: string
  lastEventAt: number | null
  lastReconciledAt: number | null
  inbox: {
    waiting: number
    failing: number
    doneToday: number
    oldestWaitingAt: number | null
  }
  lagPerHour: {
    at: number
    p50Ms: number
    maxMs: number
    count: number
  }[]
  catalogueImport: {
    isRunning: boolean
  }
  unlinked: {
    count: number
  }
}

export type ProviderSubscription = {
  subscriptionId: string
  /** In the provider’s own word */
  status: string
  phase: 'granting' | 'suspended' | 'ended'
  startedAt: number
  canceledAt: number | null
  items: ProviderSubscriptionItem[]
}

export type ProviderSubscriptionItem = {
  productKey: string | null
  productName: string
  version: number | null
  quantity: number
  unitAmount: number | null
  currency: string | null
  recurringInterval: string | null
  recurringIntervalCount: number | null
  currentPeriodStart: number
  currentPeriodEnd: number
}

export type RecentCheckout = {
  createdAt: number
  state: 'current' | 'superseded'
}

/** By method and path: what a call is made of, and its answer. */
export type AwaitedProviderOperations = {
  'GET /dashboard/api/{environment}/provider': {
    path: {
      environment: 'test' | 'live'
    }
    answer: ProviderStatus
  }
  'GET /dashboard/api/{environment}/provider/events': {
    path: {
      environment: 'test' | 'live'
    }
    query?: {
      state?: 'waiting' | 'failing' | 'done'
      /** From 1 to 100; 50 unless said otherwise */
      limit?: number
      /** The nextCursor of the page before */
      cursor?: string
    }
    answer: {
      events: ProviderEvent[]
      nextCursor: string | null
    }
  }
  'POST /dashboard/api/{environment}/provider/events/{eventId}/retry': {
    path: {
      environment: 'test' | 'live'
      eventId: string
    }
    answer: unknown
  }
  'POST /dashboard/api/{environment}/provider/compare': {
    path: {
      environment: 'test' | 'live'
    }
    body?: {
      /** The nextCursor of the page before */
      cursor?: string
    }
    answer: {
      differences: ProviderDifference[]
      /** How many customers were looked at */
      customers: number
      nextCursor: string | null
    }
  }
  'POST /dashboard/api/{environment}/customers/{customerId}/sync': {
    path: {
      environment: 'test' | 'live'
      /** Your own id of the customer */
      customerId: string
    }
    answer: {
      changed: boolean
    }
  }
  'GET /dashboard/api/{environment}/customers/{customerId}/provider': {
    path: {
      environment: 'test' | 'live'
      /** Your own id of the customer */
      customerId: string
    }
    answer: {
      providerCustomerId: string | null
      providerUrl?: string
      hasPaymentMethod: boolean
      subscriptions: ProviderSubscription[]
      /** The last 20, newest first */
      checkouts: RecentCheckout[]
    }
  }
  'POST /dashboard/api/{environment}/simulator/products': {
    path: {
      environment: 'test' | 'live'
    }
    body: {
      name: string
      prices: {
        /** In the currency’s smallest unit */
        unitAmount: number
        currency: string
        interval: 'day' | 'week' | 'month' | 'year'
        intervalCount?: number
        trialDays?: number
      }[]
    }
    answer: {
      providerProductId: string
      providerPriceIds: string[]
    }
  }
  'POST /dashboard/api/{environment}/simulator/subscriptions/{subscriptionId}/advance': {
    path: {
      environment: 'test' | 'live'
      subscriptionId: string
    }
    answer: {
      /** Null: it has ended */
      currentPeriodEnd: number | null
    }
  }
  'POST /dashboard/api/{environment}/simulator/subscriptions/{subscriptionId}/cancel': {
    path: {
      environment: 'test' | 'live'
      subscriptionId: string
    }
    answer: unknown
  }
  'POST /dashboard/api/{environment}/simulator/customers/{customerId}/fail-next-payment': {
    path: {
      environment: 'test' | 'live'
      /** Your own id of the customer */
      customerId: string
    }
    answer: unknown
  }
  'GET /dashboard/api/test/clock/ahead': {
    query?: {
      to?: number
    }
    answer: {
      now: number
      isFrozen: boolean
      ahead: Ahead[]
      /** There may be more than is listed */
      isCut: boolean
    }
  }
  'GET /dashboard/api/test/clock/changes': {
    query: {
      from: number
      to: number
    }
    answer: {
      entries: AuditEntry[]
    }
  }
  'GET /dashboard/api/test/demo': {
    answer: {
      isPresent: boolean
      /** False while it is being made */
      isFinished: boolean
      customers: number
    }
  }
  'POST /dashboard/api/test/demo': {
    answer: {
      features: number
      products: number
      customers: number
    }
  }
  'DELETE /dashboard/api/test/demo': {
    answer: {
      removed: {
        customers: number
        products: number
        features: number
      }
      kept: {
        kind: 'product' | 'feature'
        key: string
      }[]
    }
  }
}
