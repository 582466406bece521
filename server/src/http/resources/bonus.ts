// A bonus on the wire.
import { z } from 'zod'
import { amountToNumber } from '../../domain/amount.ts'
import type { BonusOutcome } from '../../domain/ledger/change-bonus.ts'
import type { Bonus } from '../../domain/ledger/state.ts'

export const bonusSchema = z
  .strictObject({
    bonusId: z.uuid(),
    customerId: z.string(),
    featureKey: z.string(),
    amount: z.number(),
    remainingAmount: z.number(),
    createdAt: z.int(),
    updatedAt: z.int(),
    expiresAt: z.int().optional(),
    reason: z.string().optional(),
    metadata: z.record(z.string(), z.string()),
  })
  .meta({ id: 'Bonus', description: 'Extra allowance of one feature' })

export type BonusOwner = { customerId: string; featureKey: string }

export const toApiBonus = (
  bonus: Bonus,
  { customerId, featureKey }: BonusOwner,
): z.input<typeof bonusSchema> => ({
  bonusId: bonus.bonusId,
  customerId,
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
    description: 'counterRemaining is what the feature has left, bonuses included; absent when unlimited',
  })

export const toApiBonusChange = ({
  bonus,
  customerId,
  featureKey,
  counterRemaining,
}: BonusOutcome & BonusOwner): z.input<typeof bonusChangeSchema> => ({
  bonus: toApiBonus(bonus, { customerId, featureKey }),
  ...(counterRemaining === undefined ? {} : { counterRemaining: amountToNumber(counterRemaining) }),
})
