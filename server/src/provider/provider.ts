// What the service asks of a payment provider, in its own words: times are Unix ms, `null` is what the provider leaves empty.
// Every call ends within 8 s, retries included, and fails with a ProviderError and nothing else.
import type { SubscriptionPhase } from '../domain/billing/subscription-phase.ts'
import type { Environment } from '../domain/environment.ts'

/** `unauthorized` is our key refused: for the operator to mend, not for the caller. */
export type ProviderErrorKind = 'unavailable' | 'rejected' | 'not_found' | 'unauthorized'

/** `message` may be shown to the caller: it names no key, secret or address. */
export class ProviderError extends Error {
  readonly kind: ProviderErrorKind
  /** The provider answers the same to this idempotency key for as long as it keeps it: the next try needs another. */
  readonly endsKey: boolean
  /** It is an earlier call's answer, given again: with another key the call may well succeed. */
  readonly isReplayed: boolean

  constructor(kind: ProviderErrorKind, message: string, options: ProviderErrorOptions = {}) {
    super(message, options)
    this.name = 'ProviderError'
    this.kind = kind
    this.endsKey = options.endsKey ?? false
    this.isReplayed = options.isReplayed ?? false
  }
}

type ProviderErrorOptions = ErrorOptions & { endsKey?: boolean; isReplayed?: boolean }

/** A webhook that is forged, too old, too far ahead, of the other environment, or no event at all. */
export class InvalidWebhookError extends Error {
  override readonly name = 'InvalidWebhookError'
}

/** What connects an environment to an account at a provider. */
export type ProviderKeys = { secretKey: string; webhookSecret: string | undefined }

export type ProviderCustomerFields = { name?: string; email?: string; metadata?: Record<string, string> }

export type ProviderPrice = {
  providerPriceId: string
  providerProductId: string
  currency: string | null
  unitAmount: number | null
  recurringInterval: string | null
  recurringIntervalCount: number | null
  isActive: boolean
}

export type ProviderSubscriptionItem = ProviderPrice & {
  itemId: string
  quantity: number
  currentPeriodStart: number
  currentPeriodEnd: number
}

export type ProviderSubscription = {
  providerSubscriptionId: string
  providerCustomerId: string
  /** In the provider's own word: shown, never decided by. */
  status: string
  phase: SubscriptionPhase
  createdAt: number
  startedAt: number
  /** In the future during a trial. */
  billingCycleAnchor: number
  /** True whichever way the end was arranged: the flag, or a date no later than the period's end. */
  cancelAtPeriodEnd: boolean
  cancelAt: number | null
  /** When the cancellation was asked for; set while the subscription still runs to its period's end. */
  canceledAt: number | null
  endedAt: number | null
  trialEnd: number | null
  /** Set while invoices are not collected; the status does not change. */
  pause: { resumesAt: number | null } | null
  metadata: Record<string, string>
  items: ProviderSubscriptionItem[]
}

export type ProviderCustomerState = {
  providerCustomerId: string
  /** `unknown` may be another account's: it says nothing of the customer. Unless it is `known` the rest is empty. */
  presence: 'known' | 'deleted' | 'unknown'
  name: string | null
  email: string | null
  /** A saved payment method, a default one, or a legacy source. */
  hasPaymentMethod: boolean
  /** All of them, ended ones too, newest first. */
  subscriptions: ProviderSubscription[]
}

export type ProviderProduct = {
  providerProductId: string
  name: string
  isActive: boolean
  metadata: Record<string, string>
  defaultProviderPriceId: string | null
  /** All of them, inactive ones too. */
  prices: ProviderPrice[]
}

export type CheckoutRequest = {
  providerCustomerId: string
  providerPriceId: string
  /** `{CHECKOUT_SESSION_ID}` in it is replaced by the session's id. */
  successUrl: string
  cancelUrl?: string
  metadata: Record<string, string>
  /** The caller's own parameters in the provider's language; what this type names wins over them. */
  params?: Record<string, unknown>
}

export type ProviderCheckoutSession = {
  checkoutSessionId: string
  status: 'open' | 'complete' | 'expired'
  /** Only an open session has one. */
  url: string | null
  expiresAt: number
  providerCustomerId: string | null
  providerSubscriptionId: string | null
  metadata: Record<string, string>
}

export type PortalRequest = {
  providerCustomerId: string
  returnUrl?: string
  flow?: 'payment_method_update'
}

/** What a provider event is about, so that its current state can be fetched. */
export type ProviderEventSubject = { kind: 'customer' | 'product'; id: string }

export type ProviderEvent = {
  eventId: string
  type: string
  createdAt: number
  livemode: boolean
  subject: ProviderEventSubject
}

export type ProviderPage<T> = { items: T[]; nextCursor: string | null }

export type Provider = {
  environment: Environment
  /** The header of a webhook that carries its signature, in lower case. */
  webhookSignatureHeader: string

  /** The one whose metadata has this, if the provider can be searched and has it; what was made a minute ago may be missing. */
  findCustomer(metadata: { key: string; value: string }): Promise<string | undefined>
  createCustomer(
    fields: ProviderCustomerFields,
    idempotencyKey: string,
  ): Promise<{ providerCustomerId: string }>
  /** Fields left out stay; metadata is merged into what is there. */
  updateCustomer(providerCustomerId: string, fields: ProviderCustomerFields): Promise<void>
  getCustomerState(providerCustomerId: string): Promise<ProviderCustomerState>

  getProduct(providerProductId: string): Promise<ProviderProduct>
  /** Active products only, a page a call. */
  listProducts(cursor?: string): Promise<ProviderPage<ProviderProduct>>

  /** Refuses, as a request that is invalid, parameters of its own that a caller may not set; no call is made. */
  checkSessionParams(params: Record<string, unknown>): void
  createCheckoutSession(request: CheckoutRequest, idempotencyKey: string): Promise<ProviderCheckoutSession>
  getCheckoutSession(checkoutSessionId: string): Promise<ProviderCheckoutSession>
  /** Expiring one that is no longer open is no error: the answer says what it is. */
  expireCheckoutSession(checkoutSessionId: string): Promise<ProviderCheckoutSession>
  createPortalSession(request: PortalRequest): Promise<{ url: string }>

  /** Undefined for an event of no concern to us. Throws InvalidWebhookError. `nowMs` is real time, not the test clock's. */
  readWebhook(
    rawBody: Buffer | string,
    signatureHeader: string | undefined,
    nowMs: number,
  ): ProviderEvent | undefined

  /** For reconciliation: events that concern us since an instant of real time, newest first; providers keep them about 30 days. */
  listEvents(sinceAt: number, cursor?: string): Promise<ProviderPage<ProviderEvent>>
}

/** Walks a paged listing to its end; each page has the time limit of a call of its own. */
export async function* eachItem<T>(list: (cursor?: string) => Promise<ProviderPage<T>>): AsyncGenerator<T> {
  let cursor: string | undefined
  do {
    const page: ProviderPage<T> = await list(cursor)
    yield* page.items
    cursor = page.nextCursor ?? undefined
  } while (cursor !== undefined)
}
