// Feature access as flags: of every feature whether it may be used now, and of a limit its figures as numbers.
import { type Amount, smallestAmount } from '../amount.ts'
import { type FeatureAccess, findRefusal } from './feature-access.ts'

/** `@` cannot be in a feature's key, so `api_calls@remaining` names no feature. */
const figures = ['remaining', 'limit', 'used'] as const

type Figure = (typeof figures)[number]

export type Flag = {
  flagKey: string
  /** Undefined for a figure that has no end. */
  value: boolean | Amount | undefined
  variant: 'allowed' | 'no_access' | 'limit_reached' | 'limited' | 'unlimited'
  entry: FeatureAccess
}

/** The key of the feature that a flag is about. */
export const featureKeyOf = (flagKey: string): string => flagKey.split('@', 1)[0] as string

export function computeFlags(entry: FeatureAccess): Flag[] {
  const { feature, allowance } = entry
  // Something of a limit is left when the smallest amount would fit.
  const refusal = findRefusal(entry, smallestAmount)
  const own: Flag = {
    flagKey: feature.featureKey,
    value: refusal === undefined,
    variant: refusal ?? 'allowed',
    entry,
  }
  if (feature.type === 'boolean') return [own]
  const variant = !allowance.hasAccess ? 'no_access' : allowance.isUnlimited ? 'unlimited' : 'limited'
  return [
    own,
    ...figures.map((figure): Flag => {
      const flagKey = `${feature.featureKey}@${figure}`
      return { flagKey, value: computeFigure(figure, entry), variant, entry }
    }),
  ]
}

/** Where usage is not tracked nothing is used, and all of the limit is left each time. */
function computeFigure(figure: Figure, { allowance, usage }: FeatureAccess): Amount | undefined {
  if (figure === 'used') return usage ? usage.used : 0n
  if (allowance.isUnlimited) return undefined
  return figure === 'limit' || !usage ? allowance.limit : usage.remaining
}
