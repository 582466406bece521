// A feature access map on the wire, written by hand: it is the answer given most often.
import { z } from 'zod'
import type { FeatureAccess, Usage } from '../../domain/access/feature-access.ts'
import { amountToNumber } from '../../domain/amount.ts'
import { featureTypes } from '../../domain/catalogue/catalogue.ts'

const usageSchema = z
  .strictObject({
    used: z.number(),
    remaining: z.number().optional().meta({
      description:
        'All that the customer can still spend, bonuses included: never add bonusRemaining to it. Absent when unlimited',
    }),
    bonusRemaining: z.number(),
    bonusUsed: z.number(),
    hasReachedLimit: z.boolean(),
    nextReset: z.int().optional(),
    lastReset: z.int(),
  })
  .meta({ id: 'Usage', description: 'The usage of a feature in its current period' })

export const accessShape = {
  hasAccess: z.boolean(),
  type: z.enum(featureTypes),
  limit: z.number().optional().meta({ description: 'Of all products held together, at most 10^12' }),
  isUnlimited: z.boolean().optional(),
  usage: usageSchema.optional(),
}

export const accessEntrySchema = z
  .strictObject(accessShape)
  .meta({ id: 'FeatureAccessEntry', description: 'What a customer has of one feature' })

export const featureAccessSchema = z
  .record(z.string(), accessEntrySchema)
  .meta({ id: 'FeatureAccess', description: 'Keyed by feature key' })

/** Feature keys need no escaping in JSON: they are letters, digits and a few signs. */
export const writeFeatureAccess = (access: readonly FeatureAccess[]): string =>
  `{${access.map((each) => `"${each.feature.featureKey}":{${writeAccess(each)}}`).join()}}`

/** The members of one entry, without braces. */
export function writeAccess({ feature, allowance, usage }: FeatureAccess): string {
  const common = `"hasAccess":${allowance.hasAccess},"type":"${feature.type}"`
  if (feature.type === 'boolean') return common
  const limit = allowance.isUnlimited ? '' : `,"limit":${amountToNumber(allowance.limit)}`
  const usageText = usage ? `,"usage":{${writeUsage(usage)}}` : ''
  return `${common}${limit},"isUnlimited":${allowance.isUnlimited}${usageText}`
}

function writeUsage(usage: Usage): string {
  const remaining = usage.remaining === undefined ? '' : `,"remaining":${amountToNumber(usage.remaining)}`
  const nextReset = usage.nextReset === undefined ? '' : `,"nextReset":${usage.nextReset}`
  return (
    `"used":${amountToNumber(usage.used)}${remaining},"bonusRemaining":${amountToNumber(usage.bonusRemaining)},` +
    `"bonusUsed":${amountToNumber(usage.bonusUsed)},"hasReachedLimit":${usage.hasReachedLimit}${nextReset},` +
    `"lastReset":${usage.lastReset}`
  )
}
