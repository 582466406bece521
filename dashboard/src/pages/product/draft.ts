// Edits of a product's latest version that are not saved yet: what they change, and what is sent for them.
import type { Feature, ProductFeatureAccess } from '@tollkeeper/sdk/src/generated/api.ts'
import { useState } from 'react'
import {
  type AccessCell,
  type AccessItem,
  isSameCell,
  toCell,
  toItem,
  weighCell,
} from '../../parts/access-cell.ts'

/** The cells that were edited, by feature. */
export type Draft = Readonly<Record<string, AccessCell>>

export type Change = {
  featureKey: string
  name: string
  before: AccessCell
  after: AccessCell
  isLess: boolean
}

// Kept while the page is open, so that looking something up elsewhere loses no edits.
const kept = new Map<string, Draft>()

export function useDraft(place: string): [Draft, (draft: Draft) => void] {
  const [draft, setDraft] = useState<Draft>(() => kept.get(place) ?? {})
  const keep = (next: Draft) => {
    if (Object.keys(next).length === 0) kept.delete(place)
    else kept.set(place, next)
    setDraft(next)
  }
  return [draft, keep]
}

/** A cell edited back to what it was is no edit. */
export function editDraft(
  draft: Draft,
  entry: ProductFeatureAccess | undefined,
  featureKey: string,
  cell: AccessCell,
): Draft {
  const { [featureKey]: _, ...others } = draft
  return isSameCell(cell, toCell(entry)) ? others : { ...others, [featureKey]: cell }
}

/** In the order of the rows. */
export function computeChanges(entries: ProductFeatureAccess[], draft: Draft, features: Feature[]): Change[] {
  return features.flatMap(({ featureKey, name }) => {
    const after = draft[featureKey]
    const before = toCell(entries.find((entry) => entry.featureKey === featureKey))
    if (after === undefined || isSameCell(before, after)) return []
    return { featureKey, name, before, after, isLess: weighCell(after) < weighCell(before) }
  })
}

/** A limit that nobody typed a number for yet. */
export const findUnfinished = (changes: Change[]): Change | undefined =>
  changes.find(({ after }) => after.kind === 'limit' && after.limit === undefined)

/** The whole configuration with the edits in it. An archived feature without access is taken out: it could not be added again. */
export function toItems(
  entries: ProductFeatureAccess[],
  changes: Change[],
  features: Feature[],
): AccessItem[] {
  const edits = new Map(changes.map(({ featureKey, after }) => [featureKey, after]))
  const isArchived = new Map(features.map((feature) => [feature.featureKey, feature.isArchived]))
  const staying = entries.flatMap((entry) => {
    const after = edits.get(entry.featureKey)
    if (after === undefined) return toItem(entry)
    return after.kind === 'none' && isArchived.get(entry.featureKey) ? [] : fromCell(entry.featureKey, after)
  })
  const listed = new Set(entries.map(({ featureKey }) => featureKey))
  const added = changes.filter(({ featureKey }) => !listed.has(featureKey))
  return [...staying, ...added.map(({ featureKey, after }) => fromCell(featureKey, after))]
}

function fromCell(featureKey: string, { kind, limit }: AccessCell): AccessItem {
  if (kind === 'none') return { featureKey, hasAccess: false }
  if (kind === 'unlimited') return { featureKey, hasAccess: true, isUnlimited: true }
  return { featureKey, hasAccess: true, ...(kind === 'limit' && limit !== undefined ? { limit } : {}) }
}
