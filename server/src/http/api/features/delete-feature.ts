// DELETE /v1/features/{featureKey}
import { z } from 'zod'
import { deleteFeature } from '../../../operations/features/delete-feature.ts'
import { catalogueKey } from '../../fields.ts'
import { defineRoute } from '../../route.ts'

export const deleteFeatureRoute = defineRoute({
  operationId: 'deleteFeature',
  method: 'DELETE',
  path: '/v1/features/{featureKey}',
  access: 'write',
  tag: 'Features',
  summary: 'Delete a feature for ever',
  description: 'It leaves every product configuration and takes its usage and bonuses with it.',
  params: z.strictObject({ featureKey: catalogueKey }),
  responses: { 200: z.strictObject({ deleted: z.boolean(), featureKey: z.string() }) },
  errors: [404],
  handle: async ({ params, context }, services) => {
    await deleteFeature(services, context, params.featureKey)
    return { body: { deleted: true, featureKey: params.featureKey } }
  },
})
