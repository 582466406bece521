// GET /v1/bonuses/{bonusId}
import { z } from 'zod'
import { getBonus } from '../../../operations/bonuses/list-bonuses.ts'
import { thingId } from '../../fields.ts'
import { bonusSchema, toApiBonus } from '../../resources/bonus.ts'
import { defineRoute } from '../../route.ts'

export const getBonusRoute = defineRoute({
  method: 'GET',
  path: '/v1/bonuses/{bonusId}',
  tag: 'Bonuses',
  summary: 'Get a bonus',
  params: z.strictObject({ bonusId: thingId }),
  responses: { 200: z.strictObject({ bonus: bonusSchema }) },
  errors: [404],
  handle: async ({ params, caller }, services) => {
    const { bonus, feature } = await getBonus(services, caller, params.bonusId)
    return { body: { bonus: toApiBonus(bonus, feature.featureKey) } }
  },
})
