// What a customer may use now, and how much of it is left.
import type { Answer, Call } from '../call.ts'
import type { AccessExplanation, FeatureAccess } from '../generated/api.ts'
import type { FeatureKey } from '../keys.ts'
import type { CallOptions } from '../options.ts'

/** One feature of a customer's map. */
export type AccessEntry = FeatureAccess[string]

/** A feature that the catalogue lost since its types were pulled is not in the map. */
export type AccessMap = { [Key in FeatureKey]?: AccessEntry }

export type CheckAnswer = Answer<'GET /v1/check'>

export function createFeatureAccess(call: Call) {
  return {
    /** The whole map, by feature key. */
    async get(customerId: string, options?: CallOptions): Promise<AccessMap> {
      return (await call('GET /v1/feature-access', { query: { customerId } }, options)).answer
    },

    /** Why the customer has what it has of a feature, with the numbers that `remaining` is made of. */
    async explain(
      customerId: string,
      featureKey: FeatureKey,
      options?: CallOptions,
    ): Promise<AccessExplanation> {
      return (await call('GET /v1/feature-access/explain', { query: { customerId, featureKey } }, options))
        .answer
    },

    /** Whether an enforced write of this amount (1 unless given) would be applied at this instant. */
    async check(
      customerId: string,
      featureKey: FeatureKey,
      { amount, ...options }: CallOptions & { amount?: number | undefined } = {},
    ): Promise<CheckAnswer> {
      const query = { customerId, featureKey, ...(amount === undefined ? {} : { amount }) }
      return (await call('GET /v1/check', { query }, options)).answer
    },
  }
}
