// What the service takes and answers, route by route. Written by `npm run sdk:types` from server/openapi.json: do not edit.

/** used = planUsed + bonusUsed + overage; planRemaining = limit − planUsed; remaining = planRemaining + bonusRemaining, so it includes bonuses */
export type AccessArithmetic = {
  /** The limit over all products held */
  limit: number
  /** Used in the current period */
  used: number
  /** The part of used that the limit covers */
  planUsed: number
  /** What this period has drawn from bonuses */
  bonusUsed: number
  /** The part of used that nothing covers */
  overage: number
  /** What the limit has left */
  planRemaining: number
  /** What bonuses have left; already a part of remaining */
  bonusRemaining: number
  /** All that is left to spend, bonuses included */
  remaining: number
}

/** Whether it is allowed, and the entry that decides it */
export type AccessCheck = {
  /** Whether that amount may be used now */
  allowed: boolean
  /** Why it is not allowed; absent when it is */
  reason?: "no_access" | "limit_reached"
  /** Whether there is access at all */
  hasAccess: boolean
  /** The kind of feature: access alone, or a numeric limit */
  type: "boolean" | "limit"
  /** Of all products held together, at most 10^12 */
  limit?: number
  /** Whether there is no limit */
  isUnlimited?: boolean
  /** The current period; features that track usage only */
  usage?: Usage
}

/** period: features that track usage; arithmetic: where there is access to a limit. bonuses: those that can be drawn on or were, in this period */
export type AccessExplanation = {
  /** Your own id of the customer */
  customerId: string
  /** The feature’s key */
  featureKey: string
  /** The entry as feature access has it */
  access: FeatureAccessEntry
  /** The products that give it */
  products: (AccessGrant)[]
  /** The current usage period; features that track usage only */
  period?: AccessPeriod
  /** Those that can be drawn on, or were in this period */
  bonuses: (DrawnBonus)[]
  /** What remaining is made of; where there is access to a limit only */
  arithmetic?: AccessArithmetic
}

/** limit is what this product adds, multiplied by quantity where limitsPerUnit */
export type AccessGrant = {
  /** The product’s key */
  key: string
  /** The version held */
  version: number
  /** active, or the payment provider’s own word for the subscription */
  status: string
  /** Whether customers without any other main product hold it */
  isDefault: boolean
  /** Whether it only adds to what is held and never displaces the default product */
  isAddOn: boolean
  /** What this product adds to the limit */
  limit?: number
  /** Whether there is no limit */
  isUnlimited?: boolean
  /** How many units were bought */
  quantity: number
  /** Whether its limits are multiplied by the quantity bought; provider products only */
  limitsPerUnit: boolean
}

/** The current usage period of a feature */
export type AccessPeriod = {
  /** How long a period is */
  interval: "never" | "hour" | "day" | "week" | "month" | "quarter" | "year"
  /** When the current period began, in Unix milliseconds */
  lastReset: number
  /** When the next period begins, in Unix milliseconds; absent when usage never resets */
  nextReset?: number
  /** What the period is counted from */
  anchor: {
    /** What the period is counted from */
    source: "subscription" | "usage_started_at" | "calendar" | "none"
    /** The instant it is counted from, in Unix milliseconds */
    at?: number
    /** The product whose subscription sets the billing cycle */
    productKey?: string
  }
  /** Why the period began later than counted; absent when it did not */
  cutBy?: "subscription_start" | "fall_back"
}

/** An item of a batch that was not taken */
export type BatchFailure = {
  /** Whether the event was taken */
  success: false
  /** A sentence for people: names the field, what came and what is allowed */
  error: string
  /** As in the header x-error-code */
  code: string
}

/** Extra allowance of one feature */
export type Bonus = {
  /** The id of the bonus */
  bonusId: string
  /** Your own id of the customer */
  customerId: string
  /** The feature’s key */
  featureKey: string
  /** How much was given */
  amount: number
  /** How much of it is not drawn */
  remainingAmount: number
  /** When it was given, in Unix milliseconds */
  createdAt: number
  /** When it was last changed, in Unix milliseconds */
  updatedAt: number
  /** From when on it cannot be drawn, in Unix milliseconds; never when absent */
  expiresAt?: number
  /** Why it was given, for people */
  reason?: string
  /** Yours: strings by key, at most 50 keys and 8 KiB in all */
  metadata: Record<string, string>
}

/** counterRemaining is what the feature has left, bonuses included; absent when unlimited */
export type BonusChange = {
  /** The bonus as it is now */
  bonus: Bonus
  /** What the feature has left afterwards, bonuses included; absent when unlimited */
  counterRemaining?: number
}

