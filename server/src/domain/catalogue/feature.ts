// The rules of a feature's definition: what a new one defaults to, and what may change.

import type { ResetAnchor, ResetInterval } from '../access/period.ts'
import { invalid, quote } from '../errors.ts'
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
  const tracking = computeTracking(
    type,
    { tracksUsage: type === 'limit', usageResetInterval: 'month', usageResetAnchor: 'billing_cycle' },
    input,
  )
  // Whoever makes a feature with "never" means it, also for when it tracks usage one day.
  return { ...tracking, usageResetInterval: input.usageResetInterval ?? tracking.usageResetInterval }
}

/** Turning tracking off keeps interval and anchor, so that turning it on again restores them. */
export function computeTracking(type: FeatureType, current: Tracking, input: FeatureInput): Tracking {
  const tracksUsage = input.tracksUsage ?? current.tracksUsage
  if (type === 'boolean' && tracksUsage) {
    throw invalid(
      'tracksUsage must be false or absent for a boolean feature: only limit features track usage.',
    )
  }
  if (type === 'boolean' && (input.usageResetAnchor ?? 'billing_cycle') !== 'billing_cycle') {
    throw invalid(
      'usageResetAnchor must be "billing_cycle" or absent for a boolean feature: it never resets.',
    )
  }
  const { usageResetInterval: sent } = input
  if (!tracksUsage && sent !== undefined && sent !== 'never') {
    throw invalid(
      `usageResetInterval must be "never" or absent for a feature that does not track usage, but ${quote(sent)} came.`,
    )
  }
  return {
    tracksUsage,
    usageResetInterval: (tracksUsage ? sent : undefined) ?? current.usageResetInterval,
    usageResetAnchor: input.usageResetAnchor ?? current.usageResetAnchor,
  }
}

/** What answers show: nothing that is not counted is reset. */
export const shownInterval = ({ tracksUsage, usageResetInterval }: Tracking): ResetInterval =>
  tracksUsage ? usageResetInterval : 'never'
