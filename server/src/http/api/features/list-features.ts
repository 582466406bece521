// GET /v1/features
import { z } from 'zod'
import type { Feature } from '../../../domain/catalogue/catalogue.ts'
import { page, queryBoolean } from '../../fields.ts'
import { nameList, newestFirst, type Position, pageOf } from '../../page.ts'
import { featureSchema, toApiFeature } from '../../resources/feature.ts'
import { defineRoute } from '../../route.ts'

const positionOf = ({ createdAt, featureNo }: Feature): Position => [createdAt, featureNo]

export const listFeaturesRoute = defineRoute({
  operationId: 'listFeatures',
  method: 'GET',
  path: '/v1/features',
  access: 'read',
  tag: 'Features',
  summary: 'List features, newest first',
  query: z.strictObject({ includeArchived: queryBoolean.optional(), ...page }),
  responses: { 200: z.strictObject({ features: z.array(featureSchema), nextCursor: z.string().nullable() }) },
  handle: async ({ query, context }) => {
    const { catalogue } = context
    const list = nameList('features', context, query.includeArchived)
    const features = [...catalogue.features.values()]
      .filter((feature) => query.includeArchived || feature.archivedAt === null)
      .sort(newestFirst(positionOf))
    const { items, nextCursor } = pageOf(list, features, query, positionOf)
    return { body: { features: items.map(toApiFeature), nextCursor } }
  },
})
