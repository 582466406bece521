// What is said of a feature in words: its type, and when its usage begins anew.
import type { Feature } from '@tollkeeper/sdk/src/generated/api.ts'

export const resetIntervals = ['never', 'hour', 'day', 'week', 'month', 'quarter', 'year'] as const

export const writeInterval = (interval: Feature['usageResetInterval']): string =>
  interval === 'never' ? 'never' : `every ${interval}`

/** "every month with billing", "every month by the calendar", "never", "not counted". */
export function writeReset({ type, tracksUsage, usageResetInterval, usageResetAnchor }: Feature): string {
  if (type === 'boolean') return '—'
  if (!tracksUsage) return 'not counted'
  if (usageResetInterval === 'never') return 'never'
  return `${writeInterval(usageResetInterval)} ${usageResetAnchor === 'calendar' ? 'by the calendar' : 'with billing'}`
}

export const writeType = ({ type, tracksUsage }: Pick<Feature, 'type' | 'tracksUsage'>): string =>
  type === 'boolean' ? 'on or off' : tracksUsage ? 'limit, counted' : 'limit'
