// A feature on the wire.
import { z } from 'zod'
import { resetAnchors, resetIntervals } from '../../domain/access/period.ts'
import { type Feature, featureTypes } from '../../domain/catalogue/catalogue.ts'
import { shownInterval } from '../../domain/catalogue/feature.ts'

export const featureSchema = z
  .strictObject({
    id: z.string(),
    featureKey: z.string(),
    name: z.string(),
    description: z.string().optional(),
    type: z.enum(featureTypes),
    tracksUsage: z.boolean(),
    usageResetInterval: z.enum(resetIntervals),
    usageResetAnchor: z.enum(resetAnchors),
    isArchived: z.boolean(),
    archivedAt: z.int().nullable(),
    archivedReason: z.string().nullable(),
  })
  .meta({ id: 'Feature', description: 'Something a customer may use' })

export const featureAnswerSchema = z
  .strictObject({ feature: featureSchema })
  .meta({ id: 'FeatureAnswer', description: 'A feature alone' })

export const toApiFeature = (feature: Feature): z.input<typeof featureSchema> => ({
  id: feature.featureId,
  featureKey: feature.featureKey,
  name: feature.name,
  ...(feature.description === undefined ? {} : { description: feature.description }),
  type: feature.type,
  tracksUsage: feature.tracksUsage,
  usageResetInterval: shownInterval(feature),
  usageResetAnchor: feature.usageResetAnchor,
  isArchived: feature.archivedAt !== null,
  archivedAt: feature.archivedAt,
  archivedReason: feature.archivedReason,
})
