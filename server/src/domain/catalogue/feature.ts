// The rules of a feature's definition: what a new one defaults to, and what may change.

import type { ResetAnchor, ResetInterval } from '../access/period.ts'
import { invalid } from '../errors.ts'
import type { Feature, FeatureType } from './catalogue.ts'

export type FeatureInput = {
  name?: string | undefined
  description?: string | null | undefined
  tracksUsage?: boolean | undefined
  usageResetInterval?: ResetInterval | undefined
  usageResetAnchor?: ResetAnchor | undefined
}

type Tracking = Pick<Feature, 'tracksUsage' | 'usageResetInterval' | 'usageResetAnchor'>

export function computeNewTracking(type: FeatureType, input: FeatureInput): Tracking {
  return computeTracking(
    type,
    { tracksUsage: type === 'limit', usageResetInterval: 'month', usageResetAnchor: 'billing_cycle' },
    input,
  )
}

export function computeTracking(type: FeatureType, current: Tracking, input: FeatureInput): Tracking {
  const tracksUsage = input.tracksUsage ?? current.tracksUsage
  if (type === 'boolean') {
    if (tracksUsage) {
      throw invalid(
        'tracksUsage must be false or absent for a boolean feature: only limit features track usage.',
      )
    }
    if (input.usageResetInterval !== undefined && input.usageResetInterval !== 'never') {
      throw invalid('usageResetInterval must be "never" or absent for a boolean feature.')
    }
  }
  const interval = input.usageResetInterval ?? current.usageResetInterval
  return {
    tracksUsage,
    usageResetInterval: tracksUsage ? interval : 'never',
    usageResetAnchor: input.usageResetAnchor ?? current.usageResetAnchor,
  }
}
