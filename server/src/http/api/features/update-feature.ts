// PUT /v1/features/{featureKey}
import { z } from 'zod'
import { resetAnchors, resetIntervals } from '../../../domain/access/period.ts'
import { updateFeature } from '../../../operations/features/update-feature.ts'
import { catalogueKey, description, name } from '../../fields.ts'
import { featureAnswerSchema, toApiFeature } from '../../resources/feature.ts'
import { defineRoute } from '../../route.ts'

export const updateFeatureRoute = defineRoute({
  operationId: 'updateFeature',
  method: 'PUT',
  path: '/v1/features/{featureKey}',
  access: 'write',
  tag: 'Features',
  summary: 'Update a feature',
  description:
    'null clears description. A new interval or anchor sorts the whole ledger into the new periods at once. Turning tracking off hides usage and bonuses without deleting them and keeps interval and anchor; turning it on restores them.',
  params: z.strictObject({ featureKey: catalogueKey }),
  body: z.strictObject({
    name: name.optional(),
    description: description.nullable().optional(),
    tracksUsage: z.boolean().optional(),
    usageResetInterval: z.enum(resetIntervals).optional(),
    usageResetAnchor: z.enum(resetAnchors).optional(),
  }),
  responses: { 200: featureAnswerSchema },
  errors: [404],
  handle: async ({ params, body, context }, services) => ({
    body: { feature: toApiFeature(await updateFeature(services, context, params.featureKey, body)) },
  }),
})
