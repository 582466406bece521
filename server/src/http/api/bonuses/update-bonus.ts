// PUT /v1/bonuses/{bonusId}
import { z } from 'zod'
import { getBonusSubject, updateBonus } from '../../../operations/bonuses/edit-bonus.ts'
import { amount, metadata, reason, thingId, timestamp } from '../../fields.ts'
import { bonusChangeSchema, toApiBonusChange } from '../../resources/bonus.ts'
import { defineRoute } from '../../route.ts'

export const updateBonusRoute = defineRoute({
  method: 'PUT',
  path: '/v1/bonuses/{bonusId}',
  tag: 'Bonuses',
  summary: 'Update a bonus',
  description: 'amount must not fall below what is drawn; an expired bonus can be revived.',
  params: z.strictObject({ bonusId: thingId }),
  body: z.strictObject({
    amount: amount.gt(0).optional(),
    expiresAt: timestamp.nullable().optional(),
    reason: reason.nullable().optional(),
    metadata: metadata.nullable().optional(),
  }),
  responses: { 200: bonusChangeSchema },
  errors: [404, 409],
  handle: async ({ params, body, caller }, services) => {
    const { feature } = await getBonusSubject(services, caller, params.bonusId)
    return {
      body: toApiBonusChange(await updateBonus(services, caller, params.bonusId, body), feature.featureKey),
    }
  },
})