/** A customer with all that it holds and may use */
export type Customer = {
  /** Your own id of the customer */
  customerId: string
  /** The payment provider’s id of the customer; absent until it knows the customer */
  providerCustomerId?: string
  /** Whether the payment provider has a way to charge the customer */
  hasPaymentMethod: boolean
  /** Shown to people */
  name?: string
  /** Where the customer is reached */
  email?: string
  /** Yours: strings by key, at most 50 keys and 8 KiB in all */
  metadata: Record<string, string>
  /** When the customer was created, in Unix milliseconds */
  created: number
  /** What usage periods are counted from where no subscription sets them, in Unix milliseconds */
  usageStartedAt: number
  /** The environment of the key (spelled as it always was) */
  enviroment: "test" | "live"
  /** The products held now */
  products: (CustomerProduct)[]
  /** What the customer may use, by feature key */
  featureAccess: FeatureAccess
  /** Those that can be drawn on now */
  bonuses: (Bonus)[]
}

/** A product that a customer holds now */
export type CustomerProduct = {
  /** Our id of the product */
  id: string
  /** The product’s key */
  key: string
  /** The product’s name */
  name: string
  /** Defined here (custom) or linked to the payment provider (provider) */
  type: "provider" | "custom"
  /** Whether it is the default product */
  isDefault: boolean
  /** active, or the payment provider’s own word for the subscription */
  status: string
  /** The version held */
  version: number
  /** The product’s metadata */
  metadata: Record<string, string>
  /** When its cancellation was asked for; it runs to the end of what is paid. Null while it is not */
  canceledAt: number | null
  /** Since when it is held, in Unix milliseconds */
  startedAt: number
  /** Where the current billing period began, in Unix milliseconds */
  currentPeriodStart: number
  /** Where it ends, in Unix milliseconds */
  currentPeriodEnd: number
  /** The prices subscribed to; empty when held without a subscription */
  prices: (HeldPrice)[]
}

/** A bonus, and what the current period has drawn from it */
export type DrawnBonus = {
  /** The id of the bonus */
  bonusId: string
  /** How much was given */
  amount: number
  /** How much of it is not drawn */
  remainingAmount: number
  /** What this period has drawn from it */
  drawnInPeriod: number
  /** From when on it cannot be drawn, in Unix milliseconds; never when absent */
  expiresAt?: number
}

/** Something a customer may use */
export type Feature = {
  /** Our id of the feature */
  id: string
  /** The feature’s key */
  featureKey: string
  /** Shown to people, up to 255 characters */
  name: string
  /** For people, up to 1000 characters */
  description?: string
  /** The kind of feature: access alone, or a numeric limit */
  type: "boolean" | "limit"
  /** Whether usage is recorded and counted against the limit; limit features only */
  tracksUsage: boolean
  /** How long a usage period is; never counts for ever */
  usageResetInterval: "never" | "hour" | "day" | "week" | "month" | "quarter" | "year"
  /** What periods are counted from: the customer’s billing cycle, or the UTC calendar */
  usageResetAnchor: "billing_cycle" | "calendar"
  /** Whether it is archived: holders keep it, nobody new gets it */
  isArchived: boolean
  /** When it was archived, in Unix milliseconds; null while it is not */
  archivedAt: number | null
  /** Why it was archived, as given then */
  archivedReason: string | null
}

/** Keyed by feature key */
export type FeatureAccess = Record<string, FeatureAccessEntry>

/** What a customer has of one feature */
export type FeatureAccessEntry = {
  /** Whether there is access at all */
  hasAccess: boolean
  /** The kind of feature: access alone, or a numeric limit */
  type: "boolean" | "limit"
  /** Of all products held together, at most 10^12 */
  limit?: number
  /** Whether there is no limit */
  isUnlimited?: boolean
  /** The current period; features that track usage only */
  usage?: Usage
}

/** What a product shall give of one feature */
export type FeatureAccessItem = {
  /** The feature’s key */
  featureKey: string
  /** Whether there is access at all */
  hasAccess: boolean
  /** The limit of a limit feature */
  limit?: number
  /** Instead of a limit: there is none */
  isUnlimited?: true
}

/** A feature alone */
export type FeatureAnswer = {
  /** The feature as it is now */
  feature: Feature
}

/** A price that a customer subscribes to */
export type HeldPrice = {
  /** The payment provider’s id of the price */
  providerPriceId: string
  /** How many units were bought */
  quantity: number
  /** Three letters of ISO 4217, in lower case */
  currency?: string
  /** In the currency’s smallest unit */
  unitAmount?: number
  /** The unit of the billing interval */
  recurringInterval?: string
  /** How many of it make a billing interval */
  recurringIntervalCount?: number
  /** Whether it can be bought now */
  isActive: boolean
  /** Whether it is the product’s default price */
  isDefault: boolean
}

/** What differs for the holders of one version in one feature */
export type MigrationChange = {
  /** The version that these customers hold */
  fromVersion: number
  /** The feature’s key */
  featureKey: string
  /** How many customers hold this version */
  customers: number
  /** Whether they lose access or a part of the limit */
  loses: boolean
  /** What they have now */
  before: VersionAccess
  /** What they have afterwards */
  after: VersionAccess
}

