// What the service takes and answers, route by route. Written by `npm run sdk:types` from server/openapi.json: do not edit.

/** period: features that track usage; arithmetic: where there is access to a limit. bonuses: those that can be drawn on or were, in this period */
export type AccessExplanation = {
  customerId: string
  featureKey: string
  access: {
    hasAccess: boolean
    type: "boolean" | "limit"
    /** Of all products held together, at most 10^12 */
    limit?: number
    isUnlimited?: boolean
    usage?: Usage
  }
  products: ({
    key: string
    version: number
    status: string
    isDefault: boolean
    isAddOn: boolean
    limit?: number
    isUnlimited?: boolean
    quantity: number
    limitsPerUnit: boolean
  })[]
  period?: {
    interval: "never" | "hour" | "day" | "week" | "month" | "quarter" | "year"
    lastReset: number
    nextReset?: number
    anchor: {
      source: "subscription" | "usage_started_at" | "calendar" | "none"
      at?: number
      productKey?: string
    }
    cutBy?: "subscription_start" | "fall_back"
  }
  bonuses: ({
    bonusId: string
    amount: number
    remainingAmount: number
    drawnInPeriod: number
    expiresAt?: number
  })[]
  /** used = planUsed + bonusUsed + overage; planRemaining = limit − planUsed; remaining = planRemaining + bonusRemaining, so it includes bonuses */
  arithmetic?: {
    limit: number
    used: number
    planUsed: number
    bonusUsed: number
    overage: number
    planRemaining: number
    bonusRemaining: number
    remaining: number
  }
}

export type Bonus = {
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
}

/** counterRemaining is what the feature has left, bonuses included; absent when unlimited */
export type BonusChange = {
  bonus: Bonus
  counterRemaining?: number
}

export type Customer = {
  customerId: string
  providerCustomerId?: string
  hasPaymentMethod: boolean
  name?: string
  email?: string
  metadata: Record<string, string>
  created: number
  usageStartedAt: number
  enviroment: "test" | "live"
  products: (CustomerProduct)[]
  featureAccess: FeatureAccess
  bonuses: (Bonus)[]
}

export type CustomerProduct = {
  id: string
  key: string
  name: string
  type: "provider" | "custom"
  isDefault: boolean
  status: string
  version: number
  metadata: Record<string, string>
  canceledAt: number | null
  startedAt: number
  currentPeriodStart: number
  currentPeriodEnd: number
  prices: ({
    providerPriceId: string
    quantity: number
    currency?: string
    unitAmount?: number
    recurringInterval?: string
    recurringIntervalCount?: number
    isActive: boolean
    isDefault: boolean
  })[]
}

export type Feature = {
  id: string
  featureKey: string
  name: string
  description?: string
  type: "boolean" | "limit"
  tracksUsage: boolean
  usageResetInterval: "never" | "hour" | "day" | "week" | "month" | "quarter" | "year"
  usageResetAnchor: "billing_cycle" | "calendar"
  isArchived: boolean
  archivedAt: number | null
  archivedReason: string | null
}

/** Keyed by feature key */
export type FeatureAccess = Record<string, {
  hasAccess: boolean
  type: "boolean" | "limit"
  /** Of all products held together, at most 10^12 */
  limit?: number
  isUnlimited?: boolean
  usage?: Usage
}>

export type Price = {
  id: string
  providerPriceId: string
  currency: string | null
  unitAmount: number | null
  recurringInterval: string | null
  recurringIntervalCount: number | null
  isActive: boolean
  isDefault: boolean
}

export type Product = {
  id: string
  key: string
  name: string
  type: "provider" | "custom"
  isDefault: boolean
  isAddOn: boolean
  isArchived: boolean
  archivedAt: number | null
  /** Provider products only: limits are multiplied by the quantity bought */
  limitsPerUnit?: boolean
  version: number
  providerProductId: string | null
  metadata: Record<string, string>
  prices: (Price)[]
  featureAccess: (ProductFeatureAccess)[]
}

