// What the dashboard's own API takes and answers, route by route. Written by `npm run dashboard:types`: do not edit.

export type Ahead = {
  at: number
  kind: "reset" | "renewal" | "trial_end" | "bonus_expiry" | "cancellation"
  customerId: string
  text: string
}

export type ApiKey = {
  keyId: string
  name: string
  scope: "full" | "read"
  lastFour: string
  source: "created" | "configured"
  createdAt: number
  expiresAt: number | null
  revokedAt: number | null
  lastUsedAt: number | null
  /** In the window of the moment, writes included */
  requests10s: number
  writes10s: number
}

export type AuditEntry = {
  entryNo: number
  at: number
  actor: string
  action: string
  subject: string
  before: unknown
  after: unknown
  requestId: string | null
}

export type BonusRow = {
  bonusId: string
  customerId: string
  featureKey: string
  amount: number
  remainingAmount: number
  createdAt: number
  updatedAt: number
  expiresAt?: number
  reason?: string
  metadata: Record<string, string>
  customerName?: string
}

export type CustomerRow = {
  customerId: string
  name: string | null
  email: string | null
  createdAt: number
  products: ({
    key: string
    name: string
    status: string
    isDefault: boolean
    isAddOn: boolean
  })[]
  /** Null where nothing is limited */
  hottest: {
    featureKey: string
    used: number
    allowance: number
    share: number
  } | null
  perDay: (number)[]
  eventsTotal14d: number
}

/** What a product shall give of one feature */
export type FeatureAccessItem = {
  featureKey: string
  hasAccess: boolean
  limit?: number
  isUnlimited?: true
}

export type ListedEvent = {
  id: string
  customerId: string
  featureKey: string
  amount: number
  occurredAt: number
  source: "usage" | "usage_set_adjustment"
  eventKey?: string
  metadata: Record<string, string>
  customerName?: string
  productKey?: string
  isEdited: boolean
  isDeleted: boolean
}

export type MadeKey = {
  keyId: string
  secret: string
}

export type Person = {
  personId: string
  email: string
  name: string | null
  role: "admin" | "member" | "read"
  state: "active" | "invited"
  createdAt: number
  lastSeenAt: number | null
}

export type ProviderDifference = {
  kind: "customer" | "product"
  id: string
  text: string
  field?: string
  ours?: string
  theirs?: string
}

export type ProviderEvent = {
  eventId: string
  type: string
  subjectKind: "customer" | "product"
  subjectId: string
  customerId?: string
  createdAt: number
  receivedAt: number
  doneAt: number | null
  attempts: number
  lastError: string | null
}

export type ProviderStatus = {
  mode: "simulator" | "account" | "none"
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
  lagPerHour: ({
    at: number
    p50Ms: number
    maxMs: number
    count: number
  })[]
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
  phase: "granting" | "suspended" | "ended"
  startedAt: number
  canceledAt: number | null
  items: (ProviderSubscriptionItem)[]
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
  state: "current" | "superseded"
}

export type Session = {
  person: {
    personId: string
    email: string
    name: string
    role: "admin" | "member" | "read"
  }
  /** Sent with every write as x-csrf-token */
  csrfToken: string
  environments: {
    test: {
      provider: "simulator" | "account" | "none"
      simulatorUrl: string | null
    }
    live: {
      provider: "simulator" | "account" | "none"
      simulatorUrl: string | null
    }
  }
  publicUrl: string
  version: string
}

export type TimelineEntry = {
  kind: "change" | "subscription" | "checkout" | "usage"
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
}

/** Every error: a sentence for people. Programs go by the status and the header x-error-code, whose known values each answer lists; there may be more. */
export type Error = {
  error: string
}

