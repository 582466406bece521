// POST /v1/bonuses
import { z } from 'zod'
import { createBonus } from '../../../operations/bonuses/create-bonus.ts'
import {
  amount,
  catalogueKey,
  customerId,
  metadata,
  readIdempotencyKey,
  reason,
  timestamp,
} from '../../fields.ts'
import { bonusChangeSchema, toApiBonusChange } from '../../resources/bonus.ts'
import { defineRoute } from '../../route.ts'

export const createBonusRoute = defineRoute({
  operationId: 'createBonus',
  method: 'POST',
  path: '/v1/bonuses',
  access: 'write',
  tag: 'Bonuses',
  summary: 'Give a customer a bonus',
  description:
    'Extra allowance for a limit feature that tracks usage: used when the plan’s is used up, across periods, until drawn or expired. It covers overage that is already there. What the bonuses of a feature have left together, with what the current period drew, is at most 10^12: more is 400.',
  customer: 'body',
  headers: {
    'Idempotency-Key': { description: '1 to 255 characters: the same request again gets the first answer' },
  },
  body: z.strictObject({
    customerId,
    featureKey: catalogueKey,
    amount: amount.gt(0),
    expiresAt: timestamp.optional(),
    reason: reason.optional(),
    metadata: metadata.optional(),
  }),
  responses: { 201: bonusChangeSchema },
  errors: [404, 409],
  handle: async ({ body, headers, context }, services) => ({
    body: toApiBonusChange(
      await createBonus(services, context, body, readIdempotencyKey(headers['idempotency-key'])),
    ),
  }),
})
