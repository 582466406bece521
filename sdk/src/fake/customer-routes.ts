// The fake's customers, and what they may use.
import { decideCheck, type FeatureAccess } from '../../../server/src/domain/access/feature-access.ts'
import { amountFromNumber } from '../../../server/src/domain/amount.ts'
import {
  getAssignable,
  getCustomProducts,
  toAssignment,
} from '../../../server/src/domain/catalogue/assignable-products.ts'
import { getFeature, type Product } from '../../../server/src/domain/catalogue/catalogue.ts'
import { conflict, invalid, quote } from '../../../server/src/domain/errors.ts'
import type { Operations } from '../generated/api.ts'
import { answerBatch } from './batch.ts'
import { hold } from './hold.ts'
import { readAccess } from './ledger.ts'
import { type FakeRoutes, newestFirst, pageOf } from './routes.ts'
import { type FakeCustomer, type FakeStore, getCustomer } from './store.ts'
import { given, toApiAccess, toApiCustomer, toApiEntry } from './wire.ts'

type NewCustomer = Operations['POST /v1/customers']['body']
type CustomerUpdate = NonNullable<Operations['PUT /v1/customers/{customerId}']['body']>

export function createCustomerRoutes(store: FakeStore): FakeRoutes {
  const assign = (product: Product) => {
    store.everHeld.add(product.productId)
    return { ...toAssignment(product), startedAt: store.now() }
  }
  const update = (
    customerId: string,
    body: CustomerUpdate,
    addField = 'addCustomProductKeys',
  ): FakeCustomer => {
    const owner = getCustomer(store, customerId)
    const { addCustomProductKeys: added = [], removeCustomProductKeys: removed = [] } = body
    const both = added.find((productKey) => removed.includes(productKey))
    if (both) throw invalid(`${quote(both)} is in both addCustomProductKeys and removeCustomProductKeys.`)
    const gone = getCustomProducts(store.catalogue(), removed, 'removeCustomProductKeys').map(
      ({ productId }) => productId,
    )
    const fresh = getAssignable(store.catalogue(), added, addField, owner.assignments)
    const { customer } = owner
    const { metadata = customer.metadata, usageStartedAt = customer.usageStartedAt } = body
    const name = body.name === undefined ? customer.name : (body.name ?? undefined)
    const email = body.email === undefined ? customer.email : (body.email ?? undefined)
    owner.customer = { ...customer, name, email, metadata, usageStartedAt }
    const kept = owner.assignments.filter(({ productId }) => !gone.includes(productId))
    hold(store, owner, { ...owner, assignments: [...kept, ...fresh.map(assign)] })
    return owner
  }
  const create = (body: NewCustomer): FakeCustomer => {
    const { customerId, name, email, customProductKeys = [], ifExists } = body
    const known = store.customers.get(customerId)
    if (known && ifExists === 'return') return known
    if (known && ifExists === 'update') {
      const details = {
        ...given('name', name),
        ...given('email', email),
        ...given('metadata', body.metadata),
      }
      const moved = given('usageStartedAt', body.usageStartedAt)
      const changed = { ...details, ...moved, addCustomProductKeys: customProductKeys }
      return update(customerId, changed, 'customProductKeys')
    }
    if (known)
      throw conflict('customer_id_taken', `customerId ${quote(customerId)} is taken by another customer.`)
    const assigned = getAssignable(store.catalogue(), customProductKeys, 'customProductKeys')
    const owner: FakeCustomer = {
      customer: {
        customerUid: `customer_${store.nextNumber()}`,
        customerHash: customerId,
        environment: 'test',
        customerId,
        name,
        email,
        metadata: body.metadata ?? {},
        mainEndedAt: undefined,
        fellBackAt: undefined,
        createdAt: store.now(),
        usageStartedAt: body.usageStartedAt ?? store.now(),
        providerCustomerId: undefined,
        hasPaymentMethod: false,
        lastEventAt: undefined,
        usedFeatures: [],
      },
      revision: 0,
      assignments: assigned.map(assign),
      subscriptions: [],
      bonuses: [],
      events: [],
      aliases: new Map(),
      draws: [],
      requests: new Map(),
    }
    store.customers.set(customerId, owner)
    return owner
  }
  return {
    'POST /v1/customers': ({ body }) => toApiCustomer(store, create(body)),
    'POST /v1/customers/batch': ({ body }) =>
      answerBatch('customers', body.customers, (customer) => {
        const isNew = !store.customers.has(customer.customerId)
        create(customer)
        return { customerId: customer.customerId, isNew }
      }),
    // Nobody is known at the fake's provider before a test says so.
    'GET /v1/provider-customers': () => ({ providerCustomers: [], nextCursor: null }),
    'GET /v1/customers': ({ query }) => {
      const search = (query?.search ?? '').toLowerCase()
      const found = [...store.customers.values()].filter(
        (owner) =>
          [owner.customer.customerId, owner.customer.name, owner.customer.email].some((text) =>
            text?.toLowerCase().includes(search),
          ) &&
          (query?.productKey === undefined ||
            readAccess(store, owner).entitlements.held.some(
              ({ product }) => product.productKey === query.productKey,
            )),
      )
      const { items, nextCursor } = pageOf(
        newestFirst(found, ({ customer }) => customer.createdAt),
        query,
      )
      return { customers: items.map((owner) => toApiCustomer(store, owner)), nextCursor }
    },
    'GET /v1/customers/{customerId}': ({ path }) => {
      const owner = store.customers.get(path.customerId)
      return owner ? toApiCustomer(store, owner) : null
    },
    'PUT /v1/customers/{customerId}': ({ path, body = {} }) =>
      toApiCustomer(store, update(path.customerId, body)),
    'DELETE /v1/customers/{customerId}': ({ path: { customerId } }) => {
      getCustomer(store, customerId)
      store.customers.delete(customerId)
      return { id: customerId }
    },
    'GET /v1/feature-access': ({ query: { customerId, featureKey } }) => {
      if (featureKey !== undefined) return toApiAccess([readEntry(store, customerId, featureKey)])
      return toApiAccess(readAccess(store, getCustomer(store, customerId)).access)
    },
    'GET /v1/check': ({ query: { customerId, featureKey, amount = 1 } }) => {
      const entry = readEntry(store, customerId, featureKey)
      const reason = decideCheck(entry, amountFromNumber(amount))
      return { allowed: reason === undefined, ...given('reason', reason), ...toApiEntry(entry) }
    },
  }
}

function readEntry(store: FakeStore, customerId: string, featureKey: string): FeatureAccess {
  const owner = getCustomer(store, customerId)
  const { access, catalogue } = readAccess(store, owner, featureKey)
  const feature = getFeature(catalogue, featureKey)
  const entry = access.find((each) => each.feature === feature)
  if (!entry) throw new Error(`the feature ${featureKey} was asked for and left out`)
  return entry
}
