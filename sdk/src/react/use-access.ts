// Hooks: what the customer may use, and how much of it is left.
'use client'
import { useContext, useSyncExternalStore } from 'react'
import type { FeatureKey, TrackedFeatureKey } from '../keys.ts'
import type { AccessEntry, AccessMap } from '../resources/feature-access.ts'
import { AccessContext } from './provider.ts'

type Loading = {
  /** While it is read, the last known values stay. */
  isLoading: boolean
  /** Why the last reading failed. */
  error: Error | undefined
  /** Reads anew: after something was used or bought. */
  refresh(): Promise<void>
}

export type UseAccess = Loading & {
  /** Whether it may be used now: access, and for a limit something left. False while nothing is known. */
  allowed: boolean
  /** What the customer holds, used up or not. */
  hasAccess: boolean
  entry: AccessEntry | undefined
}

export type UseUsage = Loading & {
  /** Undefined while nothing is known, and for features that do not track usage. */
  used: number | undefined
  limit: number | undefined
  /** All that can still be used, bonuses included; undefined when unlimited. */
  remaining: number | undefined
  isUnlimited: boolean
  hasReachedLimit: boolean
  /** How much of what may be used is used, from 0 to 1: for a meter. Undefined when unlimited or unknown. */
  share: number | undefined
  /** When the usage period ends, in Unix ms; undefined when it never resets. */
  nextReset: number | undefined
}

/** The whole map, for pages that show all of it. */
export function useAccessMap(): Loading & { access: AccessMap | undefined } {
  const store = useContext(AccessContext)
  if (!store) throw new Error('This needs a <TollkeeperProvider> around it.')
  const snapshot = useSyncExternalStore(store.subscribe, store.getSnapshot, store.getServerSnapshot)
  return { ...snapshot, refresh: store.refresh }
}

/** Whether the customer may use a feature. */
export function useAccess(featureKey: FeatureKey): UseAccess {
  const { access, ...loading } = useAccessMap()
  const entry = findEntry(access, featureKey)
  const hasAccess = entry?.hasAccess ?? false
  return { ...loading, entry, hasAccess, allowed: hasAccess && !isUsedUp(entry) }
}

/** How much of a feature is used and left. */
export function useUsage(featureKey: TrackedFeatureKey): UseUsage {
  const { access, ...loading } = useAccessMap()
  const entry = findEntry(access, featureKey)
  const usage = entry?.usage
  const used = usage?.used
  const remaining = usage?.remaining
  return {
    ...loading,
    used,
    limit: entry?.limit,
    remaining,
    isUnlimited: entry?.isUnlimited ?? false,
    hasReachedLimit: usage?.hasReachedLimit ?? false,
    share: used === undefined || remaining === undefined ? undefined : computeShare(used, remaining),
    nextReset: usage?.nextReset,
  }
}

/** A key such as `constructor` is a key of the map only if the map has it. */
function findEntry(access: AccessMap | undefined, featureKey: string): AccessEntry | undefined {
  const map = access as Record<string, AccessEntry> | undefined
  return map && Object.hasOwn(map, featureKey) ? map[featureKey] : undefined
}

/** A limit that tracks no usage is used up only if it is nothing. */
const isUsedUp = (entry: AccessEntry | undefined): boolean =>
  entry?.usage ? entry.usage.hasReachedLimit : entry?.type === 'limit' && entry.limit === 0

const computeShare = (used: number, remaining: number): number =>
  remaining === 0 ? 1 : used / (used + remaining)
