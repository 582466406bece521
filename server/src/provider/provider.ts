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
  /** Paid by what is used: it has no quantity. */
  isMetered: boolean
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
  /** In the provider's own word: shown, never decided by. */
  status: string
  phase: SubscriptionPhase
  /** Bought but not yet paid for, and not held before it is. */
  isAwaitingFirstPayment: boolean
  startedAt: number
  /** In the future during a trial. */
  billingCycleAnchor: number
  /** Its end is arranged, at the period's or at a date; it runs until then. */
  isSetToCancel: boolean
  /** When the cancellation was asked for; set while the subscription still runs to its period's end. */
  canceledAt: number | null
  endedAt: number | null
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

/** As a list has it. */
export type ListedProviderCustomer = {
  providerCustomerId: string
  name: string | null
  email: string | null
  metadata: Record<string, string>
  createdAt: number
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

/** As a list has it: prices are a list of their own. */
export type ListedProduct = Omit<ProviderProduct, 'prices'>

export type CheckoutRequest = {
  providerCustomerId: string
  providerPriceId: string
  /** None for a metered price. */
  quantity?: number
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
}

/** From the present price of a subscription to another, once the customer has confirmed it on the provider's page. */
export type ChangeRequest = {
  providerCustomerId: string
  providerSubscriptionId: string
  itemId: string
  providerPriceId: string
  quantity: number
  /** Of `prepareChange` for this price. */
  changePageId: string
  /** Where the customer goes after confirming, and instead of it. */
  successUrl: string
  cancelUrl?: string
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
  subject: ProviderEventSubject
}

export type ProviderPage<T> = { items: T[]; nextCursor: string | null }

export type Provider = {
  environment: Environment
  /** The header of a webhook that carries its signature, in lower case. */
  webhookSignatureHeader: string
  /** Where the account's owner looks after it, and after one of its customers; a simulated account has no such pages. */
  pages: { account: string; customer(providerCustomerId: string): string } | undefined
  /** The statuses of subscriptions that give access though a payment failed. */
  overdueStatuses: readonly string[]

  /** The one whose metadata has this, if the provider can be searched and has it; what was made a minute ago may be missing. */
  findCustomer(metadata: { key: string; value: string }): Promise<string | undefined>
  createCustomer(
    fields: ProviderCustomerFields,
    idempotencyKey: string,
  ): Promise<{ providerCustomerId: string }>
  /** Fields left out stay; metadata is merged into what is there. */
  updateCustomer(providerCustomerId: string, fields: ProviderCustomerFields): Promise<void>
  getCustomerState(providerCustomerId: string): Promise<ProviderCustomerState>
  /** All that are not deleted there, newest first, a page a call. */
  listCustomers(cursor?: string): Promise<ProviderPage<ListedProviderCustomer>>

  getProduct(providerProductId: string): Promise<ProviderProduct>
  /** Active products only, a page a call. */
  listProducts(cursor?: string): Promise<ProviderPage<ListedProduct>>
  /** Of all products, inactive ones too, a page a call. */
  listPrices(cursor?: string): Promise<ProviderPage<ProviderPrice>>

  /** Refuses, as a request that is invalid, parameters of its own that a caller may not set; no call is made. */
  checkSessionParams(params: Record<string, unknown>): void
  createCheckoutSession(request: CheckoutRequest, idempotencyKey: string): Promise<ProviderCheckoutSession>
  getCheckoutSession(checkoutSessionId: string): Promise<ProviderCheckoutSession>
  /** Expiring one that is no longer open is no error: the answer says what it is. */
  expireCheckoutSession(checkoutSessionId: string): Promise<ProviderCheckoutSession>
  /** The customer's, ended ones too, newest first. */
  listSubscriptions(providerCustomerId: string): Promise<ProviderSubscription[]>
  /** Makes the page that confirms changes to a price: what is due is invoiced at once, trials go on. Good for all customers. */
  prepareChange(price: {
    providerProductId: string
    providerPriceId: string
  }): Promise<{ changePageId: string }>
  createChangeSession(request: ChangeRequest): Promise<{ url: string }>
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

export type NewProviderProduct = {
  name: string
  metadata?: Record<string, string>
  /** The first becomes the default one. Amounts in the currency's smallest unit. */
  prices: {
    unitAmount: number
    currency: string
    interval: 'day' | 'week' | 'month' | 'year'
    intervalCount?: number
    trialDays?: number
  }[]
}

/** A customer with a card that pays, and what it has subscribed to. */
export type NewSubscriber = {
  name: string
  email: string
  metadata: Record<string, string>
  items: { providerPriceId: string; quantity: number }[]
  /** In the past, or now. */
  startedAt: number
  trialEndsAt?: number
  isSetToCancel?: boolean
}

/**
 * What an account's owner does at the provider by hand; there is one where the provider is simulated. Whatever is repeated under
 * the same key within a day happens once.
 */
export type AccountOwner = {
  createProduct(
    product: NewProviderProduct,
    idempotencyKey: string,
  ): Promise<{ providerProductId: string; providerPriceIds: string[] }>
  /** A product that has prices cannot be deleted there. */
  archiveProduct(providerProductId: string): Promise<void>
  createSubscriber(
    subscriber: NewSubscriber,
    idempotencyKey: string,
  ): Promise<{ providerCustomerId: string; providerSubscriptionId: string }>
  /** Ends its subscriptions; no error when it is gone. */
  deleteCustomer(providerCustomerId: string): Promise<void>
  /**
   * Lets happen now what the next renewal would bring: the end, where that is asked for; else a trial ends and a period begins
   * that is charged for. Null: it has ended.
   */
  advanceSubscription(
    providerSubscriptionId: string,
    idempotencyKey: string,
  ): Promise<{ currentPeriodEnd: number | null }>
  cancelSubscription(providerSubscriptionId: string, idempotencyKey: string): Promise<void>
  /** Gives the customer a card that is declined from now on, until another is saved. */
  failPayments(providerCustomerId: string, idempotencyKey: string): Promise<void>
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
