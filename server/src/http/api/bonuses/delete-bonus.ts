// DELETE /v1/bonuses/{bonusId}
import { z } from 'zod'
import { amountToNumber } from '../../../domain/amount.ts'
import { deleteBonus } from '../../../operations/bonuses/delete-bonus.ts'
import { thingId } from '../../fields.ts'
import { defineRoute } from '../../route.ts'

export const deleteBonusRoute = defineRoute({
  operationId: 'deleteBonus',
  method: 'DELETE',
  path: '/v1/bonuses/{bonusId}',
  access: 'write',
  tag: 'Bonuses',
  summary: 'Delete a bonus of which nothing is drawn',
  params: z.strictObject({ bonusId: thingId }),
  responses: {
    200: z.strictObject({
      deleted: z.boolean(),
      bonusId: z.string(),
      counterRemaining: z.number().optional(),
    }),
  },
  errors: [404, 409],
  handle: async ({ params, context }, services) => {
    const { counterRemaining } = await deleteBonus(services, context, params.bonusId)
    const remaining =
      counterRemaining === undefined ? {} : { counterRemaining: amountToNumber(counterRemaining) }
    return { body: { deleted: true, bonusId: params.bonusId, ...remaining } }
  },
})
