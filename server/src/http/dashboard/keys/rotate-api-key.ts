// POST /dashboard/api/{environment}/keys/{keyId}/rotate
import { z } from 'zod'
import { rotateApiKey } from '../../../operations/keys/api-keys.ts'
import { thingId } from '../../fields.ts'
import { actingOf } from '../acting.ts'
import { defineDashboardRoute } from '../route.ts'
import { madeKeySchema } from './made-key.ts'

const longestGraceMs = 30 * 86_400_000

export const rotateApiKeyRoute = defineDashboardRoute({
  method: 'POST',
  path: '/dashboard/api/{environment}/keys/{keyId}/rotate',
  access: 'keys',
  tag: 'Keys',
  summary: 'Make a key that takes the place of another, which goes on for the time of grace',
  params: z.strictObject({ keyId: thingId }),
  body: z.strictObject({ graceMs: z.int().min(0).max(longestGraceMs) }),
  responses: { 201: madeKeySchema },
  errors: [404, 409],
  handle: async ({ params, body, context }, { database }) => {
    const { environment } = context.principal
    return { body: await rotateApiKey(database, actingOf(context), { environment, ...params, ...body }) }
  },
})
