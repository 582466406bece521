// GET /v1/check
import { z } from 'zod'
import { checkAccess } from '../../../operations/feature-access/check-access.ts'
import { catalogueKey, customerId, queryAmount } from '../../fields.ts'
import { accessShape, writeAccess } from '../../resources/feature-access.ts'
import { defineRoute } from '../../route.ts'

export const checkAccessRoute = defineRoute({
  operationId: 'checkAccess',
  method: 'GET',
  path: '/v1/check',
  access: 'read',
  tag: 'Feature access',
  summary: 'Whether a customer may use an amount of a feature now',
  description:
    'Says what an enforced write of that amount would meet; where that is 400, because the total would pass 10^12, so is the check. To check and record in one step, record usage with enforceLimit.',
  customer: 'query',
  query: z.strictObject({ customerId, featureKey: catalogueKey, amount: queryAmount.optional() }),
  responses: {
    200: z
      .strictObject({
        allowed: z.boolean(),
        reason: z.enum(['no_access', 'limit_reached']).optional(),
        ...accessShape,
      })
      .meta({ id: 'AccessCheck', description: 'Whether it is allowed, and the entry that decides it' }),
  },
  errors: [404],
  handle: async ({ query, context }, services) => {
    const { allowed, reason, entry } = await checkAccess(services, context, {
      ...query,
      amount: query.amount ?? 1,
    })
    const because = reason === undefined ? '' : `"reason":"${reason}",`
    return { body: `{"allowed":${allowed},${because}${writeAccess(entry)}}` }
  },
})
