// How near a customer is to its limits: what lists of customers are sorted and filtered by.
import type { Amount } from '../amount.ts'
import type { FeatureAccess } from './feature-access.ts'

export type Standing = {
  featureNo: number
  used: Amount
  /** The limit and all bonuses, spent and open; undefined when unlimited. */
  allowance: Amount | undefined
  /** Of the allowance; undefined without one, and where there is none to use. */
  share: number | undefined
  /** Undefined when the feature never resets. */
  resetsAt: number | undefined
  /** Without bonuses; undefined when unlimited. */
  limit: Amount | undefined
  isHottest: boolean
}

/** From this share on a customer is near its limit; from 1 on, at it or over. */
export const nearShare = 0.8

/** One for each feature that is counted and given, or was used all the same; never none. */
export function computeStandings(access: readonly FeatureAccess[]): Standing[] {
  const standings = access.flatMap(toStanding)
  if (standings.length === 0) return [withoutLimits]
  const hottest = standings.reduce<Standing | undefined>(
    (most, each) => ((each.share ?? -1) > (most?.share ?? -1) ? each : most),
    standings[0],
  )
  return standings.map((each) => ({ ...each, isHottest: each === hottest }))
}

/** Of a customer whom no feature is counted for: features are numbered from 1. */
const withoutLimits: Standing = {
  featureNo: 0,
  used: 0n,
  allowance: undefined,
  share: undefined,
  resetsAt: undefined,
  limit: undefined,
  isHottest: true,
}

function toStanding({ feature, allowance, usage }: FeatureAccess): Standing[] {
  if (!usage || (!allowance.hasAccess && usage.used === 0n)) return []
  const { used, bonusUsed, bonusRemaining, nextReset } = usage
  const { isUnlimited, limit } = allowance
  const all = limit + bonusUsed + bonusRemaining
  return [
    {
      featureNo: feature.featureNo,
      used,
      allowance: isUnlimited ? undefined : all,
      share: isUnlimited ? undefined : toShare(used, all),
      resetsAt: nextReset,
      limit: isUnlimited ? undefined : limit,
      isHottest: false,
    },
  ]
}

/** Whoever may use nothing and did use something is over its limit, by how much cannot be said. */
function toShare(used: Amount, allowance: Amount): number | undefined {
  if (allowance > 0n) return Number(used) / Number(allowance)
  return used > 0n ? 1 : undefined
}
