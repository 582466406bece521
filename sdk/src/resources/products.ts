// Products: what customers hold, with the access each version gives.
import type { Answer, Call } from '../call.ts'
import type { Operations, Product } from '../generated/api.ts'
import type { Keyed, ProductKey } from '../keys.ts'
import { createList, type List, pageSize } from '../list.ts'
import type { CallOptions } from '../options.ts'

export type ProductAccessEntry = Keyed<
  Operations['PUT /v1/products/{productKey}/feature-access']['body']['featureAccess'][number]
>
export type NewCustomProduct = Omit<Operations['POST /v1/custom-products']['body'], 'featureAccess'> & {
  featureAccess?: ProductAccessEntry[]
}
export type ProductLink = Operations['POST /v1/products']['body']
export type ProductUpdate = NonNullable<Operations['PUT /v1/products/{productKey}']['body']>
export type ProductQuery = Omit<NonNullable<Operations['GET /v1/products']['query']>, 'cursor'>
export type Migration = NonNullable<Operations['POST /v1/products/{productKey}/migrate']['body']>
export type MigrationResult = Answer<'POST /v1/products/{productKey}/migrate'>
export type DeletedProduct = Answer<'DELETE /v1/products/{productKey}'>
export type ProductSync = Answer<'POST /v1/products/sync'>

export function createProducts(call: Call) {
  return {
    /** Makes a product that is assigned to customers instead of bought. */
    async createCustom(product: NewCustomProduct, options?: CallOptions): Promise<Product> {
      return (await call('POST /v1/custom-products', { body: product }, options)).answer
    },

    /** Takes over a product of the payment provider under a key of your choice. */
    async link(link: ProductLink, options?: CallOptions): Promise<Product> {
      return (await call('POST /v1/products', { body: link }, options)).answer
    },

    /** Imports all active products of the payment provider with their prices. */
    async sync(options?: CallOptions): Promise<ProductSync> {
      return (await call('POST /v1/products/sync', {}, { ...options, isRepeatable: true })).answer
    },

    /** All products, newest first; `limit` is the size of a page. */
    list(query: ProductQuery = {}, options?: CallOptions): List<Product> {
      return createList(async (cursor) => {
        const page = { limit: pageSize, ...query, ...(cursor === undefined ? {} : { cursor }) }
        const { answer } = await call('GET /v1/products', { query: page }, options)
        return { items: answer.products, nextCursor: answer.nextCursor }
      })
    },

    /** A product at its latest version. */
    async get(productKey: ProductKey, options?: CallOptions): Promise<Product> {
      return (await call('GET /v1/products/{productKey}', { path: { productKey } }, options)).answer
    },

    /** Changes what is given and leaves the rest alone. */
    async update(productKey: ProductKey, update: ProductUpdate, options?: CallOptions): Promise<Product> {
      return (await call('PUT /v1/products/{productKey}', { path: { productKey }, body: update }, options))
        .answer
    },

    /** Replaces the latest version's feature access in place, at once for all who hold that version. */
    async setFeatureAccess(
      productKey: ProductKey,
      featureAccess: ProductAccessEntry[],
      options?: CallOptions,
    ): Promise<Product> {
      const input = { path: { productKey }, body: { featureAccess } }
      return (await call('PUT /v1/products/{productKey}/feature-access', input, options)).answer
    },

    /** Ends or resumes giving it to anyone new; holders keep it. */
    async archive(productKey: ProductKey, archived = true, options?: CallOptions): Promise<Product> {
      const input = { path: { productKey }, body: { archived } }
      const repeated = { ...options, isRepeatable: true }
      return (await call('POST /v1/products/{productKey}/archive', input, repeated)).answer
    },

    /** Removes a custom product that nobody ever held; its key is free again. */
    async delete(productKey: ProductKey, options?: CallOptions): Promise<DeletedProduct> {
      return (await call('DELETE /v1/products/{productKey}', { path: { productKey } }, options)).answer
    },

    /** Begins a new version as a copy of the latest; holders stay on theirs. */
    async createVersion(productKey: ProductKey, options?: CallOptions): Promise<Product> {
      return (await call('POST /v1/products/{productKey}/versions', { path: { productKey } }, options)).answer
    },

    /** All versions of a product. */
    listVersions(
      productKey: ProductKey,
      query: { limit?: number } = {},
      options?: CallOptions,
    ): List<Product> {
      return createList(async (cursor) => {
        const page = { limit: pageSize, ...query, ...(cursor === undefined ? {} : { cursor }) }
        const input = { path: { productKey }, query: page }
        const { answer } = await call('GET /v1/products/{productKey}/versions', input, options)
        return { items: answer.versions, nextCursor: answer.nextCursor }
      })
    },

    /** Moves holders to the latest version; with `dryRun` it only says who would lose what. */
    async migrate(
      productKey: ProductKey,
      migration: Migration = {},
      options?: CallOptions,
    ): Promise<MigrationResult> {
      const input = { path: { productKey }, body: migration }
      const repeated = { ...options, isRepeatable: migration.dryRun === true }
      return (await call('POST /v1/products/{productKey}/migrate', input, repeated)).answer
    },
  }
}
