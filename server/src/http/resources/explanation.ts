// An explanation of feature access on the wire.
import { z } from 'zod'
import type { Grant } from '../../domain/access/allowance.ts'
import type { Arithmetic, ExplainedBonus, ExplainedPeriod, Explanation } from '../../domain/access/explain.ts'
import { countUnits } from '../../domain/access/held-products.ts'
import { resetIntervals } from '../../domain/access/period.ts'
import { amountToNumber } from '../../domain/amount.ts'
import { accessEntrySchema, writeAccess } from './feature-access.ts'

const grantSchema = z
  .strictObject({
    key: z.string(),
    version: z.int(),
    status: z.string(),
    isDefault: z.boolean(),
    isAddOn: z.boolean(),
    limit: z.number().optional(),
    isUnlimited: z.boolean().optional(),
    quantity: z.number(),
    limitsPerUnit: z.boolean(),
  })
  .meta({
    id: 'AccessGrant',
    description: 'limit is what this product adds, multiplied by quantity where limitsPerUnit',
  })

const periodSchema = z
  .strictObject({
    interval: z.enum(resetIntervals),
    lastReset: z.int(),
    nextReset: z.int().optional(),
    anchor: z.strictObject({
      source: z.enum(['subscription', 'usage_started_at', 'calendar', 'none']),
      at: z.int().optional(),
      productKey: z.string().optional(),
    }),
    cutBy: z.enum(['subscription_start', 'fall_back']).optional(),
  })
  .meta({ id: 'AccessPeriod', description: 'The current usage period of a feature' })

const bonusSchema = z
  .strictObject({
    bonusId: z.string(),
    amount: z.number(),
    remainingAmount: z.number(),
    drawnInPeriod: z.number(),
    expiresAt: z.int().optional(),
  })
  .meta({ id: 'DrawnBonus', description: 'A bonus, and what the current period has drawn from it' })

const arithmeticSchema = z
  .strictObject({
    limit: z.number(),
    used: z.number(),
    planUsed: z.number(),
    bonusUsed: z.number(),
    overage: z.number(),
    planRemaining: z.number(),
    bonusRemaining: z.number(),
    remaining: z.number(),
  })
  .meta({
    id: 'AccessArithmetic',
    description:
      'used = planUsed + bonusUsed + overage; planRemaining = limit − planUsed; remaining = planRemaining + bonusRemaining, so it includes bonuses',
  })

export const explanationSchema = z
  .strictObject({
    customerId: z.string(),
    featureKey: z.string(),
    access: accessEntrySchema,
    products: z.array(grantSchema),
    period: periodSchema.optional(),
    bonuses: z.array(bonusSchema),
    arithmetic: arithmeticSchema.optional(),
  })
  .meta({
    id: 'AccessExplanation',
    description:
      'period: features that track usage; arithmetic: where there is access to a limit. bonuses: those that can be drawn on or were, in this period',
  })

export const toApiExplanation = (
  customerId: string,
  { access, grants, period, bonuses, arithmetic }: Explanation,
): z.input<typeof explanationSchema> => ({
  customerId,
  featureKey: access.feature.featureKey,
  access: JSON.parse(`{${writeAccess(access)}}`),
  products: grants.map((grant) => toApiGrant(grant, access.feature.type === 'boolean')),
  ...(period ? { period: toApiPeriod(period) } : {}),
  bonuses: bonuses.map(toApiDrawn),
  ...(arithmetic ? { arithmetic: toApiArithmetic(arithmetic) } : {}),
})

const toApiGrant = (
  { held, isUnlimited, limit }: Grant,
  isBoolean: boolean,
): z.input<typeof grantSchema> => ({
  key: held.product.productKey,
  version: held.version,
  status: held.status,
  isDefault: held.product.isDefault,
  isAddOn: held.product.isAddOn,
  ...(isBoolean ? {} : isUnlimited ? { isUnlimited } : { limit: amountToNumber(limit) }),
  quantity: countUnits(held.items),
  limitsPerUnit: held.product.limitsPerUnit,
})

const toApiPeriod = ({
  interval,
  lastReset,
  nextReset,
  anchor,
  cutBy,
}: ExplainedPeriod): z.input<typeof periodSchema> => ({
  interval,
  lastReset,
  ...(nextReset === undefined ? {} : { nextReset }),
  anchor: {
    source: anchor.source,
    ...(anchor.at === undefined ? {} : { at: anchor.at }),
    ...(anchor.productKey === undefined ? {} : { productKey: anchor.productKey }),
  },
  ...(cutBy === undefined ? {} : { cutBy }),
})

const toApiDrawn = ({ bonus, drawnInPeriod }: ExplainedBonus): z.input<typeof bonusSchema> => ({
  bonusId: bonus.bonusId,
  amount: amountToNumber(bonus.amount),
  remainingAmount: amountToNumber(bonus.amount - bonus.drawn),
  drawnInPeriod: amountToNumber(drawnInPeriod),
  ...(bonus.expiresAt === undefined ? {} : { expiresAt: bonus.expiresAt }),
})

const toApiArithmetic = (arithmetic: Arithmetic): z.input<typeof arithmeticSchema> => ({
  limit: amountToNumber(arithmetic.limit),
  used: amountToNumber(arithmetic.used),
  planUsed: amountToNumber(arithmetic.planUsed),
  bonusUsed: amountToNumber(arithmetic.bonusUsed),
  overage: amountToNumber(arithmetic.overage),
  planRemaining: amountToNumber(arithmetic.planRemaining),
  bonusRemaining: amountToNumber(arithmetic.bonusRemaining),
  remaining: amountToNumber(arithmetic.remaining),
})