/** A price of the payment provider */
export type Price = {
  /** Our id of the price */
  id: string
  /** The payment provider’s id of the price */
  providerPriceId: string
  /** Three letters of ISO 4217, in lower case */
  currency: string | null
  /** In the currency’s smallest unit */
  unitAmount: number | null
  /** The unit of the billing interval */
  recurringInterval: string | null
  /** How many of it make a billing interval */
  recurringIntervalCount: number | null
  /** Whether it can be bought now */
  isActive: boolean
  /** Whether it is bought when a checkout names no price */
  isDefault: boolean
}

/** One version of a product, the latest unless said otherwise */
export type Product = {
  /** Our id of the product */
  id: string
  /** The product’s key */
  key: string
  /** Shown to people */
  name: string
  /** Defined here (custom) or linked to the payment provider (provider) */
  type: "provider" | "custom"
  /** Whether customers without any other main product hold it */
  isDefault: boolean
  /** Whether it only adds to what is held and never displaces the default product */
  isAddOn: boolean
  /** Whether it is archived: holders keep it, nobody new gets it */
  isArchived: boolean
  /** When it was archived, in Unix milliseconds; null while it is not */
  archivedAt: number | null
  /** Provider products only: limits are multiplied by the quantity bought */
  limitsPerUnit?: boolean
  /** The number of the version, from 1 */
  version: number
  /** The payment provider’s id of the product */
  providerProductId: string | null
  /** Yours: strings by key, at most 50 keys and 8 KiB in all */
  metadata: Record<string, string>
  /** The prices, inactive ones too */
  prices: (Price)[]
  /** What the product gives of each feature; what is not named gives no access */
  featureAccess: (ProductFeatureAccess)[]
}

/** What a product version gives of one feature */
export type ProductFeatureAccess = {
  /** The feature’s key */
  featureKey: string
  /** The feature’s name */
  name: string
  /** The kind of feature: access alone, or a numeric limit */
  type: "boolean" | "limit"
  /** Whether there is access at all */
  hasAccess: boolean
  /** The limit, null when there is none; limit features only */
  limit?: number | null
  /** Whether there is no limit */
  isUnlimited?: boolean
}

/** A customer as the payment provider has it */
export type ProviderCustomer = {
  /** The payment provider’s id of the customer */
  providerCustomerId: string
  /** As the payment provider has it */
  name: string | null
  /** As the payment provider has it */
  email: string | null
  /** As the payment provider has it */
  metadata: Record<string, string>
  /** When it was made there, in Unix milliseconds */
  createdAt: number
}

/** A page of the payment provider */
export type StartedCheckout = {
  /** Send the customer there; the link lives as long as the provider says */
  url: string
  /** checkout sells; change confirms moving to another price */
  flow: "checkout" | "change"
}

/** The time of the test environment */
export type TestClock = {
  /** The environment’s time, in Unix milliseconds */
  now: number
  /** Whether it stands still */
  frozen: boolean
  /** While not all that the time brings (renewals, ends, their webhooks) is in force */
  pending?: true
}

/** The usage of a feature in its current period */
export type Usage = {
  /** Used in the current period */
  used: number
  /** All that the customer can still spend, bonuses included: never add bonusRemaining to it. Absent when unlimited */
  remaining?: number
  /** What bonuses have left; already a part of remaining */
  bonusRemaining: number
  /** What this period has drawn from bonuses */
  bonusUsed: number
  /** Whether nothing is left, bonuses included */
  hasReachedLimit: boolean
  /** When the next period begins, in Unix milliseconds; absent when usage never resets */
  nextReset?: number
  /** When the current period began, in Unix milliseconds */
  lastReset: number
}

/** The sum of the events of start ≤ occurredAt < end */
export type UsageBucket = {
  /** Where it begins, in Unix milliseconds */
  start: number
  /** Where it ends: the first instant after it */
  end: number
  /** The sum of the amounts */
  used: number
  /** How many events */
  events: number
}

/** One fact in the ledger */
export type UsageEvent = {
  /** The id of the event */
  id: string
  /** Your own id of the customer */
  customerId: string
  /** The feature’s key */
  featureKey: string
  /** How much was used; negative gives back */
  amount: number
  /** When it happened, in Unix milliseconds */
  occurredAt: number
  /** Recorded, or the adjustment by which usage was set */
  source: "usage" | "usage_set_adjustment"
  /** Stable unique id of the event: send the same on a retry, and it counts once */
  eventKey?: string
  /** Yours: strings by key, at most 50 keys and 8 KiB in all */
  metadata: Record<string, string>
}

