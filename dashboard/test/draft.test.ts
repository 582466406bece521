// Edits of a matrix as values: what counts as a change, and what is sent for it.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Feature, ProductFeatureAccess } from '@tollkeeper/sdk/src/generated/api.ts'
import { computeChanges, editDraft, findUnfinished, toItems } from '../src/pages/product/draft.ts'

const feature = (featureKey: string, type: Feature['type'], isArchived = false): Feature => ({
  id: featureKey,
  featureKey,
  name: featureKey,
  type,
  tracksUsage: type === 'limit',
  usageResetInterval: 'month',
  usageResetAnchor: 'billing_cycle',
  isArchived,
  archivedAt: isArchived ? 1 : null,
  archivedReason: null,
})

const features = [feature('calls', 'limit'), feature('sso', 'boolean'), feature('old', 'limit', true)]

const entry = (featureKey: string, more: Partial<ProductFeatureAccess>): ProductFeatureAccess => ({
  featureKey,
  name: featureKey,
  type: 'limit',
  hasAccess: true,
  ...more,
})

const calls = entry('calls', { limit: 10, isUnlimited: false })
const old = entry('old', { limit: null, isUnlimited: true })

describe('edits of a matrix', () => {
  it('are none when a cell is put back to what it was', () => {
    const edited = editDraft({}, calls, 'calls', { kind: 'limit', limit: 5 })
    assert.deepEqual(editDraft(edited, calls, 'calls', { kind: 'limit', limit: 10 }), {})
    assert.deepEqual(editDraft({}, undefined, 'sso', { kind: 'none' }), {})
  })

  it('say what becomes less', () => {
    const draft = { calls: { kind: 'unlimited' }, old: { kind: 'limit', limit: 3 } } as const
    const changes = computeChanges([calls, old], draft, features)
    assert.deepEqual(
      changes.map(({ featureKey, isLess }) => [featureKey, isLess]),
      [
        ['calls', false],
        ['old', true],
      ],
    )
  })

  it('are sent with all that was not touched, as it was', () => {
    const hidden = entry('calls', { hasAccess: false, limit: 10, isUnlimited: false })
    const changes = computeChanges([hidden, old], { sso: { kind: 'access' } }, features)
    assert.deepEqual(toItems([hidden, old], changes, features), [
      { featureKey: 'calls', hasAccess: false, limit: 10 },
      { featureKey: 'old', hasAccess: true, isUnlimited: true },
      { featureKey: 'sso', hasAccess: true },
    ])
  })

  it('keep a feature without access in the product, and take an archived one out', () => {
    const draft = { calls: { kind: 'none' }, old: { kind: 'none' } } as const
    const changes = computeChanges([calls, old], draft, features)
    assert.deepEqual(toItems([calls, old], changes, features), [{ featureKey: 'calls', hasAccess: false }])
  })

  it('are not finished while a limit has no number', () => {
    const changes = computeChanges([calls], { calls: { kind: 'limit' } }, features)
    assert.equal(findUnfinished(changes)?.featureKey, 'calls')
  })
})
