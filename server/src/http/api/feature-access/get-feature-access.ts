// GET /v1/feature-access
import { z } from 'zod'
import {
  type AccessView,
  getFeatureAccess,
  getFeatureEntry,
} from '../../../operations/feature-access/get-feature-access.ts'
import { catalogueKey, customerId } from '../../fields.ts'
import { featureAccessSchema, writeFeatureAccess } from '../../resources/feature-access.ts'
import { defineRoute } from '../../route.ts'

// A view is one object for as long as it holds, so its text is written once.
const texts = new WeakMap<AccessView, string>()

export const getFeatureAccessRoute = defineRoute({
  operationId: 'getFeatureAccess',
  method: 'GET',
  path: '/v1/feature-access',
  access: 'read',
  tag: 'Feature access',
  summary: 'What a customer may use, and how much is left',
  description:
    'Every feature that is not archived, and archived ones that the customer holds; with featureKey that entry alone, whether archived or not. Always current.',
  customer: 'query',
  query: z.strictObject({ customerId, featureKey: catalogueKey.optional() }),
  responses: { 200: featureAccessSchema },
  errors: [404],
  handle: async ({ query, context }, services) => {
    const { customerId, featureKey } = query
    if (featureKey !== undefined) {
      const entry = await getFeatureEntry(services, context, customerId, featureKey)
      return { body: writeFeatureAccess([entry]) }
    }
    const view = await getFeatureAccess(services, context, customerId)
    let text = texts.get(view)
    if (text === undefined) {
      text = writeFeatureAccess(view.access)
      texts.set(view, text)
    }
    return { body: text }
  },
})
