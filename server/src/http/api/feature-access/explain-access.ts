// GET /v1/feature-access/explain
import { z } from 'zod'
import { explainAccess } from '../../../operations/feature-access/explain-access.ts'
import { catalogueKey, customerId } from '../../fields.ts'
import { explanationSchema, toApiExplanation } from '../../resources/explanation.ts'
import { defineRoute } from '../../route.ts'

export const explainAccessRoute = defineRoute({
  operationId: 'explainAccess',
  method: 'GET',
  path: '/v1/feature-access/explain',
  access: 'read',
  tag: 'Feature access',
  summary: 'Why a customer has what it has of a feature',
  description:
    'The entry, the products that gave it, the period with the anchor it is counted from, the bonuses with what this period drew, and what remaining is made of.',
  customer: 'query',
  query: z.strictObject({ customerId, featureKey: catalogueKey }),
  responses: { 200: explanationSchema },
  errors: [404],
  handle: async ({ query, context }, services) => ({
    body: toApiExplanation(query.customerId, await explainAccess(services, context, query)),
  }),
})
