// Customers, with what they hold, may use and have used.
import type { Answer, Call } from '../call.ts'
import type { Customer, Operations, ProviderCustomer } from '../generated/api.ts'
import type { Keyed, ProviderProductKey } from '../keys.ts'
import { createList, type List, pageSize } from '../list.ts'
import type { CallOptions } from '../options.ts'

export type NewCustomer = Keyed<Operations['POST /v1/customers']['body']>
export type CustomerBatchItem = Keyed<Operations['POST /v1/customers/batch']['body']['customers'][number]>
export type CustomerBatchResult = Answer<'POST /v1/customers/batch'>
export type CustomerUpdate = Keyed<NonNullable<Operations['PUT /v1/customers/{customerId}']['body']>>
export type CustomerQuery = Omit<Keyed<NonNullable<Operations['GET /v1/customers']['query']>>, 'cursor'>
export type DeletedCustomer = Answer<'DELETE /v1/customers/{customerId}'>
export type Purchase = Omit<Operations['POST /v1/customers/{customerId}/checkout']['body'], 'productKey'> & {
  productKey: ProviderProductKey
}
export type Checkout = Answer<'POST /v1/customers/{customerId}/checkout'>
export type PortalVisit = NonNullable<Operations['POST /v1/customers/{customerId}/customer_portal']['body']>
export type Portal = Answer<'POST /v1/customers/{customerId}/customer_portal'>

export function createCustomers(call: Call) {
  return {
    /** Makes a customer; the id is yours and must be free. */
    async create(customer: NewCustomer, options?: CallOptions): Promise<Customer> {
      return (await call('POST /v1/customers', { body: customer }, options)).answer
    },

    /**
     * Makes up to 100 customers, without waiting for the payment provider, which is told of them in the background; each
     * succeeds or fails by itself, and the results have their order. With `ifExists` in every item it can be sent again.
     */
    async createBatch(customers: CustomerBatchItem[], options?: CallOptions): Promise<CustomerBatchResult> {
      const repeated = { ...options, isRepeatable: customers.every(({ ifExists }) => ifExists !== undefined) }
      return (await call('POST /v1/customers/batch', { body: { customers } }, repeated)).answer
    },

    /** The customers that the payment provider has, newest first, to be taken over by `providerCustomerId`. */
    listAtProvider(options?: CallOptions): List<ProviderCustomer> {
      return createList(async (cursor) => {
        const query = cursor === undefined ? {} : { cursor }
        const { answer } = await call('GET /v1/provider-customers', { query }, options)
        return { items: answer.providerCustomers, nextCursor: answer.nextCursor }
      })
    },

    /**
     * The customer with this id: made if there is none, else as it is, or with `ifExists: 'update'` after setting what was
     * sent. Safe to call at every sign-in, by many at once.
     */
    async ensure(customer: NewCustomer, options?: CallOptions): Promise<Customer> {
      const body = { ifExists: 'return' as const, ...customer }
      return (await call('POST /v1/customers', { body }, { ...options, isRepeatable: true })).answer
    },

    /** A customer, or null where there is none. */
    async get(customerId: string, options?: CallOptions): Promise<Customer | null> {
      return (await call('GET /v1/customers/{customerId}', { path: { customerId } }, options)).answer
    },

    /** All customers, newest first; `limit` is the size of a page. */
    list(query: CustomerQuery = {}, options?: CallOptions): List<Customer> {
      return createList(async (cursor) => {
        const page = { limit: pageSize, ...query, ...(cursor === undefined ? {} : { cursor }) }
        const { answer } = await call('GET /v1/customers', { query: page }, options)
        return { items: answer.customers, nextCursor: answer.nextCursor }
      })
    },

    /** Changes what is given and leaves the rest alone. */
    async update(customerId: string, update: CustomerUpdate, options?: CallOptions): Promise<Customer> {
      const input = { path: { customerId }, body: update }
      return (await call('PUT /v1/customers/{customerId}', input, options)).answer
    },

    /** Removes a customer with all usage and bonuses; the payment provider is left alone. */
    async delete(customerId: string, options?: CallOptions): Promise<DeletedCustomer> {
      return (await call('DELETE /v1/customers/{customerId}', { path: { customerId } }, options)).answer
    },

    /** The page on which the customer buys a product. */
    async checkout(customerId: string, purchase: Purchase, options?: CallOptions): Promise<Checkout> {
      const input = { path: { customerId }, body: purchase }
      const repeated = { ...options, isRepeatable: true }
      return (await call('POST /v1/customers/{customerId}/checkout', input, repeated)).answer
    },

    /** The page on which the customer manages subscriptions and payment methods. */
    async portal(customerId: string, visit: PortalVisit = {}, options?: CallOptions): Promise<Portal> {
      const input = { path: { customerId }, body: visit }
      const repeated = { ...options, isRepeatable: true }
      return (await call('POST /v1/customers/{customerId}/customer_portal', input, repeated)).answer
    },
  }
}
