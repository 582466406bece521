// The client: the verbs of the common day, and every endpoint by its noun.
import { createBuffer, type UsageBuffer } from './buffer.ts'
import type { BufferOptions } from './buffer-options.ts'
import { createCall } from './call.ts'
import type { UsageResult } from './generated/api.ts'
import { createHandler, type Handler, type HandlerOptions } from './handler.ts'
import type { FeatureKey, TrackedFeatureKey } from './keys.ts'
import { type CallOptions, readOptions, type TollkeeperOptions } from './options.ts'
import { createBonuses } from './resources/bonuses.ts'
import {
  type Checkout,
  createCustomers,
  type Portal,
  type PortalVisit,
  type Purchase,
} from './resources/customers.ts'
import { type AccessMap, type CheckAnswer, createFeatureAccess } from './resources/feature-access.ts'
import { createFeatures } from './resources/features.ts'
import { createProducts } from './resources/products.ts'
import { createTestClock } from './resources/test-clock.ts'
import { createUsage } from './resources/usage.ts'

/** The answer to "may they?", with the numbers of the feature's usage beside it where it has any. */
export type Check = CheckAnswer & {
  used?: number
  /** All that can still be used, bonuses included; absent when unlimited. */
  remaining?: number
  /** When the usage period ends, in Unix ms; absent when it never resets. */
  nextReset?: number
}

export type TrackOptions = CallOptions & {
  /** Stable unique id of what happened: the same again counts once. Made before the first try if absent. */
  eventKey?: string | undefined
  /** When it happened, in Unix ms: now unless given. */
  occurredAt?: number | undefined
  metadata?: Record<string, string> | undefined
}

export type Consumption = UsageResult & {
  /** Whether the usage is recorded: by this call, or by an earlier one with the same event key. */
  allowed: boolean
}

/**
 * A client of one environment: the key decides which.
 *
 * ```ts
 * const tk = new Tollkeeper({ apiKey, baseUrl })
 * const { allowed } = await tk.consume('acme', 'api_calls', 3)
 * ```
 */
export class Tollkeeper {
  readonly customers: ReturnType<typeof createCustomers>
  readonly products: ReturnType<typeof createProducts>
  readonly features: ReturnType<typeof createFeatures>
  readonly usage: ReturnType<typeof createUsage>
  readonly bonuses: ReturnType<typeof createBonuses>
  readonly featureAccess: ReturnType<typeof createFeatureAccess>
  readonly testClock: ReturnType<typeof createTestClock>

  constructor(options: TollkeeperOptions) {
    // The key lives in this closure only: printing or serialising a client does not show it.
    const call = createCall(readOptions(options))
    this.customers = createCustomers(call)
    this.products = createProducts(call)
    this.features = createFeatures(call)
    this.usage = createUsage(call)
    this.bonuses = createBonuses(call)
    this.featureAccess = createFeatureAccess(call)
    this.testClock = createTestClock(call)
  }

  /** Whether the customer may use this much (1 unless given) of a feature now. Reserves nothing: see `consume`. */
  async check(
    customerId: string,
    featureKey: FeatureKey,
    options: CallOptions & { amount?: number | undefined } = {},
  ): Promise<Check> {
    const answer = await this.featureAccess.check(customerId, featureKey, options)
    const { usage } = answer
    if (usage === undefined) return answer
    return {
      ...answer,
      used: usage.used,
      ...(usage.remaining === undefined ? {} : { remaining: usage.remaining }),
      ...(usage.nextReset === undefined ? {} : { nextReset: usage.nextReset }),
    }
  }

  /** Records usage that has happened, over the limit too. A negative amount gives back. */
  track(
    customerId: string,
    featureKey: TrackedFeatureKey,
    amount = 1,
    options: TrackOptions = {},
  ): Promise<UsageResult> {
    return this.#record({ customerId, featureKey, amount }, options)
  }

  /** Checks and records in one step: of any number of callers, only as many as fit get through. */
  async consume(
    customerId: string,
    featureKey: TrackedFeatureKey,
    amount = 1,
    options: TrackOptions = {},
  ): Promise<Consumption> {
    const result = await this.#record({ customerId, featureKey, amount, enforceLimit: true }, options)
    return { ...result, allowed: result.applied || result.reason === 'duplicate_event' }
  }

  /** All that the customer may use, by feature key. */
  access(customerId: string, options?: CallOptions): Promise<AccessMap> {
    return this.featureAccess.get(customerId, options)
  }

  /** The page on which the customer buys a product: send the browser to its `url`. */
  checkout(customerId: string, purchase: Purchase, options?: CallOptions): Promise<Checkout> {
    return this.customers.checkout(customerId, purchase, options)
  }

  /** The page on which the customer manages subscriptions and payment methods. */
  portal(customerId: string, visit?: PortalVisit, options?: CallOptions): Promise<Portal> {
    return this.customers.portal(customerId, visit, options)
  }

  /**
   * Gathers tracked usage into batches and sends them in the background; in an outage it keeps them and sends them later.
   * Close it before the process ends.
   */
  buffer(options?: BufferOptions): UsageBuffer {
    return createBuffer((events, call) => this.usage.recordBatch(events, call), options)
  }

  /** For your own server: lets a browser read the access of who is signed in, without the key. */
  handler(options: HandlerOptions): Handler {
    return createHandler(this, options)
  }

  #record(
    usage: { customerId: string; featureKey: TrackedFeatureKey; amount: number; enforceLimit?: boolean },
    { eventKey, occurredAt, metadata, ...options }: TrackOptions,
  ): Promise<UsageResult> {
    return this.usage.record(
      {
        ...usage,
        ...(eventKey === undefined ? {} : { eventKey }),
        ...(occurredAt === undefined ? {} : { occurredAt }),
        ...(metadata === undefined ? {} : { metadata }),
      },
      options,
    )
  }
}