/** Usage to record */
export type UsageRecord = {
  /** Your own id of the customer */
  customerId: string
  /** The feature’s key */
  featureKey: string
  /** Stable unique id of the event: send the same on a retry */
  eventKey: string
  /** How much was used: 1 when absent, negative to give back */
  amount?: number
  /** When it happened, in Unix milliseconds; now when absent */
  occurredAt?: number
  /** Yours: strings by key, at most 50 keys and 8 KiB in all */
  metadata?: Record<string, string>
  /** true records it only if it fits whole into what is left */
  enforceLimit?: boolean
}

/** used is the total of the event’s period right after this event, in the order of commits */
export type UsageResult = {
  /** Whether it counts: false for a repeated key and for what was refused */
  applied: boolean
  /** The total of the event’s period right after it, in the order of commits */
  used: number
  /** The id of the event; with a repeated key, of the one that counts. Absent when refused */
  eventId?: string
  /** Why it was not applied; absent when it was */
  reason?: "duplicate_event" | "limit_reached" | "no_access" | "below_zero"
}

/** adjustment is the amount applied to reach the requested value */
export type UsageSetResult = {
  /** Whether it counts: false for a repeated key and for what was refused */
  applied: boolean
  /** The total of the current period right after it */
  used: number
  /** The id of the event; with a repeated key, of the one that counts. Absent when refused */
  eventId?: string
  /** Why it was not applied; absent when it was */
  reason?: "duplicate_event" | "limit_reached" | "no_access" | "below_zero"
  /** The amount that was recorded to get there */
  adjustment?: number
}

/** What a version gives of a feature */
export type VersionAccess = {
  /** Whether there is access at all */
  hasAccess: boolean
  /** The numeric limit */
  limit?: number
  /** Whether there is no limit */
  isUnlimited?: boolean
}

/** Every error: a sentence for people. Programs go by the status and the header x-error-code, whose known values each answer lists; there may be more. */
export type Error = {
  /** A sentence for people: names the field, what came and what is allowed */
  error: string
}

