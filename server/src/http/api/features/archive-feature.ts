// POST /v1/features/{featureKey}/archive
import { z } from 'zod'
import { archiveFeature } from '../../../operations/features/archive-feature.ts'
import { catalogueKey, reason } from '../../fields.ts'
import { featureAnswerSchema, toApiFeature } from '../../resources/feature.ts'
import { defineRoute } from '../../route.ts'

export const archiveFeatureRoute = defineRoute({
  operationId: 'archiveFeature',
  method: 'POST',
  path: '/v1/features/{featureKey}/archive',
  access: 'write',
  tag: 'Features',
  summary: 'Archive or unarchive a feature',
  description:
    'Archiving cuts nobody off: holders keep access; the feature cannot be added anew to a product.',
  params: z.strictObject({ featureKey: catalogueKey }),
  body: z.strictObject({ archived: z.boolean(), reason: reason.optional() }),
  responses: { 200: featureAnswerSchema },
  errors: [404],
  handle: async ({ params, body, context }, services) => ({
    body: { feature: toApiFeature(await archiveFeature(services, context, params.featureKey, body)) },
  }),
})
