// The fake's features and products.
import {
  type Feature,
  getFeature,
  getProduct,
  latestVersion,
  type Product,
} from '../../../server/src/domain/catalogue/catalogue.ts'
import { computeNewTracking, computeTracking } from '../../../server/src/domain/catalogue/feature.ts'
import { decideEntries, decideProduct } from '../../../server/src/domain/catalogue/product.ts'
import { conflict, invalid, missing, quote } from '../../../server/src/domain/errors.ts'
import { type FakeRoutes, newestFirst, pageOf } from './routes.ts'
import { type FakeStore, replaceFeature, replaceProduct } from './store.ts'
import { toApiFeature, toApiProduct } from './wire.ts'

export function createFeatureRoutes(store: FakeStore): FakeRoutes {
  return {
    'POST /v1/features': ({ body }) => {
      const { featureKey, name, type, description } = body
      if (store.catalogue().features.has(featureKey))
        throw conflict('feature_key_taken', `featureKey ${quote(featureKey)} is taken by another feature.`)
      const number = store.nextNumber()
      const feature: Feature = {
        featureId: `feature_${number}`,
        featureNo: number,
        featureKey,
        name,
        description,
        type,
        ...computeNewTracking(type, body),
        archivedAt: null,
        archivedReason: null,
        createdAt: store.now(),
      }
      store.features = [...store.features, feature]
      return { feature: toApiFeature(feature) }
    },
    'GET /v1/features': ({ query }) => {
      const shown = store.features.filter(({ archivedAt }) => query?.includeArchived || archivedAt === null)
      const { items, nextCursor } = pageOf(
        newestFirst(shown, ({ createdAt }) => createdAt),
        query,
      )
      return { features: items.map(toApiFeature), nextCursor }
    },
    'GET /v1/features/{featureKey}': ({ path }) => ({
      feature: toApiFeature(getFeature(store.catalogue(), path.featureKey)),
    }),
    'PUT /v1/features/{featureKey}': ({ path, body = {} }) => {
      const feature = getFeature(store.catalogue(), path.featureKey)
      const { name = feature.name } = body
      const description =
        body.description === undefined ? feature.description : (body.description ?? undefined)
      const after = { ...feature, name, description, ...computeTracking(feature.type, feature, body) }
      return { feature: toApiFeature(replaceFeature(store, after)) }
    },
    'DELETE /v1/features/{featureKey}': ({ path: { featureKey } }) => {
      const { featureNo } = getFeature(store.catalogue(), featureKey)
      store.features = store.features.filter((each) => each.featureNo !== featureNo)
      for (const owner of store.customers.values()) {
        owner.events = owner.events.filter((each) => each.featureNo !== featureNo)
        owner.bonuses = owner.bonuses.filter((each) => each.featureNo !== featureNo)
        owner.draws = owner.draws.filter((each) => each.featureNo !== featureNo)
      }
      return { deleted: true, featureKey }
    },
    'POST /v1/features/{featureKey}/archive': ({ path, body: { archived, reason } }) => {
      const feature = getFeature(store.catalogue(), path.featureKey)
      const after = {
        ...feature,
        archivedAt: archived ? (feature.archivedAt ?? store.now()) : null,
        archivedReason: archived ? (reason ?? feature.archivedReason) : null,
      }
      return { feature: toApiFeature(replaceFeature(store, after)) }
    },
  }
}

