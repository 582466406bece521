// Bonuses: extra allowance, drawn on when the plan's is used up.
import type { Answer, Call } from '../call.ts'
import type { Bonus, BonusChange, Operations } from '../generated/api.ts'
import type { FeatureKey, Keyed, TrackedFeatureKey } from '../keys.ts'
import { createList, type List, pageSize } from '../list.ts'
import type { CallOptions } from '../options.ts'
import { makeKey } from './usage.ts'

export type NewBonus = Keyed<Operations['POST /v1/bonuses']['body'], TrackedFeatureKey>
export type BonusUpdate = NonNullable<Operations['PUT /v1/bonuses/{bonusId}']['body']>
export type BonusQuery = Omit<Keyed<Operations['GET /v1/bonuses']['query'], FeatureKey>, 'cursor'>
export type DeletedBonus = Answer<'DELETE /v1/bonuses/{bonusId}'>

export function createBonuses(call: Call) {
  return {
    /** Gives a bonus once per `idempotencyKey`; one is made before the first try if absent. */
    async create(
      bonus: NewBonus,
      options: CallOptions & { idempotencyKey?: string | undefined } = {},
    ): Promise<BonusChange> {
      const { idempotencyKey = makeKey(), ...rest } = options
      const input = { body: bonus, header: { 'Idempotency-Key': idempotencyKey } }
      return (await call('POST /v1/bonuses', input, { ...rest, isRepeatable: true })).answer
    },

    /** A customer's bonuses, spent and expired ones too; `limit` is the size of a page. */
    list(query: BonusQuery, options?: CallOptions): List<Bonus> {
      return createList(async (cursor) => {
        const page = { limit: pageSize, ...query, ...(cursor === undefined ? {} : { cursor }) }
        const { answer } = await call('GET /v1/bonuses', { query: page }, options)
        return { items: answer.bonuses, nextCursor: answer.nextCursor ?? null }
      })
    },

    async get(bonusId: string, options?: CallOptions): Promise<Bonus> {
      return (await call('GET /v1/bonuses/{bonusId}', { path: { bonusId } }, options)).answer.bonus
    },

    /** Changes what is given and leaves the rest alone. */
    async update(bonusId: string, update: BonusUpdate, options?: CallOptions): Promise<BonusChange> {
      return (await call('PUT /v1/bonuses/{bonusId}', { path: { bonusId }, body: update }, options)).answer
    },

    /** Takes back a bonus of which nothing is drawn. */
    async delete(bonusId: string, options?: CallOptions): Promise<DeletedBonus> {
      return (await call('DELETE /v1/bonuses/{bonusId}', { path: { bonusId } }, options)).answer
    },
  }
}
