// The reference model's features: contract section 3.
import type { Interval } from './reference-arithmetic.ts'
import { getFeature, require } from './reference-refusal.ts'
import { type Answer, type Feature, forget, type State } from './reference-state.ts'

type FeatureFields = {
  name?: string
  description?: string | null
  tracksUsage?: boolean
  usageResetInterval?: Interval
  usageResetAnchor?: 'billing_cycle' | 'calendar'
}
export type FeatureBody = FeatureFields & { featureKey: string; name: string; type: 'boolean' | 'limit' }

const featureAnswer = (feature: Feature, status = 200): Answer => {
  const { interval, anchor, archivedAt, ...rest } = feature
  const shown = {
    usageResetInterval: feature.tracksUsage ? interval : 'never',
    usageResetAnchor: anchor,
    isArchived: archivedAt !== null,
  }
  return { status, body: { feature: { ...rest, ...shown, archivedAt } } }
}

/** A boolean feature, and one that does not track usage, shows `never` and takes no other interval. */
function withFields(feature: Feature, fields: FeatureFields): Feature {
  const sent = fields.usageResetInterval
  require(feature.type === 'limit' || fields.tracksUsage !== true, 400, 'a boolean tracks no usage')
  require(feature.type === 'limit' || fields.usageResetAnchor !== 'calendar', 400, 'a boolean never resets')
  const tracksUsage = fields.tracksUsage ?? feature.tracksUsage
  require(tracksUsage || sent === undefined || sent === 'never', 400, 'what is not tracked is not reset')
  return {
    ...feature,
    name: fields.name ?? feature.name,
    description: fields.description === undefined ? feature.description : (fields.description ?? undefined),
    tracksUsage,
    interval: tracksUsage ? (sent ?? feature.interval) : feature.interval,
    anchor: fields.usageResetAnchor ?? feature.anchor,
  }
}

export function createFeature(state: State, _now: number, body: FeatureBody): Answer {
  const { featureKey, name, type } = body
  const tracksUsage = type === 'limit'
  const blank: Feature = {
    featureKey,
    name,
    type,
    tracksUsage,
    interval: body.usageResetInterval ?? 'month',
    anchor: 'billing_cycle',
    archivedAt: null,
    archivedReason: null,
  }
  const feature = withFields(blank, body)
  require(!state.features.some((one) => one.featureKey === featureKey), 409, 'featureKey is taken')
  state.features.push(feature)
  return featureAnswer(feature, 201)
}

export function updateFeature(state: State, _now: number, featureKey: string, body: FeatureFields): Answer {
  const feature = Object.assign(
    getFeature(state, featureKey),
    withFields(getFeature(state, featureKey), body),
  )
  return featureAnswer(feature)
}

export function archiveFeature(
  state: State,
  now: number,
  featureKey: string,
  body: { archived: boolean; reason?: string },
): Answer {
  const feature = getFeature(state, featureKey)
  feature.archivedAt = body.archived ? (feature.archivedAt ?? now) : null
  feature.archivedReason = body.archived ? (body.reason ?? feature.archivedReason) : null
  return featureAnswer(feature)
}

export function deleteFeature(state: State, _now: number, featureKey: string): Answer {
  getFeature(state, featureKey)
  state.features = state.features.filter((feature) => feature.featureKey !== featureKey)
  for (const product of state.products)
    product.versions = product.versions.map((entries) =>
      entries.filter((entry) => entry.featureKey !== featureKey),
    )
  forget(state, (of) => of.featureKey === featureKey)
  return { status: 200, body: { deleted: true, featureKey } }
}