export function createProductRoutes(store: FakeStore): FakeRoutes {
  const getEditable = (productKey: string): Product => {
    const product = store.catalogue().products.get(productKey)
    if (!product) throw missing('product', productKey)
    if (product.archivedAt !== null)
      throw invalid(
        `The product ${quote(productKey)} is archived; unarchive it to edit it.`,
        'product_archived',
      )
    return product
  }
  const add = (product: Omit<Product, 'productId' | 'productNo' | 'createdAt' | 'archivedAt' | 'prices'>) => {
    if (store.catalogue().products.has(product.productKey))
      throw conflict(
        'product_key_taken',
        `productKey ${quote(product.productKey)} is taken by another product.`,
      )
    const productNo = store.nextNumber()
    const productId = `product_${productNo}`
    if (product.isDefault) store.everHeld.add(productId)
    const made = {
      productId,
      productNo,
      createdAt: store.now(),
      archivedAt: null,
      prices: [],
    }
    store.products = [...store.products, { ...product, ...made }]
    return toApiProduct(store, replaceProduct(store, { ...product, ...made }))
  }
  return {
    'POST /v1/custom-products': ({ body }) => {
      const entries = decideEntries(store.catalogue(), body.featureAccess ?? [])
      const { productKey, name, metadata = {}, isDefault = false } = body
      const versions = [{ version: 1, createdAt: store.now(), entries }]
      const common = { productKey, name, metadata, isDefault, isAddOn: false, limitsPerUnit: false }
      return add({ ...common, type: 'custom', providerProductId: null, versions })
    },
    // There is no provider to ask: the product is what its key says.
    'POST /v1/products': ({ body }) => {
      const { productKey, providerProductId, isAddOn = false, limitsPerUnit = false } = body
      const versions = [{ version: 1, createdAt: store.now(), entries: [] }]
      const common = {
        productKey,
        name: productKey,
        metadata: {},
        isDefault: false,
        isAddOn,
        limitsPerUnit,
      }
      return add({ ...common, type: 'provider', providerProductId, versions })
    },
    'POST /v1/products/sync': () => ({
      products: store.products
        .filter(({ type }) => type === 'provider')
        .map((each) => toApiProduct(store, each)),
    }),
    'GET /v1/products': ({ query }) => {
      const shown = store.products.filter(
        (each) =>
          (query?.includeArchived || each.archivedAt === null) &&
          (query?.type === undefined || each.type === query.type),
      )
      const { items, nextCursor } = pageOf(
        newestFirst(shown, ({ createdAt }) => createdAt),
        query,
      )
      return { products: items.map((each) => toApiProduct(store, each)), nextCursor }
    },
    'GET /v1/products/{productKey}': ({ path }) =>
      toApiProduct(store, getProduct(store.catalogue(), path.productKey)),
    'PUT /v1/products/{productKey}': ({ path, body = {} }) => {
      const after = decideProduct(getEditable(path.productKey), body)
      if (after.isDefault) store.everHeld.add(after.productId)
      return toApiProduct(store, replaceProduct(store, after))
    },
    'DELETE /v1/products/{productKey}': ({ path: { productKey } }) => {
      const product = store.catalogue().products.get(productKey)
      if (!product) throw missing('product', productKey)
      const why = product.type === 'custom' ? 'was assigned or the default once' : 'is the payment provider’s'
      if (product.type !== 'custom' || store.everHeld.has(product.productId))
        throw conflict(
          'product_not_deletable',
          `The product ${quote(productKey)} ${why}; archive it instead.`,
        )
      store.products = store.products.filter((each) => each !== product)
      return { deleted: true, productKey }
    },
    'PUT /v1/products/{productKey}/feature-access': ({ path, body }) => {
      const product = getEditable(path.productKey)
      const current = latestVersion(product)
      const entries = decideEntries(store.catalogue(), body.featureAccess, current)
      const versions = [...product.versions.slice(0, -1), { ...current, entries }]
      return toApiProduct(store, replaceProduct(store, { ...product, versions }))
    },
    'POST /v1/products/{productKey}/archive': ({ path, body: { archived } }) => {
      const product = store.catalogue().products.get(path.productKey)
      if (!product) throw missing('product', path.productKey)
      const archivedAt = archived ? (product.archivedAt ?? store.now()) : null
      const after = { ...product, archivedAt, isDefault: product.isDefault && !archived }
      return toApiProduct(store, replaceProduct(store, after))
    },
    'POST /v1/products/{productKey}/versions': ({ path }) => {
      const product = getEditable(path.productKey)
      const { version, entries } = latestVersion(product)
      const versions = [...product.versions, { version: version + 1, createdAt: store.now(), entries }]
      return toApiProduct(store, replaceProduct(store, { ...product, versions }))
    },
    'GET /v1/products/{productKey}/versions': ({ path, query }) => {
      const product = store.catalogue().products.get(path.productKey)
      if (!product) throw missing('product', path.productKey)
      const { items, nextCursor } = pageOf(product.versions.toReversed(), query)
      return { versions: items.map((version) => toApiProduct(store, product, version)), nextCursor }
    },
  }
}
