// DELETE /dashboard/api/{environment}/keys/{keyId}
import { z } from 'zod'
import { revokeApiKey } from '../../../operations/keys/api-keys.ts'
import { thingId } from '../../fields.ts'
import { actingOf } from '../acting.ts'
import { defineDashboardRoute } from '../route.ts'

export const revokeApiKeyRoute = defineDashboardRoute({
  method: 'DELETE',
  path: '/dashboard/api/{environment}/keys/{keyId}',
  access: 'keys',
  tag: 'Keys',
  summary: 'Revoke a key, at once',
  params: z.strictObject({ keyId: thingId }),
  responses: { 200: z.strictObject({}) },
  errors: [404, 409],
  handle: async ({ params, context }, { database }) => {
    const { environment } = context.principal
    await revokeApiKey(database, actingOf(context), { environment, ...params })
    return { body: {} }
  },
})
