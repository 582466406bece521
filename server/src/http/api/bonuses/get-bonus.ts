// GET /v1/bonuses/{bonusId}
import { z } from 'zod'
import { getBonus } from '../../../operations/bonuses/get-bonus.ts'
import { thingId } from '../../fields.ts'
import { bonusSchema, toApiBonus } from '../../resources/bonus.ts'
import { defineRoute } from '../../route.ts'

export const getBonusRoute = defineRoute({
  operationId: 'getBonus',
  method: 'GET',
  path: '/v1/bonuses/{bonusId}',
  access: 'read',
  tag: 'Bonuses',
  summary: 'Get a bonus',
  params: z.strictObject({ bonusId: thingId }),
  responses: { 200: z.strictObject({ bonus: bonusSchema }) },
  errors: [404],
  handle: async ({ params, context }, services) => {
    const { bonus, customerId, feature } = await getBonus(services, context, params.bonusId)
    return { body: { bonus: toApiBonus(bonus, { customerId, featureKey: feature.featureKey }) } }
  },
})