export type ProductFeatureAccess = {
  featureKey: string
  name: string
  type: "boolean" | "limit"
  hasAccess: boolean
  limit?: number | null
  isUnlimited?: boolean
}

export type TestClock = {
  now: number
  frozen: boolean
  /** While not all that the time brings (renewals, ends, their webhooks) is in force */
  pending?: true
}

export type Usage = {
  used: number
  /** All that the customer can still spend, bonuses included: never add bonusRemaining to it. Absent when unlimited */
  remaining?: number
  bonusRemaining: number
  bonusUsed: number
  hasReachedLimit: boolean
  nextReset?: number
  lastReset: number
}

/** The sum of the events of start ≤ occurredAt < end */
export type UsageBucket = {
  start: number
  end: number
  used: number
  events: number
}

export type UsageEvent = {
  id: string
  customerId: string
  featureKey: string
  amount: number
  occurredAt: number
  source: "usage" | "usage_set_adjustment"
  eventKey?: string
  metadata: Record<string, string>
}

/** used is the total of the event’s period right after this event, in the order of commits */
export type UsageResult = {
  applied: boolean
  used: number
  eventId?: string
  reason?: "duplicate_event" | "limit_reached" | "no_access" | "below_zero"
}

/** adjustment is the amount applied to reach the requested value */
export type UsageSetResult = {
  applied: boolean
  used: number
  eventId?: string
  reason?: "duplicate_event" | "limit_reached" | "no_access" | "below_zero"
  adjustment?: number
}

export type Error = {
  error: string
}

