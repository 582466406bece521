// The fake's customers, and what they may use.
import { noAllowance } from '../../../server/src/domain/access/allowance.ts'
import { type FeatureAccess, findMisfit } from '../../../server/src/domain/access/feature-access.ts'
import { amountFromNumber } from '../../../server/src/domain/amount.ts'
import { getFeature, latestVersion, type Product } from '../../../server/src/domain/catalogue/catalogue.ts'
import { conflict, invalid, quote } from '../../../server/src/domain/errors.ts'
import { readAccess } from './ledger.ts'
import { type FakeRoutes, newestFirst, pageOf } from './routes.ts'
import { type FakeCustomer, type FakeStore, getCustomer } from './store.ts'
import { given, toApiAccess, toApiCustomer, toApiEntry } from './wire.ts'

export function createCustomerRoutes(store: FakeStore): FakeRoutes {
  const getAssignable = (productKey: string, field: string): Product => {
    const product = store.catalogue().products.get(productKey)
    if (!product) throw invalid(`${field}: there is no product ${quote(productKey)}.`)
    if (product.type !== 'custom')
      throw invalid(
        `${field}: ${quote(productKey)} is a provider product; only custom products are assigned.`,
      )
    if (product.archivedAt !== null)
      throw invalid(`${field}: the product ${quote(productKey)} is archived and cannot be assigned.`)
    return product
  }
  const toAssignment = (product: Product) => ({
    productId: product.productId,
    version: latestVersion(product).version,
    startedAt: store.now(),
  })
  return {
    'POST /v1/customers': ({ body }) => {
      const { customerId, name, email, customProductKeys = [] } = body
      if (store.customers.has(customerId))
        throw conflict('customer_id_taken', `customerId ${quote(customerId)} is taken by another customer.`)
      const assigned = customProductKeys.map((productKey) => getAssignable(productKey, 'customProductKeys'))
      const owner: FakeCustomer = {
        customer: {
          customerUid: `customer_${store.nextNumber()}`,
          customerHash: customerId,
          environment: 'test',
          customerId,
          name,
          email,
          createdAt: store.now(),
          usageStartedAt: body.usageStartedAt ?? store.now(),
          providerCustomerId: undefined,
          hasPaymentMethod: false,
          lastEventAt: undefined,
          usedFeatures: [],
        },
        revision: 0,
        assignments: assigned.map(toAssignment),
        subscriptions: [],
        bonuses: [],
        events: [],
        aliases: new Map(),
        draws: [],
        requests: new Map(),
      }
      store.customers.set(customerId, owner)
      return toApiCustomer(store, owner)
    },
    'GET /v1/customers': ({ query }) => {
      const search = (query?.search ?? '').toLowerCase()
      const found = [...store.customers.values()].filter(({ customer: { customerId, name, email } }) =>
        [customerId, name, email].some((text) => text?.toLowerCase().includes(search)),
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
    'PUT /v1/customers/{customerId}': ({ path, body = {} }) => {
      const owner = getCustomer(store, path.customerId)
      const { addCustomProductKeys: added = [], removeCustomProductKeys: removed = [], ...details } = body
      const both = added.find((productKey) => removed.includes(productKey))
      if (both) throw invalid(`${quote(both)} is in both addCustomProductKeys and removeCustomProductKeys.`)
      const gone = removed.map((productKey) => getAssignable(productKey, 'removeCustomProductKeys').productId)
      const fresh = added
        .map((productKey) => getAssignable(productKey, 'addCustomProductKeys'))
        .filter(({ productId }) => !owner.assignments.some((each) => each.productId === productId))
      owner.customer = { ...owner.customer, ...details }
      owner.assignments = [
        ...owner.assignments.filter(({ productId }) => !gone.includes(productId)),
        ...fresh.map(toAssignment),
      ]
      return toApiCustomer(store, owner)
    },
    'DELETE /v1/customers/{customerId}': ({ path: { customerId } }) => {
      getCustomer(store, customerId)
      store.customers.delete(customerId)
      return { id: customerId }
    },
    'GET /v1/feature-access': ({ query }) =>
      toApiAccess(readAccess(store, getCustomer(store, query.customerId)).access),
    'GET /v1/check': ({ query: { customerId, featureKey, amount = 1 } }) => {
      const { access, catalogue } = readAccess(store, getCustomer(store, customerId))
      const feature = getFeature(catalogue, featureKey)
      const entry = access.find((each) => each.feature === feature) ?? {
        feature,
        allowance: noAllowance,
        usage: undefined,
      }
      const reason = findMisfit(entry.allowance, findLeft(entry), amountFromNumber(amount))
      return { allowed: reason === undefined, ...given('reason', reason), ...toApiEntry(entry) }
    },
  }
}

function findLeft({ feature, allowance, usage }: FeatureAccess): bigint | undefined {
  if (feature.type === 'boolean' || allowance.isUnlimited) return undefined
  return usage ? usage.remaining : allowance.limit
}
