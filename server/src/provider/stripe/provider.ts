// The adapter: our provider interface on Stripe's official SDK. The simulator is reached through the same adapter.
import type { Environment } from '../../domain/environment.ts'
import type { Provider } from '../provider.ts'
import { readPricePage, readProduct, readProductPage } from './catalogue.ts'
import { createChangePage, createChangeSession } from './change.ts'
import { openStripe, type StripeAddress } from './client.ts'
import { readCustomerPage, readCustomerState } from './customer-state.ts'
import { type Deadline, withinDeadline } from './deadline.ts'
import { readEventPage, readWebhook } from './events.ts'
import { checkSessionParams } from './session-params.ts'
import { createCheckout, createPortal, expireCheckout, readCheckout } from './sessions.ts'
import { readSubscriptions } from './subscriptions.ts'

export type StripeProviderOptions = StripeAddress & {
  environment: Environment
  secretKey: string
  webhookSecret: string
  /** Of one request; a call of ours may need several and ends within 8 s all the same. */
  fetchTimeoutMs?: number
}

const toPages = (environment: Environment) => {
  const account = `https://dashboard.stripe.com${environment === 'test' ? '/test' : ''}`
  return { account, customer: (id: string) => `${account}/customers/${encodeURIComponent(id)}` }
}

export function createStripeProvider(options: StripeProviderOptions): Provider {
  const { environment, secretKey, webhookSecret, fetchTimeoutMs = 3_500, ...address } = options
  const stripe = openStripe(secretKey, address, fetchTimeoutMs)
  const call = <T>(work: (deadline: Deadline) => Promise<T>): Promise<T> =>
    withinDeadline(fetchTimeoutMs, work)

  return {
    environment,
    webhookSignatureHeader: 'stripe-signature',
    pages: address.host === undefined ? toPages(environment) : undefined,
    overdueStatuses: ['past_due'],
    findCustomer: ({ key, value }) =>
      call(async (deadline) => {
        const query = `metadata['${key}']:'${value}'`
        const found = await stripe.customers.search({ query, limit: 1 }, deadline.request())
        return found.data[0]?.id
      }),
    createCustomer: (fields, idempotencyKey) =>
      call(async (deadline) => {
        const customer = await stripe.customers.create(fields, deadline.request(idempotencyKey))
        return { providerCustomerId: customer.id }
      }),
    updateCustomer: (id, fields) =>
      call(async (deadline) => {
        await stripe.customers.update(id, fields, deadline.request())
      }),
    getCustomerState: (id) => call((deadline) => readCustomerState(stripe, deadline, id)),
    listCustomers: (cursor) => call((deadline) => readCustomerPage(stripe, deadline, cursor)),
    getProduct: (id) => call((deadline) => readProduct(stripe, deadline, id)),
    listPrices: (cursor) => call((deadline) => readPricePage(stripe, deadline, cursor)),
    listProducts: (cursor) => call((deadline) => readProductPage(stripe, deadline, cursor)),
    checkSessionParams,
    createCheckoutSession: (request, idempotencyKey) =>
      call((deadline) => createCheckout(stripe, deadline, request, idempotencyKey)),
    getCheckoutSession: (id) => call((deadline) => readCheckout(stripe, deadline, id)),
    expireCheckoutSession: (id) => call((deadline) => expireCheckout(stripe, deadline, id)),
    listSubscriptions: (id) => call((deadline) => readSubscriptions(stripe, deadline, id)),
    prepareChange: (price) => call((deadline) => createChangePage(stripe, deadline, price)),
    createChangeSession: (request) => call((deadline) => createChangeSession(stripe, deadline, request)),
    createPortalSession: (request) => call((deadline) => createPortal(stripe, deadline, request)),
    readWebhook: (rawBody, signatureHeader, nowMs) =>
      readWebhook({ stripe, webhookSecret, environment }, rawBody, signatureHeader, nowMs),
    listEvents: (sinceAt, cursor) => call((deadline) => readEventPage(stripe, deadline, sinceAt, cursor)),
  }
}