/** By method and path: what a call is made of, and its answer. */
export type Operations = {
  /** Who is signed in, and what every page needs to know */
  'GET /dashboard/api/session': {
    answer: Session
  }
  /** Sign in with email and password. After some attempts that failed, an account and an address have to wait: 429 with retry-after. */
  'POST /dashboard/api/session': {
    body: {
      email: string
      password: string
    }
    answer: Session
  }
  /** Sign out */
  'DELETE /dashboard/api/session': {
    answer: {
    }
  }
  /** Change one’s own password. Ends the other sessions of the person. */
  'PUT /dashboard/api/session/password': {
    body: {
      currentPassword: string
      newPassword: string
    }
    answer: {
    }
  }
  /** What a link is for; looking does not use it */
  'GET /dashboard/api/links/{token}': {
    path: {
      token: string
    }
    answer: {
      kind: "first" | "invite" | "reset"
      email: string | null
    }
  }
  /** Use a link: choose a password and be signed in. The first link asks for an email too; one for a new password takes no name. */
  'POST /dashboard/api/links/{token}': {
    path: {
      token: string
    }
    body: {
      email?: string
      name?: string
      password: string
    }
    answer: Session
  }
  /** List everybody who may use the dashboard */
  'GET /dashboard/api/people': {
    answer: {
      people: (Person)[]
    }
  }
  /** Invite a person; the link in the answer is shown once and lasts seven days */
  'POST /dashboard/api/people': {
    body: {
      email: string
      role: "admin" | "member" | "read"
    }
    answer: {
      person: Person
      inviteUrl: string
    }
  }
  /** Give a person another role, from their next request on */
  'PUT /dashboard/api/people/{personId}': {
    path: {
      personId: string
    }
    body: {
      role: "admin" | "member" | "read"
    }
    answer: Person
  }
  /** Remove a person; their sessions end at once */
  'DELETE /dashboard/api/people/{personId}': {
    path: {
      personId: string
    }
    answer: {
    }
  }
  /** Make a new link for a person: to join, or for a new password. It takes the place of those before it, works once and is shown once. */
  'POST /dashboard/api/people/{personId}/link': {
    path: {
      personId: string
    }
    answer: {
      url: string
      expiresAt: number
    }
  }
  /** List the API keys, newest first, with the use of their limits */
  'GET /dashboard/api/{environment}/keys': {
    path: {
      environment: "test" | "live"
    }
    answer: {
      keys: (ApiKey)[]
      /** Requests and writes in ten seconds; 0 is no limit */
      limits: {
        all: number
        write: number
      }
    }
  }
  /** Make an API key; its secret is shown once */
  'POST /dashboard/api/{environment}/keys': {
    path: {
      environment: "test" | "live"
    }
    body: {
      name: string
      scope: "full" | "read"
      expiresAt?: number | null
    }
    answer: MadeKey
  }
  /** Make a key that takes the place of another, which goes on for the time of grace */
  'POST /dashboard/api/{environment}/keys/{keyId}/rotate': {
    path: {
      environment: "test" | "live"
      keyId: string
    }
    body: {
      graceMs: number
    }
    answer: MadeKey
  }
  /** Revoke a key, at once */
  'DELETE /dashboard/api/{environment}/keys/{keyId}': {
    path: {
      environment: "test" | "live"
      keyId: string
    }
    answer: {
    }
  }
  /** List what was changed by whom, newest first. action is a whole one (key.create) or its noun (key). Changes of people are in the logs of both environments. */
  'GET /dashboard/api/{environment}/audit-log': {
    path: {
      environment: "test" | "live"
    }
    query?: {
      actor?: string
      action?: string
      subject?: string
      /** From 1 to 100; 50 unless said otherwise */
      limit?: number
      /** The nextCursor of the page before */
      cursor?: string
    }
    answer: {
      entries: (AuditEntry)[]
      nextCursor: string | null
    }
  }
  /** How the environment stands with its payment provider. Times are real ones. lagPerHour is of the last 48 hours, by the hour of arrival. */
  'GET /dashboard/api/{environment}/provider': {
    path: {
      environment: "test" | "live"
    }
    answer: ProviderStatus
  }
  /** List the provider’s events as they arrived, newest first */
  'GET /dashboard/api/{environment}/provider/events': {
    path: {
      environment: "test" | "live"
    }
    query?: {
      state?: "waiting" | "failing" | "done"
      /** From 1 to 100; 50 unless said otherwise */
      limit?: number
      /** The nextCursor of the page before */
      cursor?: string
    }
    answer: {
      events: (ProviderEvent)[]
      nextCursor: string | null
    }
  }
  /** Work off an event now that waits or failed */
  'POST /dashboard/api/{environment}/provider/events/{eventId}/retry': {
    path: {
      environment: "test" | "live"
      eventId: string
    }
    answer: {
    }
  }
  /** Find where the provider has something else than is stored here. At most 50 customers a call, fewer when the provider is slow; the first call, without a cursor, compares all products as well. Nothing is changed. */
  'POST /dashboard/api/{environment}/provider/compare': {
    path: {
      environment: "test" | "live"
    }
    body?: {
      /** The nextCursor of the page before */
      cursor?: string
    }
    answer: {
      differences: (ProviderDifference)[]
      /** How many customers were looked at */
      customers: number
      nextCursor: string | null
    }
  }
  /** Bring a customer to what the provider has now. Name and email are told to the provider; everything else is fetched from it. */
  'POST /dashboard/api/{environment}/customers/{customerId}/sync': {
    path: {
      environment: "test" | "live"
      /** Your own id of the customer */
      customerId: string
    }
    answer: {
      changed: boolean
    }
  }
  /** What a customer is at the provider, as last fetched */
  'GET /dashboard/api/{environment}/customers/{customerId}/provider': {
    path: {
      environment: "test" | "live"
      /** Your own id of the customer */
      customerId: string
    }
    answer: {
      providerCustomerId: string | null
      providerUrl?: string
      hasPaymentMethod: boolean
      subscriptions: (ProviderSubscription)[]
      /** The last 20, newest first */
      checkouts: (RecentCheckout)[]
    }
  }
  /** Make a product with its prices at the simulated provider. The first price becomes the default one. Link the product, or import all, to sell it. */
  'POST /dashboard/api/{environment}/simulator/products': {
    path: {
      environment: "test" | "live"
    }
    body: {
      name: string
      prices: ({
        /** In the currency’s smallest unit */
        unitAmount: number
        currency: string
        interval: "day" | "week" | "month" | "year"
        intervalCount?: number
        trialDays?: number
      })[]
    }
    answer: {
      providerProductId: string
      providerPriceIds: (string)[]
    }
  }
  /** Let a subscription come to its next renewal now. A trial ends and is charged, another begins a new period that is charged, one that is set to end ends. The clock stays where it is. */
  'POST /dashboard/api/{environment}/simulator/subscriptions/{subscriptionId}/advance': {
    path: {
      environment: "test" | "live"
      subscriptionId: string
    }
    answer: {
      /** Null: it has ended */
      currentPeriodEnd: number | null
    }
  }
  /** End a subscription at the simulated provider at once */
  'POST /dashboard/api/{environment}/simulator/subscriptions/{subscriptionId}/cancel': {
    path: {
      environment: "test" | "live"
      subscriptionId: string
    }
    answer: {
    }
  }
  /** Have the next payment of a customer fail. Its card is declined from now on, until another is saved on the portal’s page. */
  'POST /dashboard/api/{environment}/simulator/customers/{customerId}/fail-next-payment': {
    path: {
      environment: "test" | "live"
      /** Your own id of the customer */
      customerId: string
    }
    answer: {
    }
  }
  /** What time will bring to customers, soonest first. Up to the instant given, or 31 days ahead: of each reset, renewal, end of a trial, of a bonus or of what was cancelled, the next. At most 200. Customers whose subscriptions or bonuses change next are looked at, and the newest 200. */
  'GET /dashboard/api/test/clock/ahead': {
    query?: {
      to?: number
    }
    answer: {
      now: number
      isFrozen: boolean
      ahead: (Ahead)[]
      /** There may be more than is listed */
      isCut: boolean
    }
  }
  /** What was changed in a span of time, newest first. At most 200 entries of the audit log, both ends of the span included. */
  'GET /dashboard/api/test/clock/changes': {
    query: {
      from: number
      to: number
    }
    answer: {
      entries: (AuditEntry)[]
    }
  }
  /** Whether there is demo data */
  'GET /dashboard/api/test/demo': {
    answer: {
      isPresent: boolean
      /** False while it is being made */
      isFinished: boolean
      customers: number
    }
  }
  /** Make demo data in an empty test environment. Catalogue and first customer are there when this is answered; the rest follows within seconds. */
  'POST /dashboard/api/test/demo': {
    answer: {
      features: number
      products: number
      customers: number
    }
  }
  /** Remove the demo data; what others made or came to use stays */
  'DELETE /dashboard/api/test/demo': {
    answer: {
      removed: {
        customers: number
        products: number
        features: number
      }
      kept: ({
        kind: "product" | "feature"
        key: string
      })[]
    }
  }
  /** Today’s figures, what needs attention, and the first steps. Days and hours are those of UTC. Everything recorded before asOf is in the figures. */
  'GET /dashboard/api/{environment}/overview': {
    path: {
      environment: "test" | "live"
    }
    answer: {
      asOf: number
      figures: {
        eventsToday: {
          value: number
          perHour: (number)[]
        }
        activeCustomers: {
          value: number
          perDay: (number)[]
        }
        refusedToday: {
          value: number
          perHour: (number)[]
        }
        customers: {
          value: number
        }
      }
      attention: ({
        kind: "over_limit" | "near_limit" | "past_due" | "provider_event" | "unlinked_customer"
        customerId?: string
        customerName?: string
        featureKey?: string
        used?: number
        allowance?: number
        at?: number
        text: string
      })[]
      refusals: ({
        featureKey: string
        reason: string
        count: number
      })[]
      checklist: {
        hasCustomer: boolean
        hasKey: boolean
        hasEvent: boolean
        hasProvider: boolean
      }
    }
  }
  /** Usage over time. Buckets are hours or days of UTC. Exact for one customer. At most eight series, the rest as "other". measure "amount" needs featureKey unless groupBy is "feature". */
  'GET /dashboard/api/{environment}/charts/usage': {
    path: {
      environment: "test" | "live"
    }
    query?: {
      interval?: "hour" | "day"
      from?: number
      to?: number
      groupBy?: "none" | "feature" | "product" | "customer"
      measure?: "amount" | "events"
      featureKey?: string
      /** Your own id of the customer */
      customerId?: string
      productKey?: string
    }
    answer: {
      asOf: number
      isExact: boolean
      interval: "hour" | "day"
      points: ({
        at: number
        values: Record<string, number>
      })[]
      series: ({
        key: string
        name: string
        total: number
      })[]
    }
  }
  /** One customer’s usage against its limit over the last periods. points have the running total within each period; exact. Limits are known since statistics are kept: before, the first is shown. */
  'GET /dashboard/api/{environment}/charts/limit': {
    path: {
      environment: "test" | "live"
    }
    query: {
      /** Your own id of the customer */
      customerId: string
      featureKey: string
      periods?: string
    }
    answer: {
      points: ({
        at: number
        used: number
      })[]
      resets: (number)[]
      changes: ({
        at: number
        text: string
      })[]
      limit: ({
        from: number
        to: number
        limit: number | null
      })[]
    }
  }
  /** Requests with keys over time. By minute, beyond six hours by hour; the last hour unless said otherwise. Ten seconds late. */
  'GET /dashboard/api/{environment}/charts/requests': {
    path: {
      environment: "test" | "live"
    }
    query?: {
      from?: number
      to?: number
    }
    answer: {
      points: ({
        at: number
        requests: number
        refused429: number
        errors5xx: number
      })[]
      byKey: ({
        keyId: string
        name: string
        requests: number
        refused429: number
      })[]
    }
  }
  /** List customers with what a row of a table shows. status is "over" from 100 % of an allowance on, "near" from 80 %. Shares are those of featureKey, else of the hottest feature. Sorted by share, whoever was made within the last seconds may be missing. */
  'GET /dashboard/api/{environment}/customer-rows': {
    path: {
      environment: "test" | "live"
    }
    query?: {
      search?: string
      productKey?: string
      status?: "over" | "near" | "ok"
      featureKey?: string
      sort?: "created" | "share"
      /** From 1 to 100; 50 unless said otherwise */
      limit?: number
      /** The nextCursor of the page before */
      cursor?: string
    }
    answer: {
      asOf: number
      customers: (CustomerRow)[]
      nextCursor: string | null
      total: number
    }
  }
  /** Customers as CSV. Sent as it is read. Times are in UTC; a text that a spreadsheet would compute begins with an apostrophe. */
  'GET /dashboard/api/{environment}/customer-rows.csv': {
    path: {
      environment: "test" | "live"
    }
    query?: {
      search?: string
      productKey?: string
      status?: "over" | "near" | "ok"
      featureKey?: string
      sort?: "created" | "share"
    }
    answer: undefined
  }
  /** What happened with a customer, newest first. Usage is grouped by feature and hour of UTC, which it is listed at; until is its last event. */
  'GET /dashboard/api/{environment}/customers/{customerId}/timeline': {
    path: {
      environment: "test" | "live"
      /** Your own id of the customer */
      customerId: string
    }
    query?: {
      /** With commas: change, subscription, checkout, usage */
      kinds?: string
      /** From 1 to 100; 50 unless said otherwise */
      limit?: number
      /** The nextCursor of the page before */
      cursor?: string
    }
    answer: {
      entries: (TimelineEntry)[]
      nextCursor: string | null
    }
  }
  /** Count who holds each version of each product */
  'GET /dashboard/api/{environment}/products/holders': {
    path: {
      environment: "test" | "live"
    }
    answer: {
      asOf: number
      products: ({
        productKey: string
        holders: number
        byVersion: ({
          version: number
          holders: number
        })[]
      })[]
    }
  }
  /** Who would be over a limit with another feature access configuration. Nothing is written. Holders of the latest version, or of the one given. Exact for up to 2,000 holders, else by statistics, which count up to 10,000; before and after are allowances with bonuses, null is unlimited. */
  'POST /dashboard/api/{environment}/products/{productKey}/preview': {
    path: {
      environment: "test" | "live"
      productKey: string
    }
    body: {
      /** A limit feature with access needs exactly one of limit and isUnlimited */
      featureAccess: (FeatureAccessItem)[]
      version?: number
    }
    answer: {
      holders: number
      affected: number
      overLimit: ({
        customerId: string
        name?: string
        featureKey: string
        used: number
        before: number | null
        after: number | null
      })[]
      overLimitCount: number
      isExact: boolean
    }
  }
  /** Who uses a feature most, and how near customers are to their limits. Of the current period of each customer. The histogram goes by tenths of the allowance; the last part has all at the limit or over. */
  'GET /dashboard/api/{environment}/features/{featureKey}/statistics': {
    path: {
      environment: "test" | "live"
      featureKey: string
    }
    answer: {
      asOf: number
      topCustomers: ({
        customerId: string
        name?: string
        used: number
        allowance: number | null
        share: number | null
      })[]
      histogram: ({
        from: number
        to: number | null
        count: number
      })[]
      customers: {
        used: number
        atLimit: number
        near: number
        unlimited: number
      }
    }
  }
  /** What archiving or deleting a feature would take along */
  'GET /dashboard/api/{environment}/features/{featureKey}/impact': {
    path: {
      environment: "test" | "live"
      featureKey: string
    }
    answer: {
      products: ({
        productKey: string
        versions: (number)[]
      })[]
      customersWithUsage: number
      events: number
      openBonuses: number
    }
  }
  /** List usage events of all customers, newest first. from ≤ occurredAt < to. search is an event id, or an event key. A page may have fewer events than asked for though there are more: nextCursor tells. Deleted events are found by their id only. */
  'GET /dashboard/api/{environment}/events': {
    path: {
      environment: "test" | "live"
    }
    query?: {
      featureKey?: string
      productKey?: string
      /** Your own id of the customer */
      customerId?: string
      source?: "usage" | "usage_set_adjustment"
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
      events: (ListedEvent)[]
      nextCursor: string | null
    }
  }
  /** Usage events of all customers as CSV, newest first. Sent as it is read. Times are in UTC; a text that a spreadsheet would compute begins with an apostrophe. */
  'GET /dashboard/api/{environment}/events.csv': {
    path: {
      environment: "test" | "live"
    }
    query?: {
      featureKey?: string
      productKey?: string
      /** Your own id of the customer */
      customerId?: string
      source?: "usage" | "usage_set_adjustment"
      search?: string
      from?: number
      to?: number
    }
    answer: undefined
  }
  /** What was changed of a usage event, by whom */
  'GET /dashboard/api/{environment}/events/{eventId}/history': {
    path: {
      environment: "test" | "live"
      eventId: string
    }
    answer: {
      entries: (AuditEntry)[]
    }
  }
  /** What editing or deleting a usage event would change. Nothing is written. The periods are those that the event lies in, would lie in, and the current one. */
  'POST /dashboard/api/{environment}/events/{eventId}/preview': {
    path: {
      environment: "test" | "live"
      eventId: string
    }
    body?: {
      amount?: number
      occurredAt?: number
      delete?: true
    }
    answer: {
      periods: ({
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
      })[]
    }
  }
  /** List bonuses of all customers, newest first. expiring ones are open and expire within fourteen days. */
  'GET /dashboard/api/{environment}/bonus-rows': {
    path: {
      environment: "test" | "live"
    }
    query?: {
      state?: "open" | "expiring" | "used" | "expired"
      featureKey?: string
      /** Your own id of the customer */
      customerId?: string
      /** From 1 to 100; 50 unless said otherwise */
      limit?: number
      /** The nextCursor of the page before */
      cursor?: string
    }
    answer: {
      bonuses: (BonusRow)[]
      nextCursor: string | null
    }
  }
  /** Watch requests by key as they are answered, over all instances. Server-sent events: request (a line), dropped ({count}: lines that were too many); at most 50 lines a second. Bodies are cut at 2 kB and carry no secrets. */
  'GET /dashboard/api/{environment}/requests': {
    path: {
      environment: "test" | "live"
    }
    answer: undefined
  }
}

export type Route = keyof Operations