/** By method and path: what a call is made of, and its answer. */
export type Operations = {
  /** Create a feature. A limit feature tracks usage and resets monthly unless said otherwise. type and featureKey never change. */
  'POST /v1/features': {
    body: {
      /** The feature’s key */
      featureKey: string
      /** Shown to people, up to 255 characters */
      name: string
      /** The kind of feature: access alone, or a numeric limit */
      type: "boolean" | "limit"
      /** For people, up to 1000 characters */
      description?: string
      /** Whether usage is recorded and counted against the limit; limit features only */
      tracksUsage?: boolean
      /** How long a usage period is; never counts for ever */
      usageResetInterval?: "never" | "hour" | "day" | "week" | "month" | "quarter" | "year"
      /** What periods are counted from: the customer’s billing cycle, or the UTC calendar */
      usageResetAnchor?: "billing_cycle" | "calendar"
    }
    answer: FeatureAnswer
  }
  /** List features, newest first */
  'GET /v1/features': {
    query?: {
      /** true lists archived ones too */
      includeArchived?: boolean
      /** From 1 to 100; 50 unless said otherwise */
      limit?: number
      /** The nextCursor of the page before */
      cursor?: string
    }
    answer: {
      /** This page of features, newest first */
      features: (Feature)[]
      /** Asks for the next page; null on the last */
      nextCursor: string | null
    }
  }
  /** Get a feature */
  'GET /v1/features/{featureKey}': {
    path: {
      /** The feature’s key */
      featureKey: string
    }
    answer: FeatureAnswer
  }
  /** Update a feature. null clears description. A new interval or anchor sorts the whole ledger into the new periods at once. Turning tracking off hides usage and bonuses without deleting them and keeps interval and anchor; turning it on restores them. */
  'PUT /v1/features/{featureKey}': {
    path: {
      /** The feature’s key */
      featureKey: string
    }
    body?: {
      /** Shown to people, up to 255 characters */
      name?: string
      /** For people, up to 1000 characters */
      description?: string | null
      /** Whether usage is recorded and counted against the limit; limit features only */
      tracksUsage?: boolean
      /** How long a usage period is; never counts for ever */
      usageResetInterval?: "never" | "hour" | "day" | "week" | "month" | "quarter" | "year"
      /** What periods are counted from: the customer’s billing cycle, or the UTC calendar */
      usageResetAnchor?: "billing_cycle" | "calendar"
    }
    answer: FeatureAnswer
  }
  /** Delete a feature for ever. It leaves every product configuration and takes its usage and bonuses with it. */
  'DELETE /v1/features/{featureKey}': {
    path: {
      /** The feature’s key */
      featureKey: string
    }
    answer: {
      /** Always true: what was named is gone */
      deleted: boolean
      /** The feature’s key */
      featureKey: string
    }
  }
  /** Archive or unarchive a feature. Archiving cuts nobody off: holders keep access; the feature cannot be added anew to a product. */
  'POST /v1/features/{featureKey}/archive': {
    path: {
      /** The feature’s key */
      featureKey: string
    }
    body: {
      /** true archives, false brings back */
      archived: boolean
      /** Why, for people; up to 1000 characters */
      reason?: string
    }
    answer: FeatureAnswer
  }
  /** Create a custom product. isDefault moves the default here from whichever product had it. */
  'POST /v1/custom-products': {
    body: {
      /** Shown to people, up to 255 characters */
      name: string
      /** The product’s key */
      productKey: string
      /** Yours: strings by key, at most 50 keys and 8 KiB in all */
      metadata?: Record<string, string>
      /** true makes it the default, in the place of whichever was */
      isDefault?: boolean
      /** A limit feature with access needs exactly one of limit and isUnlimited */
      featureAccess?: (FeatureAccessItem)[]
    }
    answer: Product
  }
  /** Link a product of the payment provider. Its prices come with it and are kept current. */
  'POST /v1/products': {
    body: {
      /** The product’s key */
      productKey: string
      /** The payment provider’s id of the product */
      providerProductId: string
      /** Whether it only adds to what is held and never displaces the default product */
      isAddOn?: boolean
      /** Whether its limits are multiplied by the quantity bought; provider products only */
      limitsPerUnit?: boolean
    }
    answer: Product
  }
  /** List products, newest first */
  'GET /v1/products': {
    query?: {
      /** Only products of this kind */
      type?: "provider" | "custom"
      /** true lists archived ones too */
      includeArchived?: boolean
      /** From 1 to 100; 50 unless said otherwise */
      limit?: number
      /** The nextCursor of the page before */
      cursor?: string
    }
    answer: {
      /** This page of products, newest first */
      products: (Product)[]
      /** Asks for the next page; null on the last */
      nextCursor: string | null
    }
  }
  /** Import all active products of the payment provider with their prices. The key is the provider product’s metadata product_key, else a slug of its name. A large catalogue takes longer than a request: then it goes on by itself. */
  'POST /v1/products/sync': {
    answer: {
      /** The products that were imported */
      products: (Product)[]
    } | {
      /** It goes on by itself: ask again later */
      pending: true
    }
  }
  /** Get the latest version of a product that is not archived */
  'GET /v1/products/{productKey}': {
    path: {
      /** The product’s key */
      productKey: string
    }
    answer: Product
  }
  /** Update a product. name, metadata and isDefault: custom products only; limitsPerUnit: provider products only. An add-on adds to what is held and never displaces the default product, which cannot be one. */
  'PUT /v1/products/{productKey}': {
    path: {
      /** The product’s key */
      productKey: string
    }
    body?: {
      /** Shown to people; custom products only */
      name?: string
      /** Yours: strings by key, at most 50 keys and 8 KiB in all */
      metadata?: Record<string, string>
      /** true makes it the default; custom products only */
      isDefault?: boolean
      /** Whether it only adds to what is held and never displaces the default product */
      isAddOn?: boolean
      /** Whether its limits are multiplied by the quantity bought; provider products only */
      limitsPerUnit?: boolean
    }
    answer: Product
  }
  /** Delete a custom product that nobody ever held. One that was ever assigned or the default can only be archived. The key of a deleted product is free again. */
  'DELETE /v1/products/{productKey}': {
    path: {
      /** The product’s key */
      productKey: string
    }
    answer: {
      /** Always true: what was named is gone */
      deleted: boolean
      /** The product’s key */
      productKey: string
    }
  }
  /** Replace the feature access of a product. Changes the latest version in place, for all its holders, at once. */
  'PUT /v1/products/{productKey}/feature-access': {
    path: {
      /** The product’s key */
      productKey: string
    }
    body: {
      /** A limit feature with access needs exactly one of limit and isUnlimited */
      featureAccess: (FeatureAccessItem)[]
    }
    answer: Product
  }
  /** Archive or unarchive a product. Holders keep it and its access; it cannot be newly assigned, bought or edited, and loses isDefault for good. */
  'POST /v1/products/{productKey}/archive': {
    path: {
      /** The product’s key */
      productKey: string
    }
    body: {
      /** true archives, false brings back */
      archived: boolean
    }
    answer: Product
  }
  /** Create the next version of a product as a copy of the latest. Customers stay on the version they hold; see migrate. */
  'POST /v1/products/{productKey}/versions': {
    path: {
      /** The product’s key */
      productKey: string
    }
    answer: Product
  }
  /** List the versions of a product, newest first. Those of an archived product, too. */
  'GET /v1/products/{productKey}/versions': {
    path: {
      /** The product’s key */
      productKey: string
    }
    query?: {
      /** From 1 to 100; 50 unless said otherwise */
      limit?: number
      /** The nextCursor of the page before */
      cursor?: string
    }
    answer: {
      /** This page of versions, newest first */
      versions: (Product)[]
      /** Asks for the next page; null on the last */
      nextCursor: string | null
    }
  }
  /** Move customers to the latest version of a product. changes says what differs for the holders of each version, and how many would lose what. A dry run moves nobody. */
  'POST /v1/products/{productKey}/migrate': {
    path: {
      /** The product’s key */
      productKey: string
    }
    body?: {
      /** Only holders of this version; of all older ones when absent */
      fromVersion?: number
      /** Only these customers, at most 1000; everybody when absent */
      customerIds?: (string)[]
      /** true moves nobody and answers what would change */
      dryRun?: boolean
    }
    answer: {
      /** How many customers were moved, or would be */
      migrated: number
      /** What differs, by version held and feature */
      changes: (MigrationChange)[]
    }
  }
  /** Create a customer. The customer is created at the payment provider too; if that is down, as soon as it answers again. On a taken customerId 409, unless ifExists says otherwise: return gives the customer as it is, update sets what was sent and adds the products. */
  'POST /v1/customers': {
    body: {
      /** Your own id of the customer */
      customerId: string
      /** Shown to people, up to 255 characters */
      name?: string
      /** Where the customer is reached */
      email?: string
      /** Yours: strings by key, at most 50 keys and 8 KiB in all */
      metadata?: Record<string, string>
      /** What usage periods are counted from where no subscription sets them, in Unix milliseconds */
      usageStartedAt?: number
      /** Custom products to assign */
      customProductKeys?: (string)[]
      /** What to do when the customerId is taken: return it as it is, or update it */
      ifExists?: "return" | "update"
      /** Takes over a customer that the payment provider already has, with its subscriptions */
      providerCustomerId?: string
    }
    answer: Customer
  }
  /** List customers, newest first. search finds a part of id, name or email, in any case; productKey the customers who hold that product now. */
  'GET /v1/customers': {
    query?: {
      /** A part of id, name or email, in any case */
      search?: string
      /** Only customers who hold this product now */
      productKey?: string
      /** From 1 to 100; 50 unless said otherwise */
      limit?: number
      /** The nextCursor of the page before */
      cursor?: string
    }
    answer: {
      /** This page of customers, newest first */
      customers: (Customer)[]
      /** Asks for the next page; null on the last */
      nextCursor: string | null
    }
  }
  /** Create up to 100 customers. For importing: the payment provider is told of them in the background, so that nobody waits for it. Items are independent: a failed one leaves the rest alone, and its error names the place (customers[6].email). ifExists as for one customer; with it the same batch can be sent again. Results are in the order of customers. */
  'POST /v1/customers/batch': {
    body: {
      /** From 1 to 100 customers */
      customers: ({
        /** Your own id of the customer */
        customerId: string
        /** Shown to people, up to 255 characters */
        name?: string
        /** Where the customer is reached */
        email?: string
        /** Yours: strings by key, at most 50 keys and 8 KiB in all */
        metadata?: Record<string, string>
        /** What usage periods are counted from where no subscription sets them, in Unix milliseconds */
        usageStartedAt?: number
        /** Custom products to assign */
        customProductKeys?: (string)[]
        /** What to do when the customerId is taken: return it as it is, or update it */
        ifExists?: "return" | "update"
      })[]
    }
    answer: {
      /** One per event, in their order */
      results: ({
        /** Whether the event was taken */
        success: true
        /** What became of it */
        result: {
          /** Your own id of the customer */
          customerId: string
          /** Whether it was made now */
          isNew: boolean
        }
      } | BatchFailure)[]
      /** Whether any result is a failure */
      hasErrors: boolean
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
      /** Shown to people; null clears it */
      name?: string | null
      /** Where the customer is reached; null clears it */
      email?: string | null
      /** Yours: strings by key, at most 50 keys and 8 KiB in all */
      metadata?: Record<string, string>
      /** What usage periods are counted from where no subscription sets them, in Unix milliseconds */
      usageStartedAt?: number
      /** Custom products to assign */
      addCustomProductKeys?: (string)[]
      /** Custom products to take away */
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
      /** The id of the customer that was deleted */
      id: string
    }
  }
  /** List the customers that the payment provider has, newest first. For importing: each can be taken over by creating a customer with its providerCustomerId. A page has up to 100. */
  'GET /v1/provider-customers': {
    query?: {
      /** The nextCursor of the page before */
      cursor?: string
    }
    answer: {
      /** This page of the payment provider’s customers, newest first */
      providerCustomers: (ProviderCustomer)[]
      /** Asks for the next page; null on the last */
      nextCursor: string | null
    }
  }
  /** Create a checkout session of the payment provider, or the page that confirms a change. An unknown customer is created from customerInfo. Without providerPriceId the default price is bought, else the only active one. Calls that ask for the same share one open session. Whoever subscribes to another main product gets the page that confirms the change instead (flow is change); whoever subscribes to this one, 409. */
  'POST /v1/customers/{customerId}/checkout': {
    path: {
      /** Your own id of the customer */
      customerId: string
    }
    body: {
      /** The product to sell */
      productKey: string
      /** https, or http on localhost */
      successUrl?: string
      /** https, or http on localhost */
      cancelUrl?: string
      /** Creates the customer if there is none of this id */
      customerInfo?: {
        /** Shown to people, up to 255 characters */
        name?: string
        /** Where the customer is reached */
        email?: string
        /** Yours: strings by key, at most 50 keys and 8 KiB in all */
        metadata?: Record<string, string>
      }
      /** Which price is bought; the default one, else the only active one, when absent */
      providerPriceId?: string
      /** How many are bought; 1 unless given. Not for metered prices */
      quantity?: number
      /** true sells a subscription beside those that there are */
      additional?: boolean
      /** Yours: which release of your prices the customer saw; kept with the checkout */
      pricingTableReleaseId?: string
      /** At most 47 keys beside ours, none empty: the provider would drop it */
      metadata?: Record<string, string>
      /** Parameters of the provider’s own, merged into the request */
      checkoutSessionParams?: Record<string, unknown>
    }
    answer: StartedCheckout
  }
  /** Create a customer portal session of the payment provider */
  'POST /v1/customers/{customerId}/customer_portal': {
    path: {
      /** Your own id of the customer */
      customerId: string
    }
    body?: {
      /** Opens the portal at this step */
      flow?: "payment_method_update"
      /** https, or http on localhost */
      returnUrl?: string
    }
    answer: {
      /** Send the customer there; the link lives as long as the provider says */
      url: string
    }
  }
  /** Record usage, exactly once per eventKey. Over the limit it is recorded all the same, unless enforceLimit is true: then only if it fits whole. amount is 1 when absent; a negative one gives usage back. */
  'POST /v1/usage': {
    body: UsageRecord
    answer: UsageResult
  }
  /** List a customer’s usage events, newest first. from ≤ occurredAt < to. eventKey goes with featureKey. Deleted events are absent. */
  'GET /v1/usage': {
    query: {
      /** Your own id of the customer */
      customerId: string
      /** The feature’s key */
      featureKey?: string
      /** Stable unique id of the event: send the same on a retry */
      eventKey?: string
      /** From this instant on, in Unix milliseconds */
      from?: number
      /** Before this instant, in Unix milliseconds */
      to?: number
      /** From 1 to 100; 50 unless said otherwise */
      limit?: number
      /** The nextCursor of the page before */
      cursor?: string
    }
    answer: {
      /** This page of events, newest first */
      events: (UsageEvent)[]
      /** Asks for the next page; null on the last */
      nextCursor: string | null
    }
  }
  /** Record up to 100 events. Items are independent, in order: a failed one leaves the rest alone, and its error names the place (events[6].amount). Results are in the order of events. */
  'POST /v1/usage/batch': {
    body: {
      /** 1 to 100 events */
      events: (UsageRecord)[]
    }
    answer: {
      /** One per event, in their order */
      results: ({
        /** Whether the event was taken */
        success: true
        /** What became of it */
        result: UsageResult
      } | BatchFailure)[]
      /** Whether any result is a failure */
      hasErrors: boolean
    }
  }
  /** Set the usage of the current period to an absolute value. Records the difference as an adjustment event, atomically. */
  'POST /v1/usage/set': {
    body: {
      /** Your own id of the customer */
      customerId: string
      /** The feature’s key */
      featureKey: string
      /** What the usage of the current period shall be */
      used: number
      /** Stable unique id of the event: send the same on a retry */
      eventKey: string
      /** Yours: strings by key, at most 50 keys and 8 KiB in all */
      metadata?: Record<string, string>
    }
    answer: UsageSetResult
  }
  /** Sum up a customer’s usage by hour, day, week or month. Spans of the UTC calendar, oldest first, empty ones too, at most 400; the first and the last are cut at from and to, so that all together are exactly what was used in between. Without from the last 30; without to up to the current one. */
  'GET /v1/usage/summary': {
    query: {
      /** Your own id of the customer */
      customerId: string
      /** The feature’s key */
      featureKey: string
      /** How long a bucket is */
      interval: "hour" | "day" | "week" | "month"
      /** From this instant on, in Unix milliseconds */
      from?: number
      /** Before this instant, in Unix milliseconds */
      to?: number
    }
    answer: {
      /** One after the other, oldest first, empty ones too */
      buckets: (UsageBucket)[]
    }
  }
  /** Get a usage event */
  'GET /v1/usage/{id}': {
    path: {
      /** The id of the event */
      id: string
    }
    answer: UsageEvent
  }
  /** Correct a usage event. Every period it touches follows at once. A key once taken stays taken. */
  'PUT /v1/usage/{id}': {
    path: {
      /** The id of the event */
      id: string
    }
    body?: {
      /** How much was used, instead */
      amount?: number
      /** When it happened, instead, in Unix milliseconds */
      occurredAt?: number
      /** Another key; null takes it off. A key once taken stays taken */
      eventKey?: string | null
      /** Yours: strings by key, at most 50 keys and 8 KiB in all */
      metadata?: Record<string, string> | null
    }
    answer: UsageEvent
  }
  /** Delete a usage event. Its eventKey stays taken. */
  'DELETE /v1/usage/{id}': {
    path: {
      /** The id of the event */
      id: string
    }
    answer: {
      /** Always 1 */
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
      /** The feature’s key */
      featureKey: string
      /** How much is given, above 0 */
      amount: number
      /** From when on it cannot be drawn, in Unix milliseconds; never when absent */
      expiresAt?: number
      /** Why, for people; up to 1000 characters */
      reason?: string
      /** Yours: strings by key, at most 50 keys and 8 KiB in all */
      metadata?: Record<string, string>
    }
    answer: BonusChange
  }
  /** List a customer’s bonuses, newest first, spent and expired ones too. All of them, unless limit or cursor is given. */
  'GET /v1/bonuses': {
    query: {
      /** Your own id of the customer */
      customerId: string
      /** The feature’s key */
      featureKey?: string
      /** From 1 to 100; 50 unless said otherwise */
      limit?: number
      /** The nextCursor of the page before */
      cursor?: string
    }
    answer: {
      /** The bonuses, newest first */
      bonuses: (Bonus)[]
      /** Asks for the next page; null on the last */
      nextCursor?: string | null
    }
  }
  /** Get a bonus */
  'GET /v1/bonuses/{bonusId}': {
    path: {
      /** The id of the bonus */
      bonusId: string
    }
    answer: {
      /** The bonus as it is now */
      bonus: Bonus
    }
  }
  /** Update a bonus. amount must not fall below what is drawn; an expired bonus can be revived. What the bonuses of a feature have left together stays at most 10^12, as when giving one. */
  'PUT /v1/bonuses/{bonusId}': {
    path: {
      /** The id of the bonus */
      bonusId: string
    }
    body?: {
      /** How much is given; not below what is drawn */
      amount?: number
      /** From when on it cannot be drawn, in Unix milliseconds; null for never */
      expiresAt?: number | null
      /** Why, for people; null clears it */
      reason?: string | null
      /** Yours: strings by key, at most 50 keys and 8 KiB in all */
      metadata?: Record<string, string> | null
    }
    answer: BonusChange
  }
  /** Delete a bonus of which nothing is drawn */
  'DELETE /v1/bonuses/{bonusId}': {
    path: {
      /** The id of the bonus */
      bonusId: string
    }
    answer: {
      /** Always true: what was named is gone */
      deleted: boolean
      /** The id of the bonus */
      bonusId: string
      /** What the feature has left afterwards, bonuses included; absent when unlimited */
      counterRemaining?: number
    }
  }
  /** What a customer may use, and how much is left. Every feature that is not archived, and archived ones that the customer holds; with featureKey that entry alone, whether archived or not. Always current. */
  'GET /v1/feature-access': {
    query: {
      /** Your own id of the customer */
      customerId: string
      /** The feature’s key */
      featureKey?: string
    }
    answer: FeatureAccess
  }
  /** Why a customer has what it has of a feature. The entry, the products that gave it, the period with the anchor it is counted from, the bonuses with what this period drew, and what remaining is made of. */
  'GET /v1/feature-access/explain': {
    query: {
      /** Your own id of the customer */
      customerId: string
      /** The feature’s key */
      featureKey: string
    }
    answer: AccessExplanation
  }
  /** Whether a customer may use an amount of a feature now. Says what an enforced write of that amount would meet; where that is 400, because the total would pass 10^12, so is the check. To check and record in one step, record usage with enforceLimit. */
  'GET /v1/check': {
    query: {
      /** Your own id of the customer */
      customerId: string
      /** The feature’s key */
      featureKey: string
      /** How much the customer wants to use; 1 when absent */
      amount?: number
    }
    answer: AccessCheck
  }
  /** Read the test environment’s clock */
  'GET /v1/test-clock': {
    answer: TestClock
  }
  /** Freeze or free the test environment’s clock. now: null frees it. It governs business time: periods, expiry, the times of things. Answers when all that the new time brings (renewals, ends, their webhooks) is in force, after at most 8 s with pending: true. Test keys only. */
  'PUT /v1/test-clock': {
    body: {
      /** The time to stand still at, in Unix milliseconds; null lets it run again */
      now: number | null
    }
    answer: TestClock
  }
}

export type Route = keyof Operations
