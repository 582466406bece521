// PUT /v1/bonuses/{bonusId}
import { z } from 'zod'
import { updateBonus } from '../../../operations/bonuses/update-bonus.ts'
import { amount, metadata, reason, thingId, timestamp } from '../../fields.ts'
import { bonusChangeSchema, toApiBonusChange } from '../../resources/bonus.ts'
import { defineRoute } from '../../route.ts'

export const updateBonusRoute = defineRoute({
  operationId: 'updateBonus',
  method: 'PUT',
  path: '/v1/bonuses/{bonusId}',
  access: 'write',
  tag: 'Bonuses',
  summary: 'Update a bonus',
  description:
    'amount must not fall below what is drawn; an expired bonus can be revived. What the bonuses of a feature have left together stays at most 10^12, as when giving one.',
  params: z.strictObject({ bonusId: thingId }),
  body: z.strictObject({
    amount: amount.gt(0).optional(),
    expiresAt: timestamp.nullable().optional(),
    reason: reason.nullable().optional(),
    metadata: metadata.nullable().optional(),
  }),
  responses: { 200: bonusChangeSchema },
  errors: [404, 409],
  handle: async ({ params, body, context }, services) => ({
    body: toApiBonusChange(await updateBonus(services, context, params.bonusId, body)),
  }),
})
