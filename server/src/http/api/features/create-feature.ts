// POST /v1/features
import { z } from 'zod'
import { resetAnchors, resetIntervals } from '../../../domain/access/period.ts'
import { featureTypes } from '../../../domain/catalogue/catalogue.ts'
import { createFeature } from '../../../operations/features/create-feature.ts'
import { catalogueKey, description, name } from '../../fields.ts'
import { featureAnswerSchema, toApiFeature } from '../../resources/feature.ts'
import { defineRoute } from '../../route.ts'

export const createFeatureRoute = defineRoute({
  operationId: 'createFeature',
  method: 'POST',
  path: '/v1/features',
  access: 'write',
  tag: 'Features',
  summary: 'Create a feature',
  description:
    'A limit feature tracks usage and resets monthly unless said otherwise. type and featureKey never change.',
  body: z.strictObject({
    featureKey: catalogueKey,
    name,
    type: z.enum(featureTypes),
    description: description.optional(),
    tracksUsage: z.boolean().optional(),
    usageResetInterval: z.enum(resetIntervals).optional(),
    usageResetAnchor: z.enum(resetAnchors).optional(),
  }),
  responses: { 201: featureAnswerSchema },
  errors: [409],
  handle: async ({ body, context }, services) => ({
    body: { feature: toApiFeature(await createFeature(services, context, body)) },
  }),
})
