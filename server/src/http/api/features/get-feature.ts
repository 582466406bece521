// GET /v1/features/{featureKey}
import { z } from 'zod'
import { getFeature } from '../../../domain/catalogue/catalogue.ts'
import { catalogueKey } from '../../fields.ts'
import { featureAnswerSchema, toApiFeature } from '../../resources/feature.ts'
import { defineRoute } from '../../route.ts'

export const getFeatureRoute = defineRoute({
  operationId: 'getFeature',
  method: 'GET',
  path: '/v1/features/{featureKey}',
  access: 'read',
  tag: 'Features',
  summary: 'Get a feature',
  params: z.strictObject({ featureKey: catalogueKey }),
  responses: { 200: featureAnswerSchema },
  errors: [404],
  handle: async ({ params, context: { catalogue } }) => {
    return { body: { feature: toApiFeature(getFeature(catalogue, params.featureKey)) } }
  },
})
