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
  /** Watch requests by key as they are answered, over all instances. Server-sent events: request (a line), dropped ({count}: lines that were too many); at most 50 lines a second. Bodies are cut at 2 kB and carry no secrets. */
  'GET /dashboard/api/{environment}/requests': {
    path: {
      environment: "test" | "live"
    }
    answer: undefined
  }
}

export type Route = keyof Operations
