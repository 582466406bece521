// A bonus on the wire.
import { z } from 'zod'
import { amountToNumber } from '../../domain/amount.ts'
import type { BonusOutcome } from '../../domain/ledger/bonus.ts'
import type { Bonus } from '../../domain/ledger/state.ts'

export const bonusSchema = z
  .strictObject({
    bonusId: z.uuid(),
    featureKey: z.string(),
    amount: z.number(),
    remainingAmount: z.number(),
    createdAt: z.int(),
    updatedAt: z.int(),
    expiresAt: z.int().optional(),
    reason: z.string().optional(),
    metadata: z.record(z.string(), z.string()),
  })
  .meta({ id: 'Bonus' })

export const toApiBonus = (bonus: Bonus, featureKey: string): z.input<typeof bonusSchema> => ({
  bonusId: bonus.bonusId,
  featureKey,
  amount: amountToNumber(bonus.amount),
  remainingAmount: amountToNumber(bonus.amount - bonus.drawn),
  createdAt: bonus.createdAt,
  updatedAt: bonus.updatedAt,
  ...(bonus.expiresAt === undefined ? {} : { expiresAt: bonus.expiresAt }),
  ...(bonus.reason === undefined ? {} : { reason: bonus.reason }),
  metadata: bonus.metadata,
})

export const bonusChangeSchema = z
  .strictObject({ bonus: bonusSchema, counterRemaining: z.number().optional() })
  .meta({
    id: 'BonusChange',
    description: 'counterRemaining is what the feature has left; absent when unlimited',
  })

export const toApiBonusChange = ({
  bonus,
  featureKey,
  counterRemaining,
}: BonusOutcome): z.input<typeof bonusChangeSchema> => ({
  bonus: toApiBonus(bonus, featureKey),
  ...(counterRemaining === undefined ? {} : { counterRemaining: amountToNumber(counterRemaining) }),
})