/** By method and path: what a call is made of, and its answer. */
export type Operations = {
  /** Create a feature. A limit feature tracks usage and resets monthly unless said otherwise. type and featureKey never change. */
  'POST /v1/features': {
    body: {
      featureKey: string
      name: string
      type: "boolean" | "limit"
      description?: string
      tracksUsage?: boolean
      usageResetInterval?: "never" | "hour" | "day" | "week" | "month" | "quarter" | "year"
      usageResetAnchor?: "billing_cycle" | "calendar"
    }
    answer: {
      feature: Feature
    }
  }
  /** List features, newest first */
  'GET /v1/features': {
    query?: {
      includeArchived?: boolean
      /** From 1 to 100; 50 unless said otherwise */
      limit?: number
      /** The nextCursor of the page before */
      cursor?: string
    }
    answer: {
      features: (Feature)[]
      nextCursor: string | null
    }
  }
  /** Get a feature */
  'GET /v1/features/{featureKey}': {
    path: {
      featureKey: string
    }
    answer: {
      feature: Feature
    }
  }
  /** Update a feature. null clears description. A new interval or anchor sorts the whole ledger into the new periods at once. Turning tracking off hides usage and bonuses without deleting them and keeps interval and anchor; turning it on restores them. */
  'PUT /v1/features/{featureKey}': {
    path: {
      featureKey: string
    }
    body?: {
      name?: string
      description?: string | null
      tracksUsage?: boolean
      usageResetInterval?: "never" | "hour" | "day" | "week" | "month" | "quarter" | "year"
      usageResetAnchor?: "billing_cycle" | "calendar"
    }
    answer: {
      feature: Feature
    }
  }
  /** Delete a feature for ever. It leaves every product configuration and takes its usage and bonuses with it. */
  'DELETE /v1/features/{featureKey}': {
    path: {
      featureKey: string
    }
    answer: {
      deleted: boolean
      featureKey: string
    }
  }
  /** Archive or unarchive a feature. Archiving cuts nobody off: holders keep access; the feature cannot be added anew to a product. */
  'POST /v1/features/{featureKey}/archive': {
    path: {
      featureKey: string
    }
    body: {
      archived: boolean
      reason?: string
    }
    answer: {
      feature: Feature
    }
  }
  /** Create a custom product. isDefault moves the default here from whichever product had it. */
  'POST /v1/custom-products': {
    body: {
      name: string
      productKey: string
      /** At most 50 keys, 8 KiB in all */
      metadata?: Record<string, string>
      isDefault?: boolean
      /** A limit feature with access needs exactly one of limit and isUnlimited */
      featureAccess?: ({
        featureKey: string
        hasAccess: boolean
        limit?: number
        isUnlimited?: true
      })[]
    }
    answer: Product
  }
  /** Link a product of the payment provider. Its prices come with it and are kept current. */
  'POST /v1/products': {
    body: {
      productKey: string
      providerProductId: string
      isAddOn?: boolean
      limitsPerUnit?: boolean
    }
    answer: Product
  }
  /** List products, newest first */
  'GET /v1/products': {
    query?: {
      type?: "provider" | "custom"
      includeArchived?: boolean
      /** From 1 to 100; 50 unless said otherwise */
      limit?: number
      /** The nextCursor of the page before */
      cursor?: string
    }
    answer: {
      products: (Product)[]
      nextCursor: string | null
    }
  }
  /** Import all active products of the payment provider with their prices. The key is the provider product’s metadata product_key, else a slug of its name. A large catalogue takes longer than a request: then it goes on by itself. */
  'POST /v1/products/sync': {
    answer: {
      products: (Product)[]
    } | {
      pending: true
    }
  }
  /** Get the latest version of a product that is not archived */
  'GET /v1/products/{productKey}': {
    path: {
      productKey: string
    }
    answer: Product
  }
  /** Update a product. name, metadata and isDefault: custom products only; limitsPerUnit: provider products only. An add-on adds to what is held and never displaces the default product, which cannot be one. */
  'PUT /v1/products/{productKey}': {
    path: {
      productKey: string
    }
    body?: {
      name?: string
      /** At most 50 keys, 8 KiB in all */
      metadata?: Record<string, string>
      isDefault?: boolean
      isAddOn?: boolean
      limitsPerUnit?: boolean
    }
    answer: Product
  }
  /** Delete a custom product that nobody ever held. One that was ever assigned or the default can only be archived. The key of a deleted product is free again. */
  'DELETE /v1/products/{productKey}': {
    path: {
      productKey: string
    }
    answer: {
      deleted: boolean
      productKey: string
    }
  }
  /** Replace the feature access of a product. Changes the latest version in place, for all its holders, at once. */
  'PUT /v1/products/{productKey}/feature-access': {
    path: {
      productKey: string
    }
    body: {
      /** A limit feature with access needs exactly one of limit and isUnlimited */
      featureAccess: ({
        featureKey: string
        hasAccess: boolean
        limit?: number
        isUnlimited?: true
      })[]
    }
    answer: Product
  }
  /** Archive or unarchive a product. Holders keep it and its access; it cannot be newly assigned, bought or edited, and loses isDefault for good. */
  'POST /v1/products/{productKey}/archive': {
    path: {
      productKey: string
    }
    body: {
      archived: boolean
    }
    answer: Product
  }
  /** Create the next version of a product as a copy of the latest. Customers stay on the version they hold; see migrate. */
  'POST /v1/products/{productKey}/versions': {
    path: {
      productKey: string
    }
    answer: Product
  }
  /** List the versions of a product, newest first. Those of an archived product, too. */
  'GET /v1/products/{productKey}/versions': {
    path: {
      productKey: string
    }
    query?: {
      /** From 1 to 100; 50 unless said otherwise */
      limit?: number
      /** The nextCursor of the page before */
      cursor?: string
    }
    answer: {
      versions: (Product)[]
      nextCursor: string | null
    }
  }
  /** Move customers to the latest version of a product. changes says what differs for the holders of each version, and how many would lose what. A dry run moves nobody. */
  'POST /v1/products/{productKey}/migrate': {
    path: {
      productKey: string
    }
    body?: {
      fromVersion?: number
      customerIds?: (string)[]
      dryRun?: boolean
    }
    answer: {
      migrated: number
      changes: ({
        fromVersion: number
        featureKey: string
        customers: number
        loses: boolean
        before: {
          hasAccess: boolean
          limit?: number
          isUnlimited?: boolean
        }
        after: {
          hasAccess: boolean
          limit?: number
          isUnlimited?: boolean
        }
      })[]
    }
  }
  /** Create a customer. The customer is created at the payment provider too; if that is down, as soon as it answers again. On a taken customerId 409, unless ifExists says otherwise: return gives the customer as it is, update sets what was sent and adds the products. */
  'POST /v1/customers': {
    body: {
      /** Your own id of the customer */
      customerId: string
      name?: string
      email?: string
      /** At most 50 keys, 8 KiB in all */
      metadata?: Record<string, string>
      /** Unix milliseconds */
      usageStartedAt?: number
      customProductKeys?: (string)[]
      /** Takes over a customer that the payment provider already has, with its subscriptions */
      providerCustomerId?: string
      ifExists?: "return" | "update"
    }
    answer: Customer
  }
  /** List customers, newest first. search finds a part of id, name or email, in any case; productKey the customers who hold that product now. */
  'GET /v1/customers': {
    query?: {
      search?: string
      productKey?: string
      /** From 1 to 100; 50 unless said otherwise */
      limit?: number
      /** The nextCursor of the page before */
      cursor?: string
    }
    answer: {
      customers: (Customer)[]
      nextCursor: string | null
    }
  }
  /** Get a customer, or null */
  'GET /v1/customers/{customerId}': {
    path: {
      /** Your own id of the customer */
      customerId: string
    }
    answer: Customer | null
  }
  /** Update a customer. null clears name and email; metadata is replaced whole. Adding a product that is held and removing one that is not are no errors. */
  'PUT /v1/customers/{customerId}': {
    path: {
      /** Your own id of the customer */
      customerId: string
    }
    body?: {
      name?: string | null
      email?: string | null
      /** At most 50 keys, 8 KiB in all */
      metadata?: Record<string, string>
      /** Unix milliseconds */
      usageStartedAt?: number
      addCustomProductKeys?: (string)[]
      removeCustomProductKeys?: (string)[]
      /** Takes over a customer that the payment provider already has; only while there is none */
      providerCustomerId?: string
    }
    answer: Customer
  }
  /** Delete a customer with its usage, bonuses and assignments. The payment provider’s customer and subscriptions are left alone. */
  'DELETE /v1/customers/{customerId}': {
    path: {
      /** Your own id of the customer */
      customerId: string
    }
    answer: {
      id: string
    }
  }
  /** Create a checkout session of the payment provider, or the page that confirms a change. An unknown customer is created from customerInfo. Without providerPriceId the default price is bought, else the only active one. Calls that ask for the same share one open session. Whoever subscribes to another main product gets the page that confirms the change instead (flow is change); whoever subscribes to this one, 409. */
  'POST /v1/customers/{customerId}/checkout': {
    path: {
      /** Your own id of the customer */
      customerId: string
    }
    body: {
      productKey: string
      /** https, or http on localhost */
      successUrl?: string
      /** https, or http on localhost */
      cancelUrl?: string
      customerInfo?: {
        name?: string
        email?: string
        /** At most 50 keys, 8 KiB in all */
        metadata?: Record<string, string>
      }
      providerPriceId?: string
      /** How many are bought; 1 unless given. Not for metered prices */
      quantity?: number
      /** true sells a subscription beside those that there are */
      additional?: boolean
      pricingTableReleaseId?: string
      /** At most 47 keys beside ours, none empty: the provider would drop it */
      metadata?: Record<string, string>
      /** Parameters of the provider’s own, merged into the request */
      checkoutSessionParams?: Record<string, unknown>
    }
    answer: {
      url: string
      flow: "checkout" | "change"
    }
  }
  /** Create a customer portal session of the payment provider */
  'POST /v1/customers/{customerId}/customer_portal': {
    path: {
      /** Your own id of the customer */
      customerId: string
    }
    body?: {
      flow?: "payment_method_update"
      /** https, or http on localhost */
      returnUrl?: string
    }
    answer: {
      url: string
    }
  }
  /** Record usage, exactly once per eventKey. Over the limit it is recorded all the same, unless enforceLimit is true: then only if it fits whole. amount is 1 when absent; a negative one gives usage back. */
  'POST /v1/usage': {
    body: {
      /** Your own id of the customer */
      customerId: string
      featureKey: string
      /** Stable unique id of the event: send the same on a retry */
      eventKey: string
      amount?: number
      /** Unix milliseconds */
      occurredAt?: number
      /** At most 50 keys, 8 KiB in all */
      metadata?: Record<string, string>
      enforceLimit?: boolean
    }
    answer: UsageResult
  }
  /** List a customer’s usage events, newest first. from ≤ occurredAt < to. eventKey goes with featureKey. Deleted events are absent. */
  'GET /v1/usage': {
    query: {
      /** Your own id of the customer */
      customerId: string
      featureKey?: string
      /** Stable unique id of the event: send the same on a retry */
      eventKey?: string
      from?: number
      to?: number
      /** From 1 to 100; 50 unless said otherwise */
      limit?: number
      /** The nextCursor of the page before */
      cursor?: string
    }
    answer: {
      events: (UsageEvent)[]
      nextCursor: string | null
    }
  }
  /** Record up to 100 events. Items are independent, in order: a failed one leaves the rest alone, and its error names the place (events[6].amount). Results are in the order of events. */
  'POST /v1/usage/batch': {
    body: {
      events: ({
        /** Your own id of the customer */
        customerId: string
        featureKey: string
        /** Stable unique id of the event: send the same on a retry */
        eventKey: string
        amount?: number
        /** Unix milliseconds */
        occurredAt?: number
        /** At most 50 keys, 8 KiB in all */
        metadata?: Record<string, string>
        enforceLimit?: boolean
      })[]
    }
    answer: {
      results: ({
        success: true
        result: UsageResult
      } | {
        success: false
        error: string
        code: string
      })[]
      hasErrors: boolean
    }
  }
  /** Set the usage of the current period to an absolute value. Records the difference as an adjustment event, atomically. */
  'POST /v1/usage/set': {
    body: {
      /** Your own id of the customer */
      customerId: string
      featureKey: string
      used: number
      /** Stable unique id of the event: send the same on a retry */
      eventKey: string
      /** At most 50 keys, 8 KiB in all */
      metadata?: Record<string, string>
    }
    answer: UsageSetResult
  }
  /** Sum up a customer’s usage by hour, day, week or month. Spans of the UTC calendar, oldest first, empty ones too, at most 400; the first and the last are cut at from and to, so that all together are exactly what was used in between. Without from the last 30; without to up to the current one. */
  'GET /v1/usage/summary': {
    query: {
      /** Your own id of the customer */
      customerId: string
      featureKey: string
      interval: "hour" | "day" | "week" | "month"
      from?: number
      to?: number
    }
    answer: {
      buckets: (UsageBucket)[]
    }
  }
  /** Get a usage event */
  'GET /v1/usage/{id}': {
    path: {
      id: string
    }
    answer: UsageEvent
  }
  /** Correct a usage event. Every period it touches follows at once. A key once taken stays taken. */
  'PUT /v1/usage/{id}': {
    path: {
      id: string
    }
    body?: {
      amount?: number
      /** Unix milliseconds */
      occurredAt?: number
      eventKey?: string | null
      metadata?: Record<string, string> | null
    }
    answer: UsageEvent
  }
  /** Delete a usage event. Its eventKey stays taken. */
  'DELETE /v1/usage/{id}': {
    path: {
      id: string
    }
    answer: {
      deletedCount: number
    }
  }
  /** Give a customer a bonus. Extra allowance for a limit feature that tracks usage: used when the plan’s is used up, across periods, until drawn or expired. It covers overage that is already there. What the bonuses of a feature have left together, with what the current period drew, is at most 10^12: more is 400. */
  'POST /v1/bonuses': {
    header?: {
      /** 1 to 255 characters: the same request again gets the first answer */
      'Idempotency-Key'?: string
    }
    body: {
      /** Your own id of the customer */
      customerId: string
      featureKey: string
      amount: number
      /** Unix milliseconds */
      expiresAt?: number
      reason?: string
      /** At most 50 keys, 8 KiB in all */
      metadata?: Record<string, string>
    }
    answer: BonusChange
  }
  /** List a customer’s bonuses, newest first, spent and expired ones too. All of them, unless limit or cursor is given. */
  'GET /v1/bonuses': {
    query: {
      /** Your own id of the customer */
      customerId: string
      featureKey?: string
      /** From 1 to 100; 50 unless said otherwise */
      limit?: number
      /** The nextCursor of the page before */
      cursor?: string
    }
    answer: {
      bonuses: (Bonus)[]
      nextCursor?: string | null
    }
  }
  /** Get a bonus */
  'GET /v1/bonuses/{bonusId}': {
    path: {
      bonusId: string
    }
    answer: {
      bonus: Bonus
    }
  }
  /** Update a bonus. amount must not fall below what is drawn; an expired bonus can be revived. What the bonuses of a feature have left together stays at most 10^12, as when giving one. */
  'PUT /v1/bonuses/{bonusId}': {
    path: {
      bonusId: string
    }
    body?: {
      amount?: number
      expiresAt?: number | null
      reason?: string | null
      metadata?: Record<string, string> | null
    }
    answer: BonusChange
  }
  /** Delete a bonus of which nothing is drawn */
  'DELETE /v1/bonuses/{bonusId}': {
    path: {
      bonusId: string
    }
    answer: {
      deleted: boolean
      bonusId: string
      counterRemaining?: number
    }
  }
  /** What a customer may use, and how much is left. Every feature that is not archived, and archived ones that the customer holds; with featureKey that entry alone, whether archived or not. Always current. */
  'GET /v1/feature-access': {
    query: {
      /** Your own id of the customer */
      customerId: string
      featureKey?: string
    }
    answer: FeatureAccess
  }
  /** Why a customer has what it has of a feature. The entry, the products that gave it, the period with the anchor it is counted from, the bonuses with what this period drew, and what remaining is made of. */
  'GET /v1/feature-access/explain': {
    query: {
      /** Your own id of the customer */
      customerId: string
      featureKey: string
    }
    answer: AccessExplanation
  }
  /** Whether a customer may use an amount of a feature now. Says what an enforced write of that amount would meet; where that is 400, because the total would pass 10^12, so is the check. To check and record in one step, record usage with enforceLimit. */
  'GET /v1/check': {
    query: {
      /** Your own id of the customer */
      customerId: string
      featureKey: string
      amount?: number
    }
    answer: {
      allowed: boolean
      reason?: "no_access" | "limit_reached"
      hasAccess: boolean
      type: "boolean" | "limit"
      /** Of all products held together, at most 10^12 */
      limit?: number
      isUnlimited?: boolean
      usage?: Usage
    }
  }
  /** Read the test environment’s clock */
  'GET /v1/test-clock': {
    answer: TestClock
  }
  /** Freeze or free the test environment’s clock. now: null frees it. It governs business time: periods, expiry, the times of things. Answers when all that the new time brings (renewals, ends, their webhooks) is in force, after at most 8 s with pending: true. Test keys only. */
  'PUT /v1/test-clock': {
    body: {
      now: number | null
    }
    answer: TestClock
  }
}

export type Route = keyof Operations
