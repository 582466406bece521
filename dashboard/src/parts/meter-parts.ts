// What the bar of a meter is made of, computed from what the service says of a feature.
import type { FeatureAccess } from '@tollkeeper/sdk/src/generated/api.ts'

export type Access = FeatureAccess[string]

export type MeterParts = {
  used: number
  limit: number
  planUsed: number
  planRest: number
  bonusUsed: number
  bonusRest: number
  overage: number
  /** All of the bar. */
  total: number
  remaining: number
  state: 'ok' | 'near' | 'reached' | 'over'
}

// From here on it is worth a look.
const nearShare = 0.8

/** undefined where there is nothing to measure: no access, no limit, or usage that is not tracked. */
export function computeMeterParts({ hasAccess, limit, isUnlimited, usage }: Access): MeterParts | undefined {
  if (!hasAccess || isUnlimited || limit === undefined || usage === undefined) return undefined
  const { used, bonusUsed, bonusRemaining: bonusRest, remaining = 0 } = usage
  const overage = Math.max(0, used - limit - bonusUsed)
  const planUsed = Math.max(0, Math.min(used - bonusUsed, limit))
  const planRest = limit - planUsed
  const most = limit + bonusUsed + bonusRest
  const state = overage > 0 ? 'over' : remaining <= 0 ? 'reached' : used >= most * nearShare ? 'near' : 'ok'
  return {
    used,
    limit,
    planUsed,
    planRest,
    bonusUsed,
    bonusRest,
    overage,
    total: most + overage,
    remaining,
    state,
  }
}
