// Features: what can be used.
import type { Answer, Call } from '../call.ts'
import type { Feature, Operations } from '../generated/api.ts'
import type { FeatureKey } from '../keys.ts'
import { createList, type List, pageSize } from '../list.ts'
import type { CallOptions } from '../options.ts'

export type NewFeature = Operations['POST /v1/features']['body']
export type FeatureUpdate = NonNullable<Operations['PUT /v1/features/{featureKey}']['body']>
export type FeatureArchiving = Operations['POST /v1/features/{featureKey}/archive']['body']
export type FeatureQuery = Omit<NonNullable<Operations['GET /v1/features']['query']>, 'cursor'>
export type DeletedFeature = Answer<'DELETE /v1/features/{featureKey}'>

export function createFeatures(call: Call) {
  return {
    /** Makes a feature; its key must be free. */
    async create(feature: NewFeature, options?: CallOptions): Promise<Feature> {
      return (await call('POST /v1/features', { body: feature }, options)).answer.feature
    },

    /** All features, newest first; `limit` is the size of a page. */
    list(query: FeatureQuery = {}, options?: CallOptions): List<Feature> {
      return createList(async (cursor) => {
        const page = { limit: pageSize, ...query, ...(cursor === undefined ? {} : { cursor }) }
        const { answer } = await call('GET /v1/features', { query: page }, options)
        return { items: answer.features, nextCursor: answer.nextCursor }
      })
    },

    async get(featureKey: FeatureKey, options?: CallOptions): Promise<Feature> {
      return (await call('GET /v1/features/{featureKey}', { path: { featureKey } }, options)).answer.feature
    },

    /** Changes what is given and leaves the rest alone. */
    async update(featureKey: FeatureKey, update: FeatureUpdate, options?: CallOptions): Promise<Feature> {
      const input = { path: { featureKey }, body: update }
      return (await call('PUT /v1/features/{featureKey}', input, options)).answer.feature
    },

    /** Hides a feature from who does not hold it, or shows it again; nobody loses access. */
    async archive(
      featureKey: FeatureKey,
      archiving: FeatureArchiving = { archived: true },
      options?: CallOptions,
    ): Promise<Feature> {
      const input = { path: { featureKey }, body: archiving }
      const repeated = { ...options, isRepeatable: true }
      return (await call('POST /v1/features/{featureKey}/archive', input, repeated)).answer.feature
    },

    /** Removes a feature from every product, with all its usage and bonuses. */
    async delete(featureKey: FeatureKey, options?: CallOptions): Promise<DeletedFeature> {
      return (await call('DELETE /v1/features/{featureKey}', { path: { featureKey } }, options)).answer
    },
  }
}
