// What one product version says of one feature, as a cell that can be shown, compared and edited.
import type { ProductFeatureAccess } from '@tollkeeper/sdk/src/generated/api.ts'
import { formatAmount } from './format.ts'

export type AccessKind = 'none' | 'access' | 'limit' | 'unlimited'

/** `limit` belongs to the kind limit, and is absent while nothing is typed. */
export type AccessCell = { kind: AccessKind; limit?: number | undefined }

/** An entry as it is sent. */
export type AccessItem = { featureKey: string; hasAccess: boolean; limit?: number; isUnlimited?: true }

type Entry = Pick<ProductFeatureAccess, 'hasAccess' | 'limit' | 'isUnlimited'>

export function toCell(entry: (Entry & { type?: 'boolean' | 'limit' }) | undefined): AccessCell {
  if (!entry?.hasAccess) return { kind: 'none' }
  if (entry.isUnlimited) return { kind: 'unlimited' }
  return typeof entry.limit === 'number' ? { kind: 'limit', limit: entry.limit } : { kind: 'access' }
}

/** An entry as it was, sent back unchanged. */
export const toItem = ({ featureKey, hasAccess, limit, isUnlimited }: ProductFeatureAccess): AccessItem => ({
  featureKey,
  hasAccess,
  ...(typeof limit === 'number' ? { limit } : {}),
  ...(isUnlimited ? { isUnlimited: true as const } : {}),
})

export const isSameCell = (one: AccessCell, other: AccessCell): boolean =>
  one.kind === other.kind && (one.kind !== 'limit' || one.limit === other.limit)

/** How much a cell gives: to tell more from less. */
export function weighCell({ kind, limit = 0 }: AccessCell): number {
  if (kind === 'none') return -1
  return kind === 'unlimited' ? Number.POSITIVE_INFINITY : kind === 'access' ? 0 : limit
}

export function writeCell({ kind, limit }: AccessCell): string {
  if (kind === 'none') return 'no access'
  if (kind === 'access') return 'access'
  return kind === 'unlimited' ? 'unlimited' : limit === undefined ? 'no limit given' : formatAmount(limit)
}
